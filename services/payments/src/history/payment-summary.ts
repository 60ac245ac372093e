import { PAYMENT_STATUSES, type PaymentStatus } from '@tollgate/contracts/payment';
import type { PaymentSummary } from '@tollgate/contracts/payment-history';
import type { CountedPayments } from './history-store.ts';

type Currencies = PaymentSummary['currencies'];
type Bucket = PaymentSummary['buckets'][number];

/**
 * The counted parts of a summary. `currency` is the currency of the bucket amounts; null selects the most frequent one.
 */
export function summaryOf(
  counted: CountedPayments[],
  starts: Date[],
  currency: string | null,
): Pick<PaymentSummary, 'statuses' | 'currencies' | 'currency' | 'buckets'> {
  const currencies = currenciesOf(counted);
  const shown = currency ?? currencies[0]?.currency ?? null;
  return {
    statuses: statusesOf(counted),
    currencies,
    currency: shown,
    buckets: bucketsOf(counted, starts, shown),
  };
}

function statusesOf(counted: CountedPayments[]): Record<PaymentStatus, number> {
  const statuses = Object.fromEntries(PAYMENT_STATUSES.map((status) => [status, 0])) as Record<
    PaymentStatus,
    number
  >;
  for (const { status, payments } of counted) statuses[status] += payments;
  return statuses;
}

/** Most frequent first. */
function currenciesOf(counted: CountedPayments[]): Currencies {
  const currencies = new Map<string, Currencies[number]>();
  for (const { currency, status, payments, amount } of counted) {
    const sum = currencies.get(currency) ?? { currency, payments: 0, succeeded_amount: 0 };
    sum.payments += payments;
    if (status === 'succeeded') sum.succeeded_amount += amount;
    currencies.set(currency, sum);
  }
  return [...currencies.values()].sort(
    (a, b) => b.payments - a.payments || (a.currency < b.currency ? -1 : 1),
  );
}

function bucketsOf(counted: CountedPayments[], starts: Date[], currency: string | null): Bucket[] {
  const buckets = new Map(starts.map((start) => [start.getTime(), emptyBucket(start)]));
  for (const group of counted) {
    const bucket = buckets.get(group.at.getTime());
    if (!bucket) throw new Error(`Payments were counted at ${group.at.toISOString()}, outside of the period`);
    bucket.payments += group.payments;
    if (group.status === 'failed') bucket.failed += group.payments;
    if (group.status !== 'succeeded') continue;
    bucket.succeeded += group.payments;
    if (group.currency === currency) bucket.succeeded_amount += group.amount;
  }
  return [...buckets.values()];
}

function emptyBucket(start: Date): Bucket {
  return { at: start.toISOString(), payments: 0, succeeded: 0, failed: 0, succeeded_amount: 0 };
}
