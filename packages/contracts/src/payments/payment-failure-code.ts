import { TextOfPattern } from '../platform/schema.ts';

/** Codes of the sandbox and of the adapters in this repository. Members and other adapters may write any other code. */
export const PAYMENT_FAILURE_CODES = [
  'amount_not_accepted',
  'authentication_failed',
  'authentication_required',
  'canceled_by_processor',
  'card_expired',
  'card_not_accepted',
  'currency_not_supported',
  'declined',
  'insufficient_funds',
  'invalid_account',
  'invalid_card',
  'limit_exceeded',
  'mandate_not_valid',
  'no_method_available',
  'payment_expired',
  'payment_failed',
  'payment_method_not_accepted',
  'payment_not_accepted',
  'processing_error',
  'purpose_not_accepted',
  'return_url_not_accepted',
  'return_url_required',
  'suspected_fraud',
] as const;
export type PaymentFailureCode = (typeof PAYMENT_FAILURE_CODES)[number];

/** Any code of a failure, also one that a member or another adapter wrote. */
export const FailureCode = TextOfPattern(
  '^[a-z][a-z0-9_]{0,63}$',
  'This must start with a lowercase letter and have only lowercase letters, digits, and underscores.',
);
