/** A mail as the inbox shows it. */
export interface ReceivedMail {
  /** Counts the mails of this inbox from 1. */
  number: number;
  receivedAt: Date;
  from: string;
  /** Recipients of the SMTP session. */
  to: string[];
  messageId: string;
  subject: string;
  text: string;
  html: string;
}
