import type { RateLimit } from '@tollgate/contracts/rate-limit';
import type { Clock } from '@tollgate/runtime/clock';
import { type BucketLevel, decideByGcra, type GcraDecision } from './gcra.ts';

export interface RateLimiter {
  /** Counts one request against the application's limit. */
  take(applicationId: string, limit: RateLimit): GcraDecision;
}

/**
 * Limits of one environment, counted in this process alone. Only authenticated applications are counted, so there are
 * never more buckets than applications.
 */
export function createRateLimiter(clock: Clock): RateLimiter {
  const buckets = new Map<string, BucketLevel>();

  return {
    take(applicationId, limit) {
      const decision = decideByGcra(limit, buckets.get(applicationId), clock.now());
      buckets.set(applicationId, decision.bucket);
      return decision;
    },
  };
}
