import type {
  DeliveryAttempt,
  DeliveryAttemptDetail,
  DeliveryDetail,
  WebhookEndpoint,
} from '@tollgate/contracts/webhooks/webhook';

/** A delivery as its page shows it. */
export interface DeliveryView {
  delivery: Omit<DeliveryDetail, 'attempt_log'>;
  /** Newest first. */
  attempts: DeliveryAttempt[];
  /** The attempt whose bodies are shown; null before the first attempt. */
  chosen: DeliveryAttemptDetail | null;
  /** Null when the endpoint was deleted. */
  endpoint: WebhookEndpoint | null;
  /** `decide`: the role suffices. `resend` and `cancel` also require a suitable delivery status. */
  may: { decide: boolean; resend: boolean; cancel: boolean };
}
