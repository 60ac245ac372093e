import type { MsgHdrs } from '@nats-io/transport-node';
import { parseTraceContext, type TraceContext, traceHeaders } from '@tollgate/tracing/trace-context';

/** The trace that a message continues; null without a valid header. */
export function traceOfHeaders(received: MsgHdrs | undefined): TraceContext | null {
  return parseTraceContext(received?.get('traceparent'), received?.get('tracestate'));
}

export function setTraceHeaders(sent: MsgHdrs, trace: TraceContext | null): void {
  for (const [name, value] of Object.entries(traceHeaders(trace))) sent.set(name, value);
}
