import { PAYMENT_STATUSES } from '@tollgate/contracts/payments/payment';
import {
  MAX_SUMMARY_FAILURES,
  type PaymentSummary,
  SUMMARY_PERIODS,
  type SummaryPeriod,
} from '@tollgate/contracts/payments/payment-history';
import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPaymentSummaries } from '../src/history/summarize-payments.ts';
import type { PaymentDocument } from '../src/lifecycle/payment.ts';
import { aNewPayment } from './a-new-payment.ts';
import {
  aMember,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';

let payments: PaymentsUnderTest;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
  payments.clock.advance(DAY_MS + 12_345_678);
}, START_TIMEOUT_MS);
afterAll(() => payments.stop());

async function stored(teamId: string, some: (Partial<PaymentDocument> & { ageMs: number })[]) {
  const documents = some.map(({ ageMs, ...fields }) => ({
    ...aNewPayment({ team_id: teamId, dueAt: null, createdAt: new Date(payments.clock.now() - ageMs) }),
    ...fields,
  }));
  for (const document of documents) await payments.app.store.insert(document);
  return documents;
}

const summarize = (
  teamId: string,
  request: { period?: SummaryPeriod; currency?: string; application_id?: string },
) => payments.app.summaries.summarize(aMember(teamId), { environment: 'sandbox', ...request });

