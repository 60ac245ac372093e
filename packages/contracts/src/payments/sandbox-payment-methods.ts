/**
 * What the built-in sandbox processor does with a test payment, by `payment_method`. It rejects any other value that starts
 * with `pm_`, which is probably mistyped. All other values succeed.
 */
export const SANDBOX_PAYMENT_METHODS = {
  pm_succeed: 'Succeeds.',
  pm_decline: 'Fails with `declined`.',
  pm_insufficient_funds: 'Fails with `insufficient_funds`.',
  pm_hold: 'Stays pending until it is canceled, expires, or an outcome is simulated.',
  pm_slow: 'Is processing for a minute, then succeeds.',
  pm_fail_after_processing: 'Is processing for ten seconds, then fails with `processing_error`.',
  pm_redirect: 'Sends the payer to a test page with Pay, Decline, and Close.',
  pm_late_callback: 'As `pm_redirect`, but the outcome arrives 30 seconds after the payer has paid.',
  pm_duplicate_callback:
    'As `pm_redirect`, but the processor reports the outcome twice. Nothing happens the second time.',
  pm_processor_down: 'The processor is unreachable for 30 seconds. Then the payment succeeds.',
} as const;
export type SandboxPaymentMethod = keyof typeof SANDBOX_PAYMENT_METHODS;
export const SANDBOX_PAYMENT_METHOD_PREFIX = 'pm_';

/** Path of the payer's test page on the sandbox listener of the gateway. */
export const SANDBOX_PAGE_PATH = '/sandbox/pay/:token';
