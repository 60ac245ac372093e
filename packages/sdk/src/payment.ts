import type { Environment } from './environment.ts';
import type { Open } from './open.ts';

export type PaymentStatus = Open<'pending' | 'processing' | 'succeeded' | 'failed' | 'canceled'>;

/** Reasons that an application may give. */
export type CallerCancellationReason = 'duplicate' | 'fraudulent' | 'requested_by_customer' | 'abandoned';

/** `expired`: the payment was not settled in time. */
export type CancellationReason = Open<CallerCancellationReason | 'expired'>;

/** Who acts next on a payment that is pending. */
export type WaitingFor = Open<'processor' | 'payer' | 'member'>;

/** The person or company that pays or receives. */
export interface Party {
  name: string | null;
  /** Account identifier, for example an IBAN. */
  account: string | null;
  email: string | null;
}

/** Codes of the sandbox, Stripe, and Mollie. Other processors and members can write other codes. */
export type PaymentFailureCode = Open<
  | 'amount_not_accepted'
  | 'authentication_failed'
  | 'authentication_required'
  | 'canceled_by_processor'
  | 'card_expired'
  | 'card_not_accepted'
  | 'currency_not_supported'
  | 'declined'
  | 'insufficient_funds'
  | 'invalid_account'
  | 'invalid_card'
  | 'limit_exceeded'
  | 'mandate_not_valid'
  | 'no_method_available'
  | 'payment_expired'
  | 'payment_failed'
  | 'payment_method_not_accepted'
  | 'payment_not_accepted'
  | 'processing_error'
  | 'purpose_not_accepted'
  | 'return_url_not_accepted'
  | 'return_url_required'
  | 'suspected_fraud'
>;

export interface PaymentFailure {
  code: PaymentFailureCode;
  message: string;
}

/** What the payer must do before the payment can continue. */
export interface NextAction {
  /** `redirect`: send the payer to the URL. */
  type: Open<'redirect'>;
  url: string;
}

/** A payment as the API and webhooks return it. Later releases may add fields. */
export interface Payment {
  id: string;
  object: 'payment';
  environment: Open<Environment>;
  /** Amount in minor units, for example cents. See `toMinorUnits`. */
  amount: number;
  /** ISO 4217 currency code. */
  currency: string;
  purpose: string | null;
  /** Your own reference. */
  reference: string | null;
  payer: Party | null;
  payee: Party | null;
  /** Opaque token of the processor. */
  payment_method: string | null;
  metadata: Record<string, string> | null;
  /** `succeeded`, `failed`, and `canceled` are final. */
  status: PaymentStatus;
  /** Whether the payment can still be canceled. */
  cancelable: boolean;
  /** Incremented by one with every change. */
  version: number;
  failure: PaymentFailure | null;
  cancellation_reason: CancellationReason | null;
  /** Where the payer returns to after an action. */
  return_url: string | null;
  /** What the payer must do; null if nothing. */
  next_action: NextAction | null;
  /**
   * Who acts next on a `pending` payment: its `processor`, which may still request an action, the `payer`, or a `member` who settles it,
   * so that no action follows. Null in any other status.
   */
  waiting_for: WaitingFor | null;
  processor: string;
  /** The processor's own id of the payment; null until it reports one. */
  processor_reference: string | null;
  /** When the payment is canceled if it is still pending (RFC 3339). */
  expires_at: string;
  created_at: string;
  updated_at: string;
  succeeded_at: string | null;
  failed_at: string | null;
  canceled_at: string | null;
  /** Time of a request to cancel that the processor had to confirm; null if there was none. */
  cancellation_requested_at: string | null;
  /** When the personal data was erased: your own fields are null since then. Null if it was not. */
  erased_at: string | null;
}

/** A payer or payee in a request. */
export interface PartyInput {
  name?: string | null | undefined;
  account?: string | null | undefined;
  email?: string | null | undefined;
}

export interface CreatePaymentParams {
  /** Amount in minor units, for example cents. See `toMinorUnits`. */
  amount: number;
  /** ISO 4217 currency code, in any case. */
  currency: string;
  purpose?: string | null | undefined;
  /** Your own reference, searchable in the dashboard. */
  reference?: string | null | undefined;
  payer?: PartyInput | null | undefined;
  payee?: PartyInput | null | undefined;
  /** Opaque token of the processor. Never a card number. */
  payment_method?: string | null | undefined;
  /** Where the payer returns to after an action: https, or in the sandbox also http on localhost. */
  return_url?: string | null | undefined;
  /** Your own key-value pairs. */
  metadata?: Record<string, string> | null | undefined;
}

export interface CancelPaymentParams {
  cancellation_reason?: CallerCancellationReason | null | undefined;
}
