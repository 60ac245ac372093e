import type { RateLimit } from '@tollgate/contracts/applications/rate-limit';

/** Fill level of a bucket and its time: the whole state. */
export interface BucketLevel {
  /** In requests. It leaks at the rate of the limit. */
  level: number;
  atMs: number;
}

export interface GcraDecision {
  allowed: boolean;
  /** Whole requests that are still allowed now, after this one. */
  remaining: number;
  /** Time until the full burst is available again. */
  refilledInMs: number;
  /** Time until the next request is allowed; 0 while `remaining` is above 0. */
  retryInMs: number;
  /** Pass this to the next call. */
  bucket: BucketLevel;
}

/** In requests: levels are sums and differences of fractions, which floating point does not represent exactly. */
const ROUNDING = 1e-6;

/**
 * Generic cell rate algorithm (ITU-T I.371) in its continuous-state leaky bucket form: the virtual scheduling form adds
 * fractions of milliseconds to epoch times, which lack the precision for high rates. `burst` requests may come at once,
 * then one every 1/rate seconds. A rejected request does not count.
 */
export function decideByGcra(limit: RateLimit, bucket: BucketLevel | undefined, nowMs: number): GcraDecision {
  const perMs = limit.requests_per_second / 1000;
  // A clock that was set back leaks nothing. A lowered burst must not reject for longer than one refill.
  const leaked = bucket ? Math.max(0, nowMs - bucket.atMs) * perMs : 0;
  const before = bucket ? Math.min(Math.max(0, bucket.level - leaked), limit.burst) : 0;
  const allowed = before + 1 <= limit.burst + ROUNDING;
  const level = allowed ? before + 1 : before;
  const remaining = Math.max(0, Math.floor(limit.burst - level + ROUNDING));
  return {
    allowed,
    remaining,
    refilledInMs: level / perMs,
    retryInMs: remaining > 0 ? 0 : (level + 1 - limit.burst) / perMs,
    bucket: { level, atMs: nowMs },
  };
}
