import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { findActingMember } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import type { Passkey } from './passkey.ts';

/** The member's own passkeys, oldest first. Throws `forbidden`. */
export async function listPasskeys(context: Context, actor: MemberActor): Promise<readonly Passkey[]> {
  return (await findActingMember(context, actor)).member.passkeys;
}
