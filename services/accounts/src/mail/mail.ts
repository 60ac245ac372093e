import type { AuditEntry } from '@tollgate/contracts/audit';
import type { Origin } from '../origin.ts';

/**
 * What a mail is about. The address of the recipient, the text, and the links are looked up when it is sent: a waiting mail
 * contains no secret and is never about something that has changed since.
 */
export type MailTopic =
  /** Something that the audit log records. The recipient is a member, or null for the invited person. */
  | { type: 'audit-entry'; entry: AuditEntry; memberId: string | null }
  /** A person who entered this email asks for a new password. Nothing proves yet that there is an account. */
  | { type: 'password-reset'; email: string; origin: Origin };

/** A mail that waits to be sent. */
export interface Mail {
  readonly id: string;
  readonly topic: MailTopic;
  readonly createdAt: Date;
  /** Attempts to send it, with the current one. */
  readonly attempts: number;
}

/** `dropped`: what the mail is about is no longer true, or the recipient has left. */
export type MailOutcome = 'sent' | 'failed' | 'dropped';
