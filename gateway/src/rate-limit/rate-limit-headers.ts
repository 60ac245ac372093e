import type { RateLimit } from '@tollgate/contracts/rate-limit';
import type { GcraDecision } from './gcra.ts';

/**
 * draft-ietf-httpapi-ratelimit-headers: structured fields (RFC 9651) with a policy of `q` requests per `w` seconds and
 * what remains of it. `w` is the time to refill the burst, so q/w is the sustained rate. `t` is the time until the
 * bucket is full again.
 */
export function rateLimitHeaders(limit: RateLimit, decision: GcraDecision): Record<string, string> {
  const windowS = Math.ceil(limit.burst / limit.requests_per_second);
  const refilledInS = Math.ceil(decision.refilledInMs / 1000);
  return {
    'ratelimit-policy': `"application";q=${limit.burst};w=${windowS}`,
    ratelimit: `"application";r=${decision.remaining};t=${refilledInS}`,
  };
}
