import { createHash } from 'node:crypto';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Clock } from '@tollgate/runtime/clock';
import { networkOf } from '@tollgate/security/client-network';
import type { FastifyRequest } from 'fastify';
import { createRateLimiter } from './rate-limiter.ts';

/** The limit of operations without an API key. Their callers send few requests; more is a flood. */
const LIMIT = { requests_per_second: 10, burst: 50 };

/** Networks share this many limits, so that a flood from many networks takes no more memory. */
const SHARES = 1_024;

/** Counts a request of a client network. Throws `rate-limited`. */
export function createLimitByAddress(clock: Clock): (request: Pick<FastifyRequest, 'clientAddress'>) => void {
  const limiter = createRateLimiter(clock);

  return function limitByAddress({ clientAddress }) {
    const share = createHash('sha256').update(networkOf(clientAddress)).digest().readUInt32BE() % SHARES;
    const decision = limiter.take(String(share), LIMIT);
    if (decision.allowed) return;
    throw new Problem(
      'rate-limited',
      `Your address exceeded the limit of ${LIMIT.requests_per_second} requests per second.`,
      { retryAfterS: decision.retryInMs / 1000 },
    );
  };
}
