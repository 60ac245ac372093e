import { randomFillSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** W3C Trace Context §3.2: version ff is forbidden. Versions above 00 may have more fields after the flags. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;
const MAX_TRACEPARENT_LENGTH = 128;

export interface TraceContext {
  traceparent: string;
  traceId: string;
  tracestate: string | null;
}

/**
 * Returns the caller's trace if its header is valid, otherwise a new one that is not sampled. `tracestate` is
 * meaningless without its parent.
 */
export function traceContextOf(headers: IncomingHttpHeaders): TraceContext {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent === 'string' && traceparent.length <= MAX_TRACEPARENT_LENGTH) {
    const match = TRACEPARENT.exec(traceparent);
    // Version 00 has exactly four fields.
    if (match && (match[1] !== '00' || match[3] === undefined)) {
      return {
        traceparent,
        traceId: match[2] as string,
        tracestate: typeof tracestate === 'string' && TRACESTATE.test(tracestate) ? tracestate : null,
      };
    }
  }
  const random = nextRandomHex();
  const traceId = random.slice(0, 32);
  return { traceparent: `00-${traceId}-${random.slice(32)}-00`, traceId, tracestate: null };
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
