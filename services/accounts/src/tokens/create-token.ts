import type { MemberActor } from '@tollgate/contracts/actor';
import { API_TOKEN_LIMITS, type ApiTokenRole } from '@tollgate/contracts/api-token';
import type { Environment } from '@tollgate/contracts/environment';
import { expiryErrors } from '@tollgate/contracts/expiry-errors';
import { newId } from '@tollgate/contracts/ids';
import { parseName } from '@tollgate/contracts/parse-name';
import { Problem } from '@tollgate/contracts/problem';
import type { IdempotentCall } from '@tollgate/contracts/rpc/idempotent-call';
import { normalizeCidrs } from '@tollgate/security/allowed-cidrs';
import { digestApiToken, generateApiToken } from '@tollgate/security/api-token';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { createOnce } from '@tollgate/store/create-once';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { requireRecentAuthenticationForEnvironments } from '../access/recent-authentication.ts';
import { tokenAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { FIRST_SESSION_EPOCH } from '../members/member.ts';
import { type ApiToken, newApiToken } from './api-token.ts';
import { limitedEnvironments } from './limited-environments.ts';

export interface CreateTokenRequest {
  name: string;
  role: ApiTokenRole;
  /** Null: both. */
  environments: Environment[] | null;
  /** Empty: any address. */
  allowedCidrs: string[];
  expiresAt: Date | null;
}

/** A token with its credential, which is returned once and stored nowhere. */
export interface TokenWithSecret {
  token: ApiToken;
  /** Null in a replay. */
  secret: string | null;
}

/**
 * Creates a token and returns its credential, once. Every role that a token can have is at most that of its creator, who
 * is an admin or an owner. Throws `forbidden`, `reauthentication-required`, `conflict`, `invalid-request`.
 */
export async function createToken(
  context: Context,
  actor: MemberActor,
  request: CreateTokenRequest,
  call: IdempotentCall | null,
): Promise<TokenWithSecret> {
  const { team } = await findActingMember(context, actor);
  requireRole(team, actor, 'admin', 'create API tokens');
  requireRecentAuthenticationForEnvironments(actor, request.environments, {
    clock: context.clock,
    action: 'create an API token for live',
  });
  return createOnce(context, actor, call, {
    newId: () => newId('apiToken'),
    idOf: ({ token }) => token.id,
    async find(id) {
      const token = await context.tokens.find(team.id, id);
      return token && { token, secret: null };
    },
    create: (reserveId) => insertToken(context, actor, request, reserveId),
  });
}

async function insertToken(
  context: Context,
  actor: MemberActor,
  request: CreateTokenRequest,
  reserveId: () => Promise<string>,
): Promise<TokenWithSecret> {
  const teamId = actor.team_id;
  const now = new Date(context.clock.now());
  const fields = parseFields(request, now);
  await requireRoomForToken(context, teamId, now);

  const { credential, lookupId } = generateApiToken();
  const digest = digestApiToken(credential).toString('hex');
  const token = newApiToken(
    {
      ...fields,
      id: await reserveId(),
      teamId,
      lookupId,
      digest,
      createdBy: actor.member_id,
      actsFor: null,
      sessionEpoch: FIRST_SESSION_EPOCH,
    },
    now,
  );
  const audit = signAuditEntry(
    context.signer,
    tokenAuditEntry('token.created', actorAuthor(actor), { before: null, after: token }, now),
  );
  await context.tokens.insert(token, audit);
  context.audit.enqueue([auditMessage(token.id, audit)]);
  return { token, secret: credential };
}

function parseFields(request: CreateTokenRequest, now: Date): CreateTokenRequest {
  const { role, environments, expiresAt } = request;
  const { cidrs, errors: cidrErrors } = normalizeCidrs(request.allowedCidrs, '/allowed_cidrs');
  const errors = [...expiryErrors(expiresAt, now), ...cidrErrors];
  if (errors.length > 0)
    throw new Problem('invalid-request', 'The token is not valid. `errors` names the fields.', { errors });
  return {
    name: parseName(request.name),
    role,
    environments: limitedEnvironments(environments),
    allowedCidrs: cidrs,
    expiresAt,
  };
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
