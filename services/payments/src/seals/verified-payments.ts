import type { Logger } from '@tollgate/runtime/logger';
import type { CountUnverified } from '@tollgate/runtime/unverified-messages';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import type { HistorySeals } from './history-seal.ts';

/** Payments that were reported and are remembered. The oldest beyond this number may be reported again. */
const MAX_REMEMBERED = 10_000;

export type VerifiedPayments = ReturnType<typeof createVerifiedPayments>;

export function createVerifiedPayments(deps: {
  seals: Pick<HistorySeals, 'verify'>;
  countUnverified: CountUnverified;
  logger: Logger;
}) {
  const { seals, countUnverified, logger } = deps;
  const reported = new Set<string>();

  function report(paymentId: string, reason: string): void {
    if (reported.has(paymentId)) return;
    const [oldest] = reported;
    if (reported.size >= MAX_REMEMBERED && oldest !== undefined) reported.delete(oldest);
    reported.add(paymentId);
    countUnverified('payment_history', reason);
    logger.error(
      { payment_id: paymentId, reason },
      'the history of a payment fails verification; the payment is not settled and its events are not sent',
    );
  }

  return {
    /**
     * Whether this service wrote the payment as it is stored. If not, no event of it is sent and it is not settled. The
     * first time, that is counted and logged.
     */
    isVerified(payment: PaymentDocument): boolean {
      const fault = seals.verify(payment);
      if (fault !== null) report(String(payment._id), fault);
      return fault === null;
    },
  };
}
