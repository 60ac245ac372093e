import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentTrace } from './current-trace.ts';
import { inSpan, recordSpans, type SpanOptions, startSpan } from './span.ts';
import { newTraceContext, type TraceContext } from './trace-context.ts';

/** The spans that were recorded, with what they ended with. */
let recorded: (SpanOptions & { trace: TraceContext; outcome?: object })[];

beforeEach(() => {
  recorded = [];
  recordSpans((options) => {
    const span = { ...options, trace: newTraceContext() };
    recorded.push(span);
    return { trace: span.trace, end: (outcome = {}) => void Object.assign(span, { outcome }) };
  });
});
afterEach(() => recordSpans(null));

const parent = newTraceContext();
const CALL = { name: 'call', kind: 'client' } as const;

describe('an operation', () => {
  it('runs in the trace of its span', async () => {
    const traces = await inSpan({ ...CALL, parent }, async (trace) => [trace, currentTrace()]);
    expect(recorded).toEqual([{ ...CALL, parent, trace: traces[0], outcome: {} }]);
    expect(traces[1]).toBe(traces[0]);
    expect(currentTrace()).toBeNull();
  });

  it('without a trace is not recorded, unless it begins one', async () => {
    expect(await inSpan({ ...CALL, parent: null }, async () => currentTrace())).toBeNull();
    expect(recorded).toEqual([]);
    expect(startSpan({ ...CALL, parent: null, beginsTrace: true }).trace).toBe(recorded[0]?.trace);
  });

  it('that throws ends its span with the error, if that is a failure', async () => {
    const error = new Error('not found');
    const fail = (isFailure?: (error: unknown) => boolean) =>
      inSpan({ ...CALL, parent, ...(isFailure && { isFailure }) }, () => Promise.reject(error));
    await expect(fail()).rejects.toBe(error);
    await expect(fail(() => false)).rejects.toBe(error);
    expect(recorded.map(({ outcome }) => outcome)).toEqual([{ error }, {}]);
  });

  it('continues the trace of its parent while no spans are recorded', async () => {
    recordSpans(null);
    expect(await inSpan({ ...CALL, parent }, async () => currentTrace())).toBe(parent);
  });
});
