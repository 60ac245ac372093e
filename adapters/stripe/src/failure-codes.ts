import type { PaymentFailureCode } from '@tollgate/contracts/payments/payment-failure-code';
import { PaymentRejected } from '@tollgate/processor-adapter/adapter';
import type { ProcessorFailure } from '@tollgate/processor-adapter/contract/payment-state';

/** Our codes, with messages that callers may show to the payer. */
export const FAILURES = {
  amount_not_accepted: 'The processor does not accept this amount in this currency.',
  authentication_failed: 'The payer could not be authenticated.',
  authentication_required: 'The bank requires that the payer authenticates.',
  card_expired: 'The card has expired.',
  card_not_accepted: 'The card does not support this payment.',
  currency_not_supported: 'The processor does not support this currency.',
  declined: 'The payment was declined.',
  insufficient_funds: 'The account has insufficient funds.',
  invalid_account: 'The account is closed or cannot be debited.',
  invalid_card: 'The card details are incorrect.',
  limit_exceeded: 'The payment exceeds a limit of the card or account.',
  mandate_not_valid: 'The mandate for the debit is not valid.',
  payment_expired: 'The payment expired before it could start.',
  payment_failed: 'The payment failed.',
  payment_method_not_accepted: 'The processor does not accept this payment method.',
  processing_error: 'The payment could not be processed.',
  purpose_not_accepted: 'The processor does not accept this purpose.',
  return_url_not_accepted: 'The processor does not accept this return URL.',
  return_url_required: 'The payer chooses how to pay on a page of the processor. Set return_url.',
  // The payer must not learn that the card was reported: https://docs.stripe.com/declines/codes
  suspected_fraud: 'The payment was declined.',
} as const satisfies Partial<Record<PaymentFailureCode, string>>;
export type FailureCode = keyof typeof FAILURES;

/** Stripe's decline codes and error codes of a failed payment. README.md has the same table. */
export const DECLINES: Readonly<Record<string, FailureCode>> = {
  account_closed: 'invalid_account',
  approve_with_id: 'declined',
  authentication_not_handled: 'authentication_required',
  authentication_required: 'authentication_required',
  bank_account_closed: 'invalid_account',
  bank_account_restricted: 'invalid_account',
  call_issuer: 'declined',
  card_decline_rate_limit_exceeded: 'limit_exceeded',
  card_declined: 'declined',
  card_not_supported: 'card_not_accepted',
  card_velocity_exceeded: 'limit_exceeded',
  currency_not_supported: 'card_not_accepted',
  debit_not_authorized: 'mandate_not_valid',
  do_not_honor: 'declined',
  do_not_try_again: 'declined',
  duplicate_transaction: 'declined',
  expired_card: 'card_expired',
  fraudulent: 'suspected_fraud',
  generic_decline: 'declined',
  highest_risk_level: 'suspected_fraud',
  incorrect_address: 'invalid_card',
  incorrect_cvc: 'invalid_card',
  incorrect_number: 'invalid_card',
  incorrect_pin: 'invalid_card',
  incorrect_zip: 'invalid_card',
  insufficient_funds: 'insufficient_funds',
  invalid_account: 'invalid_account',
  invalid_amount: 'limit_exceeded',
  invalid_cvc: 'invalid_card',
  invalid_expiry_month: 'invalid_card',
  invalid_expiry_year: 'invalid_card',
  invalid_number: 'invalid_card',
  invalid_pin: 'invalid_card',
  issuer_not_available: 'processing_error',
  lost_card: 'suspected_fraud',
  merchant_blacklist: 'suspected_fraud',
  mobile_device_authentication_required: 'authentication_required',
  new_account_information_available: 'declined',
  no_account: 'invalid_account',
  no_action_taken: 'declined',
  not_permitted: 'card_not_accepted',
  offline_pin_required: 'authentication_required',
  online_or_offline_pin_required: 'authentication_required',
  payment_intent_authentication_failure: 'authentication_failed',
  payment_intent_mandate_invalid: 'mandate_not_valid',
  payment_intent_payment_attempt_expired: 'authentication_failed',
  payment_intent_payment_attempt_failed: 'payment_failed',
  payment_method_customer_decline: 'declined',
  payment_method_provider_decline: 'declined',
  payment_method_provider_timeout: 'processing_error',
  payment_method_not_available: 'processing_error',
  pickup_card: 'suspected_fraud',
  pin_try_exceeded: 'limit_exceeded',
  previously_declined_do_not_retry: 'declined',
  processing_error: 'processing_error',
  reenter_transaction: 'processing_error',
  restricted_card: 'suspected_fraud',
  revocation_of_all_authorizations: 'declined',
  revocation_of_authorization: 'declined',
  security_violation: 'declined',
  service_not_allowed: 'card_not_accepted',
  stolen_card: 'suspected_fraud',
  stop_payment_order: 'declined',
  testmode_decline: 'declined',
  transaction_not_allowed: 'card_not_accepted',
  try_again_later: 'processing_error',
  withdrawal_count_limit_exceeded: 'limit_exceeded',
};

/**
 * Error codes with which Stripe does not accept a payment. Any other error decides nothing: it can be about
 * the account, the API key, or the adapter.
 */
export const REJECTED_CODES: Readonly<Record<string, FailureCode>> = {
  amount_too_large: 'amount_not_accepted',
  amount_too_small: 'amount_not_accepted',
  payment_intent_incompatible_payment_method: 'payment_method_not_accepted',
  payment_method_currency_mismatch: 'currency_not_supported',
  payment_method_invalid_parameter: 'payment_method_not_accepted',
  payment_method_unactivated: 'payment_method_not_accepted',
  payment_method_unexpected_state: 'payment_method_not_accepted',
  payment_method_unsupported_type: 'payment_method_not_accepted',
  url_invalid: 'return_url_not_accepted',
};

/** The same, by the last part of the parameter that the error is about. They depend on what the caller sent. */
export const REJECTED_PARAMS: Readonly<Record<string, FailureCode>> = {
  amount: 'amount_not_accepted',
  cancel_url: 'return_url_not_accepted',
  currency: 'currency_not_supported',
  description: 'purpose_not_accepted',
  expires_at: 'payment_expired',
  name: 'purpose_not_accepted',
  payment_method: 'payment_method_not_accepted',
  return_url: 'return_url_not_accepted',
  success_url: 'return_url_not_accepted',
  unit_amount: 'amount_not_accepted',
};

function failure(code: FailureCode): ProcessorFailure {
  return { code, message: FAILURES[code] };
}

export function rejected(code: FailureCode): PaymentRejected {
  return new PaymentRejected(failure(code));
}

/** The decline code says more than the error code, if the issuer gave a reason. */
export function declineFailure(
  error: { code?: string | undefined; decline_code?: string | undefined } | null,
): ProcessorFailure {
  return failure(codeIn(DECLINES, error?.decline_code) ?? codeIn(DECLINES, error?.code) ?? 'payment_failed');
}

/** Null for an error that decides nothing. */
export function rejectionOf(error: { code: string | null; param: string | null }): PaymentRejected | null {
  const param = /(\w+)\]?$/.exec(error.param ?? '')?.[1];
  const code = codeIn(REJECTED_CODES, error.code) ?? codeIn(REJECTED_PARAMS, param);
  return code ? rejected(code) : null;
}

function codeIn(
  table: Readonly<Record<string, FailureCode>>,
  key: string | null | undefined,
): FailureCode | undefined {
  return key && Object.hasOwn(table, key) ? table[key] : undefined;
}
