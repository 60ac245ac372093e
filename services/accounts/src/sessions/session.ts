import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import { AUDITED_FIELDS, nullableDate, nullableText, RECORD_OPTIONS } from '@tollgate/store/schema/fields';
import { type InferRawDocType, Schema } from 'mongoose';

/** OWASP ASVS 5 §7.3: a session ends after a period without use, and after a maximum lifetime. */
const SESSION_IDLE_MS = 12 * HOUR_MS;
const SESSION_LIFETIME_MS = 7 * DAY_MS;

/** Never recent: of a session whose identity provider does not say when the person authenticated there. */
export const UNKNOWN_AUTHENTICATION_TIME = new Date(0);

const definition = {
  _id: { type: String, required: true },
  member_id: { type: String, required: true },
  team_id: { type: String, required: true },
  token_digest: { type: String, required: true },
  /** The member's `session_epoch` when the session was created. */
  epoch: { type: Number, required: true },
  address: nullableText(),
  user_agent: nullableText(),
  created_at: AUDITED_FIELDS.created_at,
  /**
   * When the member last signed in or confirmed their identity in this session. After single sign-on, when they authenticated at the
   * provider.
   */
  authenticated_at: { type: Date, required: true },
  last_used_at: { type: Date, required: true },
  expires_at: { type: Date, required: true },
  revoked_at: nullableDate(),
  outbox: AUDITED_FIELDS.outbox,
} as const;

export type Session = InferRawDocType<typeof definition>;

export const sessionSchema = new Schema(definition, { ...RECORD_OPTIONS, collection: 'sessions' });

type NewSessionFields = Pick<
  Session,
  'member_id' | 'team_id' | 'token_digest' | 'epoch' | 'address' | 'user_agent' | 'authenticated_at'
>;

export function newSession(fields: NewSessionFields, now: Date): Session {
  const expires_at = new Date(now.getTime() + SESSION_LIFETIME_MS);
  const times = { created_at: now, last_used_at: now, expires_at, revoked_at: null };
  return { ...fields, ...times, _id: newId('session'), outbox: [] };
}

export function isLive(session: Session, epoch: number, now: Date): boolean {
  const idleMs = now.getTime() - session.last_used_at.getTime();
  return (
    session.revoked_at === null &&
    session.epoch === epoch &&
    session.expires_at > now &&
    idleMs < SESSION_IDLE_MS
  );
}
