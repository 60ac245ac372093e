import type { PaymentSummary } from '@tollgate/contracts/payment-history';

/** The figures at the top of the home page. */
export interface PeriodFigures {
  payments: number;
  succeeded: number;
  failed: number;
  /** Pending or processing. */
  open: number;
  /** Of the payments that succeeded or failed, 0 to 1; null without any. Canceled payments do not count as failures. */
  successRate: number | null;
  /** Minor units of the summary's currency; null when no payment has a currency. */
  volume: { amount: number; currency: string } | null;
}

export function periodFigures({ statuses, currencies, currency }: PaymentSummary): PeriodFigures {
  const { pending = 0, processing = 0, succeeded = 0, failed = 0, canceled = 0 } = statuses;
  const ended = succeeded + failed;
  const ofCurrency = currencies.find((entry) => entry.currency === currency);
  return {
    payments: ended + pending + processing + canceled,
    succeeded,
    failed,
    open: pending + processing,
    successRate: ended === 0 ? null : succeeded / ended,
    volume: currency === null ? null : { amount: ofCurrency?.succeeded_amount ?? 0, currency },
  };
}
