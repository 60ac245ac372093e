import { randomFillSync } from 'node:crypto';

/** W3C Trace Context §3.2: version ff is forbidden. Versions above 00 may have more fields after the flags. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;
const MAX_TRACEPARENT_LENGTH = 128;

/** The place of an operation in a trace. */
export interface TraceContext {
  traceparent: string;
  traceId: string;
  tracestate: string | null;
}

/** Returns the trace that the values of these headers continue; null if the first is not valid. `tracestate` is meaningless without it. */
export function parseTraceContext(traceparent: unknown, tracestate?: unknown): TraceContext | null {
  if (typeof traceparent !== 'string' || traceparent.length > MAX_TRACEPARENT_LENGTH) return null;
  const match = TRACEPARENT.exec(traceparent);
  // Version 00 has exactly four fields.
  if (!match || (match[1] === '00' && match[3] !== undefined)) return null;
  return {
    traceparent,
    traceId: match[2] as string,
    tracestate: typeof tracestate === 'string' && TRACESTATE.test(tracestate) ? tracestate : null,
  };
}

/** Begins a trace that is not sampled. */
export function newTraceContext(): TraceContext {
  const random = nextRandomHex();
  const traceId = random.slice(0, 32);
  return { traceparent: `00-${traceId}-${random.slice(32)}-00`, traceId, tracestate: null };
}

/** The headers of an HTTP request or message that continues this trace. */
export function traceHeaders(trace: TraceContext | null): Record<string, string> {
  if (trace === null) return {};
  const { traceparent, tracestate } = trace;
  return { traceparent, ...(tracestate !== null && { tracestate }) };
}

/** Bytes for one trace id and one parent id. */
const RANDOM_BYTES = 24;
/** A call of the generator costs the same for one id as for many. */
const pool = Buffer.alloc(RANDOM_BYTES * 256);
let used = pool.length;

function nextRandomHex(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const start = used;
  used += RANDOM_BYTES;
  return pool.toString('hex', start, used);
}
