import { createHash } from 'node:crypto';
import { issueActorToken, issueTokenActor } from '@tollgate/contracts/accounts/rpc';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Clock } from '@tollgate/runtime/clock';
import { createActorProver } from '@tollgate/security/actor-proof';
import { looksLikeApiToken, parseApiToken } from '@tollgate/security/api-token';
import type { FastifyRequest } from 'fastify';
import { readBearerCredential } from '../authentication/bearer-credential.ts';
import type { Session } from '../request/request-state.ts';
import type { CallService, ServiceCallOptions } from '../rpc/call-service.ts';
import { originOf } from './request-origin.ts';
import { createSharedSessions } from './shared-sessions.ts';

/** Longer than any session token: such a token is rejected without a call to accounts. */
const MAX_TOKEN_LENGTH = 128;

/**
 * Exchanges the session token or API token of a request. `isUse: false` does not extend an idle session. Throws Problem:
 * unauthenticated, invalid-session, invalid-api-token, ip-not-allowed, second-factor-setup-required, or a failure of accounts.
 */
export type OpenSession = (request: FastifyRequest, options?: { isUse?: boolean }) => Promise<Session>;

/**
 * Only the calls of one page request share an exchange, so an ended session or a changed role takes effect with the next page request,
 * and in every other call immediately. A revoked token always takes effect immediately.
 */
export function createOpenSession(callService: CallService, clock: Clock): OpenSession {
  const sharedSessions = createSharedSessions(clock);
  const { proofKey, prove } = createActorProver();

  async function openMemberSession(request: FastifyRequest, token: string, isUse: boolean): Promise<Session> {
    if (token.length > MAX_TOKEN_LENGTH)
      throw new Problem('invalid-session', 'The session does not exist or has ended.');
    const pageRequest = request.headers[HEADERS.pageRequest];
    if (pageRequest === undefined || !isUse)
      return exchange(request, { session_token: token, is_use: isUse });
    return sharedSessions.share(digestOf(token, pageRequest, request), () =>
      exchange(request, { session_token: token, is_use: true, proof_key: proofKey }),
    );
  }

  async function exchange(
    request: FastifyRequest,
    credential: { session_token: string; is_use: boolean; proof_key?: string },
  ): Promise<Session> {
    const { actor_token, requires_proof, session_id, team_id, member } = await callService(
      issueActorToken,
      { ...credential, ...originOf(request) },
      exchangeOptions(request),
    );
    return {
      actorTokenFor: (...call) => (requires_proof ? prove(actor_token, ...call) : actor_token),
      isShareable: requires_proof,
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
      actorTokenFor: () => actor_token,
      isShareable: false,
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

/** The actor token names the browser, so only calls for the same one share it. A digest, so that memory holds no session tokens. */
function digestOf(token: string, pageRequest: unknown, request: FastifyRequest): string {
  const { address, user_agent } = originOf(request);
  const parts = JSON.stringify([token, pageRequest, address, user_agent]);
  return createHash('sha256').update(parts).digest('base64');
}

/** The actor token is for the RPCs of the route only, unless accounts issues one that requires proofs. */
function exchangeOptions(request: FastifyRequest): ServiceCallOptions {
  return { ...callOptions(request), session: null, actorFor: request.routeOptions.config.calls ?? [] };
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
export function callOptions({ id, trace, session }: FastifyRequest): ServiceCallOptions {
  return { requestId: id, trace, session };
}
