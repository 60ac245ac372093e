import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { ownAccount } from '../access/acting-member.ts';
import { memberEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Member } from './member.ts';

/** Changes the account of the actor, with an audit entry. Throws `not-found`, `conflict`, and whatever `decide` throws. */
export function changeOwnAccount(
  context: Context,
  actor: MemberActor,
  action: AuditAction,
  decide: (before: Member, now: Date) => Member | Promise<Member>,
  changesOf?: (before: Member, after: Member) => AuditEntry['changes'],
): Promise<Member> {
  const entry = memberEntry(action, actorAuthor(actor), changesOf);
  return changeAudited(context, context.members, ownAccount(actor), decide, entry);
}
