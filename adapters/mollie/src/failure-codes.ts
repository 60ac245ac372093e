import type { PaymentFailureCode } from '@tollgate/contracts/payments/payment-failure-code';
import { ADAPTER_LIMITS, type ProcessorFailure } from '@tollgate/processor-adapter/contract/payment-state';

/** The codes of failed payments and of rejections, with the message that a caller may show to the payer. README.md lists them. */
export const FAILURES = {
  declined: 'The payment was declined.',
  insufficient_funds: 'The payer has insufficient funds.',
  card_expired: 'The card has expired.',
  invalid_card: 'The card details are not correct.',
  card_not_accepted: 'The card cannot be used for this payment.',
  invalid_account: 'The bank account cannot be debited.',
  mandate_not_valid: 'The mandate for this payment is not valid.',
  authentication_required: 'The payment requires an authentication by the payer.',
  authentication_failed: 'The payer was not authenticated.',
  suspected_fraud: 'The payment was declined as a suspected fraud.',
  payment_failed: 'The payment failed.',
  return_url_required: 'A payment without payment_method requires a return_url.',
  return_url_not_accepted: 'Mollie does not accept the return_url.',
  payment_method_not_accepted: 'Mollie does not accept the payment_method.',
  amount_not_accepted: 'Mollie does not accept the amount or the currency.',
  purpose_not_accepted: 'Mollie does not accept the purpose.',
  no_method_available: 'No payment method of the Mollie account accepts this payment.',
  payment_not_accepted: 'Mollie does not accept the payment.',
} as const satisfies Partial<Record<PaymentFailureCode, string>>;
type FailureCode = keyof typeof FAILURES;

/** Reasons of a failed payment: `details.failureReason`, `statusReason.code`, and `details.bankReasonCode` (SEPA). */
export const FAILURE_REASONS: Readonly<Record<string, FailureCode>> = {
  authentication_abandoned: 'authentication_failed',
  authentication_failed: 'authentication_failed',
  authentication_required: 'authentication_required',
  authentication_unavailable_acs: 'authentication_failed',
  card_declined: 'declined',
  card_expired: 'card_expired',
  inactive_card: 'card_not_accepted',
  insufficient_funds: 'insufficient_funds',
  invalid_cvv: 'invalid_card',
  invalid_card_holder_name: 'invalid_card',
  invalid_card_number: 'invalid_card',
  invalid_card_type: 'card_not_accepted',
  possible_fraud: 'suspected_fraud',
  refused_by_issuer: 'declined',
  unknown_reason: 'payment_failed',
  do_not_honor: 'declined',
  expired_card: 'card_expired',
  suspected_fraud: 'suspected_fraud',
  AC01: 'invalid_account',
  AC04: 'invalid_account',
  AC06: 'invalid_account',
  AG01: 'invalid_account',
  AM04: 'insufficient_funds',
  MD01: 'mandate_not_valid',
  MD06: 'declined',
  MS02: 'declined',
  MS03: 'payment_failed',
};

/** Fields that Mollie names in an error. Of `amount.currency`, the first part counts. */
export const REJECTED_FIELDS: Readonly<Record<string, FailureCode>> = {
  amount: 'amount_not_accepted',
  description: 'purpose_not_accepted',
  redirectUrl: 'return_url_not_accepted',
  cancelUrl: 'return_url_not_accepted',
  customerId: 'payment_method_not_accepted',
  mandateId: 'payment_method_not_accepted',
  sequenceType: 'payment_method_not_accepted',
  method: 'no_method_available',
};

export function failure(code: FailureCode): ProcessorFailure {
  return { code, message: FAILURES[code] };
}

/** @param reason as Mollie gives it; null when Mollie gives none */
export function failureOfReason(reason: string | null): ProcessorFailure {
  return failure(codeOf(FAILURE_REASONS, reason) ?? 'payment_failed');
}

/** @param detail Mollie's explanation, which the caller needs in order to change the payment */
export function failureOfField(field: string | undefined, detail: string): ProcessorFailure {
  const { code, message } = failure(
    codeOf(REJECTED_FIELDS, field?.split('.')[0] ?? null) ?? 'payment_not_accepted',
  );
  return { code, message: `${message} ${detail}`.slice(0, ADAPTER_LIMITS.failureMessage) };
}

function codeOf(table: Readonly<Record<string, FailureCode>>, name: string | null): FailureCode | null {
  return name !== null && Object.hasOwn(table, name) ? (table[name] ?? null) : null;
}
