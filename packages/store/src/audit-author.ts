import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';

/** The members of an audit entry that describe the actor and the origin of a change. */
export type AuditAuthor = Pick<AuditEntry, 'actor' | 'context'>;

/** The author for an RPC of a member or an API token. */
export function actorAuthor(actor: Actor): AuditAuthor {
  return {
    actor:
      actor.type === 'member'
        ? { type: 'member', id: actor.member_id, name: actor.name, session_id: actor.session_id }
        : { type: 'token', id: actor.token_id, name: actor.name, session_id: null },
    context: { ip: actor.address, user_agent: actor.user_agent, request_id: actor.request_id },
  };
}

/** The author of changes that no member requested. */
export const SYSTEM_AUTHOR: AuditAuthor = {
  actor: { type: 'system', id: null, name: null, session_id: null },
  context: { ip: null, user_agent: null, request_id: null },
};
