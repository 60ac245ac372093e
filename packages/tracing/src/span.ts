import { runInTrace } from './current-trace.ts';
import type { TraceContext } from './trace-context.ts';

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer';
export type SpanAttributes = Record<string, string | number>;

export interface SpanOptions {
  /** Which part of the platform does it: several can run in one process. */
  component: string;
  /** Low cardinality: a name of an operation or a subject, never an id. */
  name: string;
  kind: SpanKind;
  parent: TraceContext | null;
  /**
   * Whether the operation begins a trace if it has no parent. Only requests of callers do: periodic work would fill the store of traces
   * with calls that nobody waits for.
   */
  beginsTrace?: boolean;
  attributes?: SpanAttributes;
}

export interface Span {
  /** What the operation passes on: without an exporter, the trace of the parent. */
  trace: TraceContext | null;
  /** `error` says why the operation failed. */
  end(outcome?: { attributes?: SpanAttributes; error?: unknown }): void;
}

export type StartSpan = (options: SpanOptions) => Span;

const passOn: StartSpan = ({ parent }) => ({ trace: parent, end() {} });

let record: StartSpan = passOn;

/** Spans are recorded from now on, of every component of this process; null stops it. */
export function recordSpans(startSpan: StartSpan | null): void {
  record = startSpan ?? passOn;
}

/** Starts a span that the caller ends. */
export function startSpan(options: SpanOptions): Span {
  return options.parent === null && options.beginsTrace !== true ? passOn(options) : record(options);
}

/** Runs an operation as a span of the trace of its parent. `isFailure` decides whether what it throws is a failure of the operation. */
export async function inSpan<Result>(
  { isFailure = () => true, ...options }: SpanOptions & { isFailure?: (error: unknown) => boolean },
  run: (trace: TraceContext | null) => Promise<Result>,
): Promise<Result> {
  const span = startSpan(options);
  try {
    const result = await runInTrace(span.trace, () => run(span.trace));
    span.end();
    return result;
  } catch (error) {
    span.end(isFailure(error) ? { error } : {});
    throw error;
  }
}
