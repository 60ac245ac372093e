import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { Origin } from '../origin.ts';

/** Something that the audit log records. The recipient is a member, or null for the invited person. */
export interface AuditEntryTopic {
  type: 'audit-entry';
  entry: AuditEntry;
  member_id: string | null;
}

/**
 * What a mail is about. The address of the recipient, the text, and the links are looked up when it is sent: a waiting mail
 * contains no secret and is never about something that has changed since.
 */
export type MailTopic =
  | AuditEntryTopic
  /** A person who entered this email asks for a new password. Nothing proves yet that there is an account. */
  | { type: 'password-reset'; email: string; origin: Origin };
