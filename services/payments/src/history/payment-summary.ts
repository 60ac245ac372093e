import { PAYMENT_STATUSES, type PaymentStatus } from '@tollgate/contracts/payments/payment';
import { MAX_SUMMARY_FAILURES, type PaymentSummary } from '@tollgate/contracts/payments/payment-history';
import type { CountedRow } from '../totals/counted-payments.ts';

type Currencies = PaymentSummary['currencies'];
type Bucket = PaymentSummary['buckets'][number];

/**
 * The counted parts of a summary. `currency` is the currency of the bucket amounts; null selects the most frequent one.
 */
export function summaryOf(
  counted: CountedRow[],
  starts: Date[],
  currency: string | null,
): Pick<PaymentSummary, 'statuses' | 'currencies' | 'failures' | 'currency' | 'buckets'> {
  const { statuses, currencies } = totalsOf(counted);
  const shown = currency ?? currencies[0]?.currency ?? null;
  return {
    statuses,
    currencies,
    failures: failuresOf(counted),
    currency: shown,
    buckets: bucketsOf(counted, starts, shown),
  };
}

/** What a summary compares with the period before. */
export function totalsOf(counted: CountedRow[]): Pick<PaymentSummary, 'statuses' | 'currencies'> {
  return { statuses: statusesOf(counted), currencies: currenciesOf(counted) };
}

function statusesOf(counted: CountedRow[]): Record<PaymentStatus, number> {
  const statuses = Object.fromEntries(PAYMENT_STATUSES.map((status) => [status, 0])) as Record<
    PaymentStatus,
    number
  >;
  for (const { status, payments } of counted) statuses[status] += payments;
  return statuses;
}

/** Most frequent first. */
function currenciesOf(counted: CountedRow[]): Currencies {
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

/** Most frequent first. */
function failuresOf(counted: CountedRow[]): PaymentSummary['failures'] {
  const failures = new Map<string, number>();
  for (const { failure_code, payments } of counted) {
    if (failure_code !== null) failures.set(failure_code, (failures.get(failure_code) ?? 0) + payments);
  }
  return [...failures]
    .map(([code, payments]) => ({ code, payments }))
    .sort((a, b) => b.payments - a.payments || (a.code < b.code ? -1 : 1))
    .slice(0, MAX_SUMMARY_FAILURES);
}

function bucketsOf(counted: CountedRow[], starts: Date[], currency: string | null): Bucket[] {
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
