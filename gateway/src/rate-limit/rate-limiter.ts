import type { RateLimit } from '@tollgate/contracts/applications/rate-limit';
import type { Clock } from '@tollgate/runtime/clock';
import { type BucketLevel, decideByGcra, type GcraDecision } from './gcra.ts';

export interface RateLimiter {
  /** Counts one request against the limit of this name, such as an application's id. */
  take(name: string, limit: RateLimit): GcraDecision;
}

/**
 * Counts in this process alone. With more than `maxBuckets` names, the one that was idle for longest starts over. The
 * public API needs no maximum: it counts only authenticated applications.
 */
export function createRateLimiter(clock: Clock, { maxBuckets = Number.POSITIVE_INFINITY } = {}): RateLimiter {
  /** The name that was used last is last. */
  const buckets = new Map<string, BucketLevel>();

  return {
    take(name, limit) {
      const decision = decideByGcra(limit, buckets.get(name), clock.now());
      buckets.delete(name);
      buckets.set(name, decision.bucket);
      const [oldest] = buckets.keys();
      if (buckets.size > maxBuckets && oldest !== undefined) buckets.delete(oldest);
      return decision;
    },
  };
}
