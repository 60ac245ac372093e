import type { AuditAuthor } from '@tollgate/store/audit-author';

/** Origin of a request without an actor token: one that precedes a session or does without. */
export interface Origin {
  /** IP address of the person's browser; null when unknown. */
  address: string | null;
  user_agent: string | null;
  /** Id of the admin request. */
  request_id: string | null;
}

/** The author of an action who proved their identity with a password or the token of a link. */
export function provenAuthor(
  member: { _id: string; name: string },
  origin: Origin,
  sessionId: string | null = null,
): AuditAuthor {
  return {
    actor: { type: 'member', id: member._id, name: member.name, session_id: sessionId },
    context: contextOf(origin),
  };
}

/** No identity: an attempt proves none. */
export function unprovenAuthor(origin: Origin): AuditAuthor {
  return { actor: { type: 'system', id: null, name: null, session_id: null }, context: contextOf(origin) };
}

/** The identity provider of a team, which decides roles. */
export function identityProviderAuthor(origin: Origin): AuditAuthor {
  return {
    actor: { type: 'system', id: null, name: 'Identity provider', session_id: null },
    context: contextOf(origin),
  };
}

/** The operator of the installation, who acts on the server instead of in a session. */
export const OPERATOR_AUTHOR: AuditAuthor = {
  actor: { type: 'system', id: null, name: 'Operator', session_id: null },
  context: { ip: null, user_agent: null, request_id: null },
};

function contextOf({ address, user_agent, request_id }: Origin): AuditAuthor['context'] {
  return { ip: address, user_agent, request_id };
}
