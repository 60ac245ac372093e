import type { RateLimit } from '@tollgate/contracts/applications/rate-limit';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Clock } from '@tollgate/runtime/clock';
import { networkOf } from '@tollgate/security/client-network';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createKnownCallers, type KnownCaller } from '../rate-limit/known-callers.ts';
import { type CountedLimit, rateLimitHeaders } from '../rate-limit/rate-limit-headers.ts';
import { createRateLimiter } from '../rate-limit/rate-limiter.ts';
import type { Session } from '../request/request-state.ts';
import { actorIdOf, isSessionOver, type OpenSession } from './session.ts';

/** A bucket takes less than 200 bytes. Only addresses can be this many. */
const MAX_BUCKETS = 100_000;

export interface AdminRateLimits {
  /** Limit of each member, including their logins, and of each API token. */
  adminMemberRateLimit: RateLimit;
  /** Limit of all members and API tokens of a team together. */
  adminTeamRateLimit: RateLimit;
  /** Limit of requests from one address whose caller is not known yet. */
  adminAddressRateLimit: RateLimit;
}

/** Counts the requests of the admin API. Throws Problem `rate-limited`. */
export interface Admission {
  /** Counts a request that needs no credential. */
  countAddress(request: FastifyRequest, reply: FastifyReply): void;
  /** Counts a request and opens its session. Throws what `openSession` throws. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<Session>;
}

/**
 * An unknown credential counts against its address, because each one costs a call to accounts. A caller that was accepted
 * before counts against its own limits only, and before accounts is called: neither can a flood from its address lock it
 * out, nor can it burden accounts beyond its limit.
 */
export function createAdmission(
  deps: AdminRateLimits & { openSession: OpenSession; clock: Clock },
): Admission {
  const limiter = createRateLimiter(deps.clock, { maxBuckets: MAX_BUCKETS });
  const knownCallers = createKnownCallers();

  function count(
    reply: FastifyReply,
    limits: { name: CountedLimit['name']; of: string; limit: RateLimit }[],
  ) {
    const counted: CountedLimit[] = [];
    for (const { name, of, limit } of limits) {
      const decision = limiter.take(`${name} ${of}`, limit);
      counted.push({ name, limit, decision });
      reply.headers(rateLimitHeaders(counted));
      if (!decision.allowed) throw rateLimited(name, limit, decision.retryInMs);
    }
  }

  function countAddress(request: FastifyRequest, reply: FastifyReply): void {
    count(reply, [
      { name: 'address', of: networkOf(request.clientAddress), limit: deps.adminAddressRateLimit },
    ]);
  }

  function countCaller({ type, id, teamId }: KnownCaller, reply: FastifyReply): void {
    count(reply, [
      { name: type, of: id, limit: deps.adminMemberRateLimit },
      { name: 'team', of: teamId, limit: deps.adminTeamRateLimit },
    ]);
  }

  return {
    countAddress,
    async admit(request, reply) {
      const credential = request.headers.authorization ?? '';
      const address = networkOf(request.clientAddress);
      const known = knownCallers.find(credential, address);
      if (known) countCaller(known, reply);
      else countAddress(request, reply);
      try {
        const session = await deps.openSession(request);
        const caller = callerOf(session);
        knownCallers.note(credential, address, caller);
        if (!known) countCaller(caller, reply);
        return session;
      } catch (error) {
        if (isSessionOver(error)) knownCallers.forget(credential, address);
        throw error;
      }
    },
  };
}

function callerOf(session: Session): KnownCaller {
  const { caller } = session;
  const isToken = caller.type === 'token' && caller.actsFor === null;
  return { type: isToken ? 'token' : 'member', id: actorIdOf(session), teamId: caller.teamId };
}

const EXCEEDING = {
  application: 'The application',
  member: 'You',
  token: 'The API token',
  team: 'The members and API tokens of the team together',
  address: 'Requests from this address',
} as const;

function rateLimited(name: CountedLimit['name'], limit: RateLimit, retryInMs: number): Problem {
  return new Problem(
    'rate-limited',
    `${EXCEEDING[name]} exceeded the limit of ${limit.requests_per_second} requests per second.`,
    { retryAfterS: retryInMs / 1000 },
  );
}
