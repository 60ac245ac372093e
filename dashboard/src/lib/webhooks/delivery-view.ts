import type { DeliveryAttempt, DeliveryDetail, WebhookEndpoint } from '@tollgate/contracts/webhook';

/** A delivery as its page shows it. */
export interface DeliveryView {
  delivery: Omit<DeliveryDetail, 'attempt_log'>;
  /** Newest first. */
  attempts: DeliveryAttempt[];
  /** The attempt whose bodies were read; null before the first one. */
  chosen: { id: string; requestBody: string; responseBody: string | null } | null;
  /** Null when it was deleted. */
  endpoint: { status: WebhookEndpoint['status']; pausedUntil: string | null } | null;
  /** `decide`: the role suffices; the others say whether there is something to decide, too. */
  may: { decide: boolean; resend: boolean; cancel: boolean };
}
