import type { RateLimit } from '@tollgate/contracts/applications/rate-limit';
import type { GcraDecision } from './gcra.ts';

/** A limit that a request was counted against. */
export interface CountedLimit {
  /** What the limit applies to, as the caller sees it. */
  name: 'application' | 'member' | 'token' | 'team' | 'address';
  limit: RateLimit;
  decision: GcraDecision;
}

/**
 * draft-ietf-httpapi-ratelimit-headers: structured fields (RFC 9651) with, for each limit, a policy of `q` requests per
 * `w` seconds and what remains of it. `w` is the time to refill the burst, so q/w is the sustained rate. `t` is the time
 * until the bucket is full again.
 */
export function rateLimitHeaders(counted: readonly CountedLimit[]): Record<string, string> {
  return {
    'ratelimit-policy': counted.map(policyOf).join(', '),
    ratelimit: counted.map(remainderOf).join(', '),
  };
}

function policyOf({ name, limit }: CountedLimit): string {
  return `"${name}";q=${limit.burst};w=${Math.ceil(limit.burst / limit.requests_per_second)}`;
}

function remainderOf({ name, decision }: CountedLimit): string {
  return `"${name}";r=${decision.remaining};t=${Math.ceil(decision.refilledInMs / 1000)}`;
}
