import type { RpcCallOptions } from '@tollgate/bus/rpc';
import { Problem } from '@tollgate/contracts/problem';
import { issueActorToken } from '@tollgate/contracts/rpc/accounts';
import type { FastifyRequest } from 'fastify';
import { readBearerCredential } from '../authentication/bearer-credential.ts';
import type { CallService } from './call-service.ts';
import { originOf } from './request-origin.ts';

/** Longer than any token of a session: it is rejected without asking accounts. */
const MAX_TOKEN_LENGTH = 128;

/** A session that accounts has just confirmed. */
export interface Session {
  /** Passes for less than a minute, so that anyone who holds on to it asks anew. */
  actorToken: string;
  id: string;
  memberId: string;
}

/**
 * Exchanges the session token of a request. `isUse: false` does not count against the end of an idle session. Throws Problem: unauthenticated, invalid-session, or a failure of accounts.
 */
export type OpenSession = (request: FastifyRequest, options?: { isUse?: boolean }) => Promise<Session>;

/** Nothing is remembered between requests: a session that is over and a role that was taken away hold at once. */
export function createOpenSession(callService: CallService): OpenSession {
  return async function openSession(request, { isUse = true } = {}) {
    const token = readBearerCredential(request.headers.authorization, 'the token of a session');
    if (token.length > MAX_TOKEN_LENGTH)
      throw new Problem('invalid-session', 'The session does not exist or has ended.');
    const { actor_token, session_id, member } = await callService(
      issueActorToken,
      { session_token: token, ...originOf(request), is_use: isUse },
      callOptions(request),
    );
    return { actorToken: actor_token, id: session_id, memberId: member.id };
  };
}

/** What every call of one admin request carries. */
export function callOptions({ id, trace, session }: FastifyRequest): RpcCallOptions {
  return {
    requestId: id,
    ...(trace && { traceparent: trace.traceparent }),
    ...(session && { actorToken: session.actorToken }),
  };
}
