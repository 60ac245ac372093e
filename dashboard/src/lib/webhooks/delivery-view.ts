import type { DeliveryAttempt, DeliveryDetail, WebhookEndpoint } from '@tollgate/contracts/webhooks/webhook';

/** A delivery as its page shows it. */
export interface DeliveryView {
  delivery: Omit<DeliveryDetail, 'attempt_log'>;
  /** Newest first. */
  attempts: DeliveryAttempt[];
  /** The attempt whose bodies are shown; null before the first attempt. */
  chosen: { id: string; requestBody: string; responseBody: string | null } | null;
  /** Null when the endpoint was deleted. */
  endpoint: { status: WebhookEndpoint['status']; pausedUntil: string | null } | null;
  /** `decide`: the role suffices. `resend` and `cancel` also require a suitable delivery status. */
  may: { decide: boolean; resend: boolean; cancel: boolean };
}
