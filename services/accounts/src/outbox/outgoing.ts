/** A message that waits to be sent. */
export interface Outgoing<Topic> {
  readonly id: string;
  /** What it is about. Its text and its secrets are looked up when it is sent. */
  readonly topic: Topic;
  readonly createdAt: Date;
  /** Attempts to send it, with the current one. */
  readonly attempts: number;
}

/** `dropped`: what the message is about is no longer true, or the recipient has left. */
export type OutgoingOutcome = 'sent' | 'failed' | 'dropped';
