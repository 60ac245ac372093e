import type { AuditAuthor } from '@tollgate/store/audit-author';

/** Where a request comes from that carries no actor token: it acts before, or without, a session. */
export interface Origin {
  /** IP address of the person's browser, null where there is none. */
  address: string | null;
  userAgent: string | null;
  /** Of the admin request. */
  requestId: string | null;
}

/** Someone whose account is known by what they proved: a password, or the token of a link. */
export function provenAuthor(
  member: { id: string; name: string },
  origin: Origin,
  sessionId: string | null = null,
): AuditAuthor {
  return {
    actor: { type: 'member', id: member.id, name: member.name, session_id: sessionId },
    context: contextOf(origin),
  };
}

/** Nobody's: an attempt proves no identity. */
export function unprovenAuthor(origin: Origin): AuditAuthor {
  return { actor: { type: 'system', id: null, name: null, session_id: null }, context: contextOf(origin) };
}

function contextOf({ address, userAgent, requestId }: Origin): AuditAuthor['context'] {
  return { ip: address, user_agent: userAgent, request_id: requestId };
}
