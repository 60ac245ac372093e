import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';

/** OWASP ASVS 5 §7.3: a session ends after a period without use, and after a maximum lifetime. */
const SESSION_IDLE_MS = 12 * HOUR_MS;
const SESSION_LIFETIME_MS = 7 * DAY_MS;

/** Never recent: of a session whose identity provider does not say when the person authenticated there. */
export const UNKNOWN_AUTHENTICATION_TIME = new Date(0);

export interface Session {
  readonly id: string;
  readonly memberId: string;
  readonly teamId: string;
  readonly tokenDigest: string;
  /** The member's `sessionEpoch` when the session was created. */
  readonly epoch: number;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  /**
   * When the member last signed in or confirmed their identity in this session. After single sign-on, when they authenticated at the
   * provider.
   */
  readonly authenticatedAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

export interface NewSessionFields {
  memberId: string;
  teamId: string;
  tokenDigest: string;
  epoch: number;
  address: string | null;
  userAgent: string | null;
  authenticatedAt: Date;
}

export function newSession(fields: NewSessionFields, now: Date): Session {
  const expiresAt = new Date(now.getTime() + SESSION_LIFETIME_MS);
  return {
    ...fields,
    id: newId('session'),
    createdAt: now,
    lastUsedAt: now,
    expiresAt,
    revokedAt: null,
  };
}

export function isLive(session: Session, epoch: number, now: Date): boolean {
  const idleMs = now.getTime() - session.lastUsedAt.getTime();
  return (
    session.revokedAt === null &&
    session.epoch === epoch &&
    session.expiresAt > now &&
    idleMs < SESSION_IDLE_MS
  );
}
