import type { Actor } from '@tollgate/contracts/accounts/actor';
import { API_TOKEN_LIMITS, type ApiTokenRole } from '@tollgate/contracts/accounts/api-token';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { expiryErrors } from '@tollgate/contracts/platform/expiry';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { Problem } from '@tollgate/contracts/platform/problem';
import { normalizeCidrs } from '@tollgate/security/allowed-cidrs';
import { createOnce } from '@tollgate/store/create-once';
import { requireRole } from '../access/permissions.ts';
import { requireRecentAuthenticationForEnvironments } from '../access/recent-authentication.ts';
import type { Context } from '../context.ts';
import type { ApiToken } from './api-token.ts';
import { findCreatedToken, insertToken, type TokenWithSecret } from './insert-token.ts';
import { limitedEnvironments } from './limited-environments.ts';
import { findIssuance, inheritLimits, limitErrors } from './token-issuer.ts';

/** A limit that is null or empty is that of the issuer, and none for a member. */
export interface CreateTokenRequest {
  name: string;
  role: ApiTokenRole;
  environments: Environment[] | null;
  allowedCidrs: string[];
  expiresAt: Date | null;
}

/**
 * Creates a token and returns its credential, once. Every role that a token can have is at most that of its creator, who
 * is an admin or an owner, or a token with the admin role. Throws `forbidden`, `reauthentication-required`, `conflict`,
 * `invalid-request`.
 */
export async function createToken(
  context: Context,
  actor: Actor,
  request: CreateTokenRequest,
  call: IdempotentCall | null,
): Promise<TokenWithSecret> {
  const { team, issuer, createdBy } = await findIssuance(context, actor);
  requireRole(team, actor, 'admin', 'create API tokens');
  requireRecentAuthenticationForEnvironments(actor, request.environments, {
    clock: context.clock,
    action: 'create an API token for live',
  });
  return createOnce(context, actor, call, {
    newId: () => newId('apiToken'),
    idOf: ({ token }) => token.id,
    find: (id) => findCreatedToken(context, team._id, id),
    async create(reserveId) {
      const now = new Date(context.clock.now());
      const fields = parseFields(request, issuer, now);
      await requireRoomForToken(context, team._id, now);
      const creator = { createdBy, createdByToken: issuer?.id ?? null };
      return insertToken(context, actor, issuer, { ...fields, ...creator, id: await reserveId() });
    },
  });
}

function parseFields(request: CreateTokenRequest, issuer: ApiToken | null, now: Date) {
  const { environments, allowedCidrs, expiresAt } = inheritLimits(request, issuer);
  const { cidrs, errors: cidrErrors } = normalizeCidrs(allowedCidrs, '/allowed_cidrs');
  const limits = { environments: limitedEnvironments(environments), allowedCidrs: cidrs, expiresAt };
  const errors = [...expiryErrors(expiresAt, now), ...cidrErrors, ...limitErrors(limits, issuer)];
  if (errors.length > 0)
    throw new Problem('invalid-request', 'The token is not valid. `errors` names the fields.', { errors });
  return { ...limits, name: parseName(request.name), role: request.role };
}

/** Counts before the insert, so tokens created at the same time can exceed the limit by a few. */
async function requireRoomForToken(context: Context, teamId: string, now: Date): Promise<void> {
  const max = API_TOKEN_LIMITS.activeTokensPerTeam;
  if ((await context.tokens.countActive(teamId, now)) < max) return;
  throw new Problem(
    'conflict',
    `The team has reached its limit of ${max} active API tokens. Revoke one first.`,
  );
}
