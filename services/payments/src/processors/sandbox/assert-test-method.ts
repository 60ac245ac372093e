import {
  SANDBOX_PAYMENT_METHOD_PREFIX,
  SANDBOX_PAYMENT_METHODS,
} from '@tollgate/contracts/payments/sandbox-payment-methods';
import { Problem } from '@tollgate/contracts/platform/problem';

/**
 * A mistyped test value would otherwise succeed, and so would a test of failures.
 * @throws Problem `invalid-request`
 */
export function assertTestMethod(paymentMethod: string): void {
  if (!paymentMethod.startsWith(SANDBOX_PAYMENT_METHOD_PREFIX)) return;
  if (Object.hasOwn(SANDBOX_PAYMENT_METHODS, paymentMethod)) return;
  const known = Object.keys(SANDBOX_PAYMENT_METHODS).join(', ');
  throw new Problem('invalid-request', 'The sandbox does not know this payment method.', {
    errors: [{ pointer: '/payment_method', code: 'invalid', detail: `This must be one of: ${known}.` }],
  });
}
