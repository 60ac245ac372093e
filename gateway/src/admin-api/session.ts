import type { RpcCallOptions } from '@tollgate/bus/rpc';
import { Problem } from '@tollgate/contracts/problem';
import { issueActorToken } from '@tollgate/contracts/rpc/accounts';
import type { FastifyRequest } from 'fastify';
import { readBearerCredential } from '../authentication/bearer-credential.ts';
import type { Session } from '../request/request-state.ts';
import type { CallService } from './call-service.ts';
import { originOf } from './request-origin.ts';

/** Longer than any session token: such a token is rejected without a call to accounts. */
const MAX_TOKEN_LENGTH = 128;

/**
 * Exchanges the session token of a request. `isUse: false` does not extend an idle session. Throws Problem:
 * unauthenticated, invalid-session, or a failure of accounts.
 */
export type OpenSession = (request: FastifyRequest, options?: { isUse?: boolean }) => Promise<Session>;

/** Sessions are not cached: an ended session or a changed role takes effect immediately. */
export function createOpenSession(callService: CallService): OpenSession {
  return async function openSession(request, { isUse = true } = {}) {
    const token = readBearerCredential(request.headers.authorization, 'a session token');
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

/** Options of every RPC of one admin request. */
export function callOptions({ id, trace, session }: FastifyRequest): RpcCallOptions {
  return {
    requestId: id,
    ...(trace && { traceparent: trace.traceparent }),
    ...(session && { actorToken: session.actorToken }),
  };
}
