import { SANDBOX_PROCESSOR } from '@tollgate/contracts/payments/processors';
import {
  SANDBOX_PAYMENT_METHOD_PREFIX,
  SANDBOX_PAYMENT_METHODS,
  type SandboxPaymentMethod,
} from '@tollgate/contracts/payments/sandbox-payment-methods';
import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import { Problem } from '@tollgate/contracts/platform/problem';
import { type KnownFailure, newestEntry, type PaymentDocument } from '../../lifecycle/payment.ts';
import { isSettledByMember } from '../../lifecycle/payment-at-version.ts';
import type { Processor, ProcessorState } from '../processor.ts';

/** How long `pm_processor_down` is out of reach. */
export const DOWN_MS = 30 * SECOND_MS;

const CAPACITY = 50;

const PROCESSING_MS = byMethod<number>({
  pm_slow: MINUTE_MS,
  pm_fail_after_processing: 10 * SECOND_MS,
  pm_late_callback: 30 * SECOND_MS,
});

export const DECLINED: KnownFailure = { code: 'declined', message: 'The payment was declined.' };

export const SANDBOX_FAILURES = byMethod<KnownFailure>({
  pm_decline: DECLINED,
  pm_insufficient_funds: { code: 'insufficient_funds', message: 'The payer has insufficient funds.' },
  pm_fail_after_processing: { code: 'processing_error', message: 'The payment failed during processing.' },
});

/** These wait for the payer on the test page. */
const ON_PAGE: readonly string[] = [
  'pm_redirect',
  'pm_late_callback',
  'pm_duplicate_callback',
] satisfies SandboxPaymentMethod[];

/** Settles test payments according to `payment_method` (`SANDBOX_PAYMENT_METHODS`). */
export function createSandboxProcessor(options: {
  settlementDelayMs: number;
  /** Address of the payer's test page. */
  pageUrlOf(paymentId: string): string;
}): Processor {
  const { settlementDelayMs, pageUrlOf } = options;

  function waitingForPayer({ _id, expires_at }: PaymentDocument): ProcessorState {
    return {
      status: 'action_required',
      reference: referenceOf(_id),
      next_action: { type: 'redirect', url: pageUrlOf(_id) },
      // The page reports what the payer does.
      askAgainAt: expires_at,
    };
  }

  return {
    name: SANDBOX_PROCESSOR,
    isBuiltIn: true,
    assertMethod: assertTestMethod,
    firstDueAt({ payment_method, createdAt }) {
      if (isSettledByMember(SANDBOX_PROCESSOR, payment_method)) return null;
      const isOnPage = ON_PAGE.includes(payment_method ?? '');
      return isOnPage ? createdAt : new Date(createdAt.getTime() + settlementDelayMs);
    },
    async start(payment, now) {
      const method = payment.payment_method ?? '';
      if (ON_PAGE.includes(method)) return waitingForPayer(payment);
      if (method === 'pm_processor_down' && now.getTime() < payment.created_at.getTime() + DOWN_MS) {
        throw new Error('The sandbox simulates a processor that is unreachable.');
      }
      const processingMs = processingMsOf(method);
      return { status: 'processing', reference: null, askAgainAt: new Date(now.getTime() + processingMs) };
    },
    async status(payment, now) {
      if (payment.status === 'pending') return waitingForPayer(payment);
      const end = processingEnd(payment);
      if (end > now) return { status: 'processing', reference: null, askAgainAt: end };
      const failure = SANDBOX_FAILURES.get(payment.payment_method ?? '');
      return failure
        ? { status: 'failed', reference: null, failure }
        : { status: 'succeeded', reference: null, amount: payment.amount, currency: payment.currency };
    },
    async cancel() {
      return { status: 'canceled', reference: null };
    },
    capacity: () => CAPACITY,
    isAvailable: () => true,
    urlOf: () => null,
  };
}

/** How long a payment with this method is processing; 0 when it is done at once. */
export function processingMsOf(paymentMethod: string | null): number {
  return PROCESSING_MS.get(paymentMethod ?? '') ?? 0;
}

/** Callers choose the key of a look-up, so it is not an object with inherited members. */
function byMethod<Value>(values: Partial<Record<SandboxPaymentMethod, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(values));
}

/** Only payments with a page have one. */
function referenceOf(paymentId: string): string {
  return `sandbox_${paymentId.slice(-12)}`;
}

function processingEnd(payment: PaymentDocument): Date {
  const started = newestEntry(payment, 'payment.processing');
  if (!started) throw new Error(`${payment._id} is being settled but never started processing`);
  return new Date(started.occurred_at.getTime() + processingMsOf(payment.payment_method));
}

/**
 * A mistyped test value would otherwise succeed, and so would a test of failures.
 * @throws Problem `invalid-request`
 */
function assertTestMethod(paymentMethod: string): void {
  if (!paymentMethod.startsWith(SANDBOX_PAYMENT_METHOD_PREFIX)) return;
  if (Object.hasOwn(SANDBOX_PAYMENT_METHODS, paymentMethod)) return;
  const known = Object.keys(SANDBOX_PAYMENT_METHODS).join(', ');
  throw new Problem('invalid-request', 'The sandbox does not know this payment method.', {
    errors: [{ pointer: '/payment_method', code: 'invalid', detail: `This must be one of: ${known}.` }],
  });
}
