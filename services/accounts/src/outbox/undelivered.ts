/** Thrown when a message was not delivered for a reason that concerns no other message. The text is for people. */
export class Undelivered extends Error {
  /** Whether no repetition can deliver it. */
  readonly isPermanent: boolean;
  /** How long the receiver asks to wait; null when it does not. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    { isPermanent, retryAfterMs = null }: { isPermanent: boolean; retryAfterMs?: number | null },
  ) {
    super(message);
    this.isPermanent = isPermanent;
    this.retryAfterMs = retryAfterMs;
  }
}
