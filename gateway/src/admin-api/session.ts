import type { RpcCallOptions } from '@tollgate/bus/rpc';
import { issueActorToken, issueTokenActor } from '@tollgate/contracts/accounts/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import { looksLikeApiToken, parseApiToken } from '@tollgate/security/api-token';
import type { FastifyRequest } from 'fastify';
import { readBearerCredential } from '../authentication/bearer-credential.ts';
import type { Session } from '../request/request-state.ts';
import type { CallService } from '../rpc/call-service.ts';
import { originOf } from './request-origin.ts';

/** Longer than any session token: such a token is rejected without a call to accounts. */
const MAX_TOKEN_LENGTH = 128;

/**
 * Exchanges the session token or API token of a request. `isUse: false` does not extend an idle session. Throws Problem:
 * unauthenticated, invalid-session, invalid-api-token, ip-not-allowed, second-factor-setup-required, or a failure of accounts.
 */
export type OpenSession = (request: FastifyRequest, options?: { isUse?: boolean }) => Promise<Session>;

/** Nothing is cached: an ended session, a revoked token, or a changed role takes effect immediately. */
export function createOpenSession(callService: CallService): OpenSession {
  async function openMemberSession(request: FastifyRequest, token: string, isUse: boolean): Promise<Session> {
    if (token.length > MAX_TOKEN_LENGTH)
      throw new Problem('invalid-session', 'The session does not exist or has ended.');
    const { actor_token, session_id, team_id, member } = await callService(
      issueActorToken,
      { session_token: token, ...originOf(request), is_use: isUse },
      exchangeOptions(request),
    );
    return {
      actorToken: actor_token,
      id: session_id,
      caller: { type: 'member', memberId: member.id, teamId: team_id },
    };
  }

  async function openTokenSession(
    request: FastifyRequest,
    credential: string,
    isUse: boolean,
  ): Promise<Session> {
    if (!parseApiToken(credential))
      throw new Problem('invalid-api-token', 'The API token is incomplete or mistyped.');
    const { actor_token, team_id, token } = await callService(
      issueTokenActor,
      { credential, ...originOf(request), is_use: isUse },
      exchangeOptions(request),
    );
    const { id, acts_for: actsFor, environments } = token;
    return {
      actorToken: actor_token,
      id,
      caller: { type: 'token', tokenId: id, actsFor, teamId: team_id, environments },
    };
  }

  return async function openSession(request, { isUse = true } = {}) {
    const token = readBearerCredential(request.headers.authorization, 'a session token or an API token');
    return looksLikeApiToken(token)
      ? openTokenSession(request, token, isUse)
      : openMemberSession(request, token, isUse);
  };
}

/** The actor token is for the RPCs of the route only. */
function exchangeOptions(request: FastifyRequest): RpcCallOptions {
  return { ...callOptions(request), actorFor: request.routeOptions.config.calls ?? [] };
}

/** What limits are counted by: the member, also for their logins, or the API token. Otherwise, each login would raise a member's limits. */
export function actorIdOf({ caller }: Session): string {
  return caller.type === 'member' ? caller.memberId : (caller.actsFor ?? caller.tokenId);
}

const OVER_CODES = ['invalid-session', 'invalid-api-token', 'ip-not-allowed', 'second-factor-setup-required'];

/** Returns true if the error means that the session or token is no longer accepted. */
export function isSessionOver(error: unknown): boolean {
  if (!(error instanceof Problem)) return false;
  return OVER_CODES.includes(error.details.code);
}

/** Options of every RPC of one admin request. */
export function callOptions({ id, trace, session }: FastifyRequest): RpcCallOptions {
  return {
    requestId: id,
    trace,
    ...(session && { actorToken: session.actorToken }),
  };
}
