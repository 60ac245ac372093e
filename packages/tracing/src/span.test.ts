import { afterEach, beforeEach, expect, it } from 'vitest';
import { collectSpans, type RecordedSpan } from '../test/recorded-spans.ts';
import { currentTrace } from './current-trace.ts';
import { inSpan, recordSpans, startSpan } from './span.ts';
import { newTraceContext } from './trace-context.ts';

let recorded: RecordedSpan[];

beforeEach(() => {
  recorded = collectSpans();
});
afterEach(() => recordSpans(null));

const parent = newTraceContext();
const CALL = { component: 'gateway', name: 'call', kind: 'client' } as const;

it('an operation runs in the trace of its span', async () => {
  const traces = await inSpan({ ...CALL, parent }, async (trace) => [trace, currentTrace()]);
  expect(recorded).toEqual([{ ...CALL, parent, trace: traces[0], outcomes: [{}] }]);
  expect(traces[1]).toBe(traces[0]);
  expect(currentTrace()).toBeNull();
});

it('an operation without a trace is not recorded, unless it begins one', async () => {
  expect(await inSpan({ ...CALL, parent: null }, async () => currentTrace())).toBeNull();
  expect(recorded).toEqual([]);
  expect(startSpan({ ...CALL, parent: null, beginsTrace: true }).trace).toBe(recorded[0]?.trace);
});

it('an operation that throws ends its span with the error, if that is a failure', async () => {
  const error = new Error('not found');
  const fail = (isFailure?: (error: unknown) => boolean) =>
    inSpan({ ...CALL, parent, ...(isFailure && { isFailure }) }, () => Promise.reject(error));
  await expect(fail()).rejects.toBe(error);
  await expect(fail(() => false)).rejects.toBe(error);
  expect(recorded.flatMap(({ outcomes }) => outcomes)).toEqual([{ error }, {}]);
});

it('an operation continues the trace of its parent while no spans are recorded', async () => {
  recordSpans(null);
  expect(await inSpan({ ...CALL, parent }, async () => currentTrace())).toBe(parent);
});
