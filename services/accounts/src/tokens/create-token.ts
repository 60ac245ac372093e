import type { Actor } from '@tollgate/contracts/accounts/actor';
import { API_TOKEN_LIMITS } from '@tollgate/contracts/accounts/api-token';
import type { createToken as contract } from '@tollgate/contracts/accounts/rpc';
import { expiryErrors } from '@tollgate/contracts/platform/expiry';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { Problem } from '@tollgate/contracts/platform/problem';
import { normalizeCidrs } from '@tollgate/security/allowed-cidrs';
import { createOnce } from '@tollgate/store/create-once';
import type { Static } from 'typebox';
import { requireRole } from '../access/permissions.ts';
import { requireRecentAuthenticationForEnvironments } from '../access/recent-authentication.ts';
import type { Context } from '../context.ts';
import { type ApiToken, limitedEnvironments } from './api-token.ts';
import { findCreatedToken, insertToken, type TokenWithSecret } from './insert-token.ts';
import { findIssuance, inheritLimits, limitErrors } from './token-issuer.ts';

/** A limit that is absent, null, or empty is that of the issuer, and none for a member. */
type Request = Static<typeof contract.request>;

/**
 * Creates a token and returns its credential, once. Every role that a token can have is at most that of its creator, who
 * is an admin or an owner, or a token with the admin role. Throws `forbidden`, `reauthentication-required`, `conflict`,
 * `invalid-request`.
 */
export async function createToken(
  context: Context,
  actor: Actor,
  request: Request,
  call: IdempotentCall | null,
): Promise<TokenWithSecret> {
  const { team, issuer, createdBy } = await findIssuance(context, actor);
  requireRole(team, actor, 'admin', 'create API tokens');
  requireRecentAuthenticationForEnvironments(actor, request.environments ?? null, {
    clock: context.clock,
    action: 'create an API token for live',
  });
  return createOnce(context, actor, call, {
    newId: () => newId('apiToken'),
    idOf: ({ token }) => token._id,
    find: (id) => findCreatedToken(context, team._id, id),
    async create(reserveId) {
      const now = new Date(context.clock.now());
      const fields = parseFields(request, issuer, now);
      await requireRoomForToken(context, team._id, now);
      const creator = { created_by: createdBy, created_by_token: issuer?._id ?? null };
      return insertToken(context, actor, issuer, { ...fields, ...creator, _id: await reserveId() });
    },
  });
}

function parseFields(request: Request, issuer: ApiToken | null, now: Date) {
  const { environments, allowed_cidrs, expires_at } = inheritLimits(request, issuer);
  const { cidrs, errors: cidrErrors } = normalizeCidrs(allowed_cidrs, '/allowed_cidrs');
  const limits = { environments: limitedEnvironments(environments), allowed_cidrs: cidrs, expires_at };
  const errors = [...expiryErrors(expires_at, now), ...cidrErrors, ...limitErrors(limits, issuer)];
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
