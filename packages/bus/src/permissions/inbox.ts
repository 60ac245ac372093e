const USER_NAME = /^[A-Za-z0-9_-]+$/;

/**
 * Prefix of the subjects on which a NATS user receives replies. Each user has its own, so that no process can read
 * replies for another. A name that cannot be part of a subject has the client's default.
 */
export function inboxPrefix(user: string | undefined): string {
  return user !== undefined && USER_NAME.test(user) ? `_INBOX_${user}` : '_INBOX';
}

/** Whether a message to this subject reaches an inbox: of a user, or of a client without a user. */
export function isInbox(subject: string): boolean {
  return subject.startsWith('_INBOX.') || subject.startsWith('_INBOX_');
}

/** All subjects of the user's inbox. */
export function inboxOf(user: string): string {
  return `_INBOX_${user}.>`;
}