describe('the summary of a period', () => {
  const applicationId = newId('application');
  const somePayment = fc.record({
    // Up to and beyond the longest period.
    ageMs: fc.oneof(fc.nat(2 * DAY_MS), fc.nat(31 * DAY_MS)),
    status: fc.constantFrom(...PAYMENT_STATUSES),
    currency: fc.constantFrom('EUR', 'USD', 'JPY'),
    amount: fc.integer({ min: 1, max: 999_999_999_999 }),
    environment: fc.constantFrom('live' as const, 'sandbox' as const),
    application_id: fc.constantFrom(applicationId, newId('application')),
    failure: fc.option(
      fc.record({
        code: fc.constantFrom('declined', 'expired_card', 'fraud', 'lost', 'limit', 'other'),
        message: fc.constant(''),
      }),
    ),
  });

  test('the summary of a period counts every payment of the team in it once, with the same result as adding them one by one', async () => {
    const request = fc.record(
      {
        period: fc.constantFrom(...SUMMARY_PERIODS),
        currency: fc.constantFrom('EUR', 'CHF'),
        application_id: fc.constant(applicationId),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(somePayment, { maxLength: 30 }), request, async (some, asked) => {
        const teamId = newId('team');
        const documents = await stored(teamId, some);
        const summary = await summarize(teamId, asked);
        const counted = documents.filter(
          ({ created_at, environment, application_id }) =>
            environment === 'sandbox' &&
            created_at.getTime() >= Date.parse(summary.from) &&
            (asked.application_id === undefined || application_id === applicationId),
        );
        expect(summary.counted_from).toBe(summary.from);
        for (const status of PAYMENT_STATUSES) {
          expect(summary.statuses[status]).toBe(counted.filter((one) => one.status === status).length);
        }
        expect(new Set(summary.currencies.map(({ currency }) => currency))).toEqual(
          new Set(counted.map(({ currency }) => currency)),
        );
        for (const { currency, payments: count, succeeded_amount } of summary.currencies) {
          const same = counted.filter((one) => one.currency === currency);
          expect([count, succeeded_amount]).toEqual([same.length, succeededAmount(same)]);
        }
        assertMostFirst(summary.currencies);
        assertMostFirst(summary.failures);
        expect(new Map(summary.failures.map(({ code, payments: count }) => [code, count]))).toEqual(
          mostFrequentFailures(counted),
        );
        expect(summary.currency).toBe(asked.currency ?? summary.currencies[0]?.currency ?? null);
        assertBuckets(summary, counted);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  function assertMostFirst(groups: { payments: number }[]) {
    const numbers = groups.map(({ payments: count }) => count);
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
  }

  function mostFrequentFailures(documents: PaymentDocument[]): Map<string, number> {
    const codes = documents.flatMap(({ failure }) => (failure ? [failure.code] : []));
    const counts = [...new Set(codes)]
      .toSorted()
      .map((code): [string, number] => [code, codes.filter((other) => other === code).length]);
    return new Map(counts.toSorted(([, a], [, b]) => b - a).slice(0, MAX_SUMMARY_FAILURES));
  }

  function assertBuckets(
    { period, from, to, currency, buckets }: PaymentSummary,
    counted: PaymentDocument[],
  ) {
    const unitMs = period === '24h' ? HOUR_MS : DAY_MS;
    expect(buckets).toHaveLength({ '24h': 24, '7d': 7, '30d': 30 }[period]);
    expect(buckets[0]?.at).toBe(from);
    for (const [index, bucket] of buckets.entries()) {
      const start = Date.parse(bucket.at);
      expect(start % unitMs).toBe(0);
      expect(start).toBe(Date.parse(from) + index * unitMs);
      const inside = counted.filter(
        ({ created_at }) => Math.floor(created_at.getTime() / unitMs) * unitMs === start,
      );
      expect(bucket).toEqual({
        at: bucket.at,
        payments: inside.length,
        succeeded: inside.filter(({ status }) => status === 'succeeded').length,
        failed: inside.filter(({ status }) => status === 'failed').length,
        succeeded_amount: succeededAmount(inside.filter((one) => one.currency === currency)),
      });
    }
    expect(Date.parse(to)).toBe(payments.clock.now());
    expect(Date.parse(to) - Date.parse(buckets.at(-1)?.at ?? '')).toBeLessThan(unitMs);
  }

  function succeededAmount(documents: PaymentDocument[]): number {
    return documents.reduce((sum, { status, amount }) => sum + (status === 'succeeded' ? amount : 0), 0);
  }

  test.each(SUMMARY_PERIODS)(
    'the summary of a period counts the same span of the period before it, for the period of %s',
    async (period) => {
      const teamId = newId('team');
      const lengthMs = { '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS }[period];
      const { from, to } = await summarize(teamId, { period });
      const spanMs = Date.parse(to) - Date.parse(from);
      const succeeded = { status: 'succeeded', currency: 'EUR', amount: 5 } as const;
      await stored(teamId, [
        { ...succeeded, ageMs: 0 },
        // The part of the current bucket that has not elapsed has no counterpart.
        { ...succeeded, ageMs: lengthMs - 1 },
        { ...succeeded, ageMs: lengthMs },
        { ...succeeded, ageMs: lengthMs + spanMs, currency: 'USD' },
        { ...succeeded, ageMs: lengthMs + spanMs + 1 },
      ]);
      const { previous } = await summarize(teamId, { period });
      expect(previous).toMatchObject({
        statuses: { succeeded: 2 },
        currencies: [
          { currency: 'EUR', payments: 1, succeeded_amount: 5 },
          { currency: 'USD', payments: 1, succeeded_amount: 5 },
        ],
      });
    },
  );

  test('the summary of a period is computed once for all simultaneous requests, and anew for later requests', async () => {
    const teamId = newId('team');
    let made = 0;
    const { counted } = payments.app;
    const counting = {
      ...counted,
      count: (...args: Parameters<typeof counted.count>) => {
        made += 1;
        return counted.count(...args);
      },
    };
    const summaries = createPaymentSummaries({ ...payments.app, counted: counting });
    const ask = (team = teamId) => summaries.summarize(aMember(team), { environment: 'sandbox' });
    await Promise.all(Array.from({ length: 20 }, () => ask()));
    // One count of the period, and one of the period before it.
    expect(made).toBe(2);
    await Promise.all([ask(), ask(newId('team'))]);
    expect(made).toBe(6);
    await stored(teamId, [{ ageMs: 0 }]);
    expect((await ask()).statuses.pending).toBe(1);
  });
});
