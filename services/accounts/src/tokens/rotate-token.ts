import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { createOnce } from '@tollgate/store/create-once';
import { isDuplicateKey } from '@tollgate/store/duplicate-key';
import { requireRole } from '../access/permissions.ts';
import { requireRecentAuthenticationForEnvironments } from '../access/recent-authentication.ts';
import { tokenAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Team } from '../teams/team.ts';
import { type ApiToken, rotated, statusOf, successorExpiry } from './api-token.ts';
import { findCreatedToken, insertToken, type TokenWithSecret } from './insert-token.ts';
import { findIssuance, limitErrors } from './token-issuer.ts';

/**
 * Creates a successor with the old token's name, role, environments, CIDRs, expiry, and creator; the old token stays active for the
 * overlap.
 *
 * Two documents change, one after the other, and the first write decides: it stores the successor's id and expiry in the old token. So the
 * loser of two concurrent rotations has written nothing. After a crash between the writes, the next rotation inserts the successor.
 *
 * Throws `forbidden`, `reauthentication-required`, `not-found`, `conflict`.
 */
export async function rotateToken(
  context: Context,
  actor: Actor,
  { tokenId, overlapMs }: { tokenId: string; overlapMs: number },
  call: IdempotentCall | null,
): Promise<TokenWithSecret> {
  const { team, issuer } = await findIssuance(context, actor);
  const before = await context.tokens.find(team._id, tokenId);
  if (!before) throw new Problem('not-found', `Your team has no API token ${tokenId}.`);
  requireMayRotate(team, actor, before, issuer);
  requireRecentAuthenticationForEnvironments(actor, before.environments, {
    clock: context.clock,
    action: 'rotate an API token for live',
  });
  return createOnce(context, actor, call, {
    newId: () => newId('apiToken'),
    idOf: ({ token }) => token.id,
    find: (id) => findCreatedToken(context, team._id, id),
    async create(reserveId) {
      await requireCurrent(context, before);
      const id = before.rotatedTo ?? (await reserveId());
      const old = before.rotatedTo ? before : await saveRotation(context, actor, before, { id, overlapMs });
      return insertSuccessor(context, actor, issuer, { old, id });
    },
  });
}

/** The successor has the rights of the token, and its credential is returned to the actor. */
function requireMayRotate(team: Team, actor: Actor, token: ApiToken, issuer: ApiToken | null): void {
  if (token.id === issuer?.id) return;
  requireRole(team, actor, 'admin', 'rotate API tokens');
  const limits = { ...token, expiresAt: successorExpiry(token) };
  const exceeded = limitErrors(limits, issuer).map(({ pointer }) => pointer?.slice(1));
  if (exceeded.length === 0) return;
  throw new Problem(
    'forbidden',
    `You cannot rotate this API token: it is less limited than your own in ${exceeded.join(', ')}.`,
  );
}

/** Throws `conflict` unless the token is active and has no successor. The successor of an interrupted rotation is missing. */
async function requireCurrent({ clock, tokens }: Context, token: ApiToken): Promise<void> {
  const { teamId, actsFor, rotatedTo } = token;
  if (actsFor !== null)
    throw new Problem('conflict', 'The token of a login cannot be rotated. Log in again instead.');
  const status = statusOf(token, new Date(clock.now()));
  if (status !== 'active') {
    throw new Problem(
      'conflict',
      `The API token is ${status}. Only an active one can be rotated. Create another one instead.`,
    );
  }
  if (rotatedTo !== null && (await tokens.find(teamId, rotatedTo))) throw alreadyRotated(rotatedTo);
}

async function saveRotation(
  context: Context,
  actor: Actor,
  before: ApiToken,
  { id, overlapMs }: { id: string; overlapMs: number },
): Promise<ApiToken> {
  const now = new Date(context.clock.now());
  const after = rotated(before, id, overlapMs, now);
  const audit = signAuditEntry(
    context.signer,
    tokenAuditEntry('token.rotated', actorAuthor(actor), { before, after }, now),
  );
  if (await context.tokens.save(before, after, audit)) {
    context.audit.enqueue([auditMessage(after.id, audit)]);
    return after;
  }
  const current = await context.tokens.find(before.teamId, before.id);
  // A concurrent request rotated it with the same idempotency key.
  if (current?.rotatedTo === id) return current;
  throw new Problem(
    'conflict',
    'The API token was rotated or revoked by another request. Fetch it again, then retry.',
  );
}

async function insertSuccessor(
  context: Context,
  actor: Actor,
  issuer: ApiToken | null,
  { old, id }: { old: ApiToken; id: string },
): Promise<TokenWithSecret> {
  const { name, role, environments, allowedCidrs, createdBy } = old;
  const createdByToken = issuer?.id ?? old.createdByToken;
  const expiresAt = successorExpiry(old);
  const inherited = { name, role, environments, allowedCidrs, expiresAt, createdBy };
  try {
    return await insertToken(context, actor, issuer, { ...inherited, createdByToken, id });
  } catch (error) {
    // A concurrent request resumed an interrupted rotation first.
    throw isDuplicateKey(error) ? alreadyRotated(id) : error;
  }
}

function alreadyRotated(successorId: string): Problem {
  return new Problem(
    'conflict',
    `The API token was already replaced by ${successorId}. Rotate that one instead.`,
  );
}
