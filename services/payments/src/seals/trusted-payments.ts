import type { Logger } from '@tollgate/runtime/logger';
import type { CountUntrusted } from '@tollgate/runtime/untrusted-messages';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import type { HistorySeals } from './history-seal.ts';

/** Payments that were reported and are remembered. The oldest beyond this number may be reported again. */
const MAX_REMEMBERED = 10_000;

export interface TrustedPayments {
  /**
   * Whether this service wrote the payment as it is stored. If not, no event of it is sent and it is not settled. The
   * first time, that is counted and logged.
   */
  isTrusted(payment: PaymentDocument): boolean;
}

export function createTrustedPayments(deps: {
  seals: Pick<HistorySeals, 'distrust'>;
  countUntrusted: CountUntrusted;
  logger: Logger;
}): TrustedPayments {
  const { seals, countUntrusted, logger } = deps;
  const reported = new Set<string>();

  function report(paymentId: string, reason: string): void {
    if (reported.has(paymentId)) return;
    const [oldest] = reported;
    if (reported.size >= MAX_REMEMBERED && oldest !== undefined) reported.delete(oldest);
    reported.add(paymentId);
    countUntrusted('payment_history', reason);
    logger.error(
      { payment_id: paymentId, reason },
      'the history of a payment is not believed; the payment is not settled and its events are not sent',
    );
  }

  return {
    isTrusted(payment) {
      const distrust = seals.distrust(payment);
      if (distrust !== null) report(String(payment._id), distrust);
      return distrust === null;
    },
  };
}
