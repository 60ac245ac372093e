import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type * as contract from '@tollgate/contracts/accounts/rpc';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import { changeOwnAccount } from '../members/change-own-account.ts';
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
  const renamed = await changeOwnAccount(
    context,
    actor,
    'member.passkey_renamed',
    (before, now) =>
      findPasskey(before, passkey_id).name === name
        ? before
        : changedMember(before, { passkeys: withPasskey(before, passkey_id, { name }) }, now),
    (before) => ({ name: { before: findPasskey(before, passkey_id).name, after: name } }),
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
  await changeOwnAccount(
    context,
    actor,
    'member.passkey_removed',
    (before, now) => {
      const removed = findPasskey(before, passkey_id);
      const passkeys = before.passkeys.filter((passkey) => passkey !== removed);
      return requireFactorLeft(team, withoutFactor(before, { passkeys }, now));
    },
    (before) => ({ name: { before: findPasskey(before, passkey_id).name, after: null } }),
  );
}
