import { recordSpans, type SpanOptions } from '../src/span.ts';
import { newTraceContext, type TraceContext } from '../src/trace-context.ts';

export interface RecordedSpan extends SpanOptions {
  trace: TraceContext;
  /** What it ended with, each time; empty while it runs. */
  outcomes: object[];
}

/** Records the spans of this process in the returned list, until `recordSpans(null)`. */
export function collectSpans(): RecordedSpan[] {
  const spans: RecordedSpan[] = [];
  recordSpans((options) => {
    const span: RecordedSpan = { ...options, trace: newTraceContext(), outcomes: [] };
    spans.push(span);
    return { trace: span.trace, end: (outcome = {}) => void span.outcomes.push(outcome) };
  });
  return spans;
}
