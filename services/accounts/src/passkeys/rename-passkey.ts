import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { findPasskey, withChangedPasskey } from './member-passkeys.ts';
import type { Passkey } from './passkey.ts';

/** Throws `forbidden`, `not-found`, `invalid-request`. */
export async function renamePasskey(
  context: Context,
  actor: MemberActor,
  { passkeyId, ...request }: { passkeyId: string; name: string },
): Promise<Passkey> {
  const { member } = await findActingMember(context, actor);
  const name = parseName(request.name);
  const author = actorAuthor(actor);
  const renamed = await changeMember(
    context,
    { teamId: member.teamId, memberId: member.id },
    (before, now) => {
      const passkey = findPasskey(before, passkeyId);
      if (passkey.name === name) return { after: before, audit: [] };
      const after = withChangedPasskey(before, passkeyId, { name }, now);
      const changes = { name: { before: passkey.name, after: name } };
      return { after, audit: [memberAuditEntry('member.passkey_renamed', author, after, now, changes)] };
    },
  );
  return findPasskey(renamed, passkeyId);
}
