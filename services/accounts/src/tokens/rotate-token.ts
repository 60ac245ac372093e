import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { rotateToken as contract } from '@tollgate/contracts/accounts/rpc';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { createOnce } from '@tollgate/store/create-once';
import { isDuplicateKey } from '@tollgate/store/duplicate-key';
import type { Static } from 'typebox';
import { requireRole } from '../access/permissions.ts';
import { requireRecentAuthenticationForEnvironments } from '../access/recent-authentication.ts';
import { tokenEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Team } from '../teams/team.ts';
import { type ApiToken, rotated, statusOf, successorExpiry } from './api-token.ts';
import { findTokenOfTeam } from './find-token.ts';
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
  { token_id, overlap_s }: Static<typeof contract.request>,
  call: IdempotentCall | null,
): Promise<TokenWithSecret> {
  const { team, issuer } = await findIssuance(context, actor);
  const read = await findTokenOfTeam(context, team._id, token_id);
  requireMayRotate(team, actor, read, issuer);
  requireRecentAuthenticationForEnvironments(actor, read.environments, {
    clock: context.clock,
    action: 'rotate an API token for live',
  });
  return createOnce(context, actor, call, {
    newId: () => newId('apiToken'),
    idOf: ({ token }) => token._id,
    find: (id) => findCreatedToken(context, team._id, id),
    async create(reserveId) {
      requireActive(read, new Date(context.clock.now()));
      await requireNoSuccessor(context, read);
      const id = read.rotated_to ?? (await reserveId());
      const old = await changeAudited(
        context,
        context.tokens,
        { _id: read._id, team_id: team._id },
        (before, now) => {
          // An earlier request was interrupted, or a concurrent one has the same idempotency key.
          if (before.rotated_to === id) return before;
          if (before.rotated_to !== null) throw alreadyRotated(before.rotated_to);
          requireActive(before, now);
          return rotated(before, id, overlap_s * SECOND_MS, now);
        },
        tokenEntry('token.rotated', actorAuthor(actor), context.clock),
      );
      return insertSuccessor(context, actor, issuer, { old, id });
    },
  });
}

/** The successor has the rights of the token, and its credential is returned to the actor. */
function requireMayRotate(team: Team, actor: Actor, token: ApiToken, issuer: ApiToken | null): void {
  if (token._id === issuer?._id) return;
  requireRole(team, actor, 'admin', 'rotate API tokens');
  const limits = { ...token, expires_at: successorExpiry(token) };
  const exceeded = limitErrors(limits, issuer).map(({ pointer }) => pointer?.slice(1));
  if (exceeded.length === 0) return;
  throw new Problem(
    'forbidden',
    `You cannot rotate this API token: it is less limited than your own in ${exceeded.join(', ')}.`,
  );
}

/** Throws `conflict` unless the token is active, and one of the team. */
function requireActive(token: ApiToken, now: Date): void {
  if (token.acts_for !== null)
    throw new Problem('conflict', 'The token of a login cannot be rotated. Log in again instead.');
  const status = statusOf(token, now);
  if (status === 'active') return;
  throw new Problem(
    'conflict',
    `The API token is ${status}. Only an active one can be rotated. Create another one instead.`,
  );
}

/** Throws `conflict` if the token was rotated. The successor of an interrupted rotation is missing. */
async function requireNoSuccessor({ tokens }: Context, { team_id, rotated_to }: ApiToken): Promise<void> {
  if (rotated_to !== null && (await tokens.find(team_id, rotated_to))) throw alreadyRotated(rotated_to);
}

async function insertSuccessor(
  context: Context,
  actor: Actor,
  issuer: ApiToken | null,
  { old, id }: { old: ApiToken; id: string },
): Promise<TokenWithSecret> {
  const { name, role, environments, allowed_cidrs, created_by } = old;
  const inherited = { name, role, environments, allowed_cidrs, created_by, expires_at: successorExpiry(old) };
  const created_by_token = issuer?._id ?? old.created_by_token;
  try {
    return await insertToken(context, actor, issuer, { ...inherited, created_by_token, _id: id });
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
