const USER_NAME = /^[A-Za-z0-9_-]+$/;

/**
 * Prefix of the subjects on which a NATS user receives replies. Each user has its own, so that no process can read
 * replies for another. Undefined, which means the client's default, for a name that cannot be part of a subject.
 */
export function inboxPrefix(user: string | undefined): string | undefined {
  return user !== undefined && USER_NAME.test(user) ? `_INBOX_${user}` : undefined;
}

/** All subjects of the user's inbox. */
export function inboxOf(user: string): string {
  return `_INBOX_${user}.>`;
}
