import type { Actor } from '@tollgate/contracts/actor';
import type { AuditEntry } from '@tollgate/contracts/audit';

/** Who did something, and from where: these members of an audit entry. */
export type AuditAuthor = Pick<AuditEntry, 'actor' | 'context'>;

/** The member that an RPC acts as. */
export function memberAuthor(actor: Actor): AuditAuthor {
  return {
    actor: { type: 'member', id: actor.member_id, name: actor.name, session_id: actor.session_id },
    context: { ip: actor.address, user_agent: actor.user_agent, request_id: actor.request_id },
  };
}

/** The platform by itself. */
export const SYSTEM_AUTHOR: AuditAuthor = {
  actor: { type: 'system', id: null, name: null, session_id: null },
  context: { ip: null, user_agent: null, request_id: null },
};
