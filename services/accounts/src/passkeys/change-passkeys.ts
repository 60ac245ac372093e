import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type * as contract from '@tollgate/contracts/accounts/rpc';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import { findActingMember, ownAccount } from '../access/acting-member.ts';
import { memberEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changedMember, withoutFactor } from '../members/member.ts';
import { requirePassword } from '../passwords/require-password.ts';
import { requireFactorLeft } from '../second-factor/second-factor.ts';
import { findPasskey, withPasskey } from './member-passkeys.ts';
import type { Passkey } from './passkey.ts';

/** Throws `forbidden`, `not-found`, `invalid-request`. */
export async function renamePasskey(
  context: Context,
  actor: MemberActor,
  { passkey_id, ...request }: Static<typeof contract.renamePasskey.request>,
): Promise<Passkey> {
  await findActingMember(context, actor);
  const name = parseName(request.name);
  const renamed = await changeAudited(
    context,
    context.members,
    ownAccount(actor),
    (before, now) =>
      findPasskey(before, passkey_id).name === name
        ? before
        : changedMember(before, { passkeys: withPasskey(before, passkey_id, { name }) }, now),
    memberEntry('member.passkey_renamed', actorAuthor(actor), (before) => ({
      name: { before: findPasskey(before, passkey_id).name, after: name },
    })),
  );
  return findPasskey(renamed, passkey_id);
}

/**
 * Throws `forbidden`, `not-found`, `invalid-request`, `too-many-attempts`, and `conflict` for the last second factor of a team
 * that requires one.
 */
export async function deletePasskey(
  context: Context,
  actor: MemberActor,
  { passkey_id, current_password }: Static<typeof contract.deletePasskey.request>,
): Promise<void> {
  const { member, team } = await findActingMember(context, actor);
  findPasskey(member, passkey_id);
  await requirePassword(context, actor, member, current_password);
  await changeAudited(
    context,
    context.members,
    ownAccount(actor),
    (before, now) => {
      const removed = findPasskey(before, passkey_id);
      const passkeys = before.passkeys.filter((passkey) => passkey !== removed);
      return requireFactorLeft(team, withoutFactor(before, { passkeys }, now));
    },
    memberEntry('member.passkey_removed', actorAuthor(actor), (before) => ({
      name: { before: findPasskey(before, passkey_id).name, after: null },
    })),
  );
}
