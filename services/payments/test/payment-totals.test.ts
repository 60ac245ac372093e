import { PAYMENT_STATUSES } from '@tollgate/contracts/payments/payment';
import type { PaymentTotal } from '@tollgate/contracts/payments/payment-history';
import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { newId } from '@tollgate/contracts/platform/ids';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TotalsRequest, totalPayments } from '../src/history/total-payments.ts';
import type { PaymentDocument } from '../src/lifecycle/payment.ts';
import { aNewPayment } from './a-new-payment.ts';
import { matches } from './full-scan.ts';
import {
  aMember,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';
import { documentOf, manyPayments, someFilters } from './some-payments.ts';

let payments: PaymentsUnderTest;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
}, START_TIMEOUT_MS);
afterAll(() => payments.stop());

function totalsOf(documents: PaymentDocument[]): PaymentTotal[] {
  return PAYMENT_STATUSES.map((status) => {
    const ofStatus = documents.filter((document) => document.status === status);
    const amounts = ['EUR', 'USD'].map((currency) => ({
      currency,
      payments: ofStatus.filter((document) => document.currency === currency).length,
      amount: ofStatus
        .filter((document) => document.currency === currency)
        .reduce((sum, { amount }) => sum + amount, 0),
    }));
    return {
      status,
      payments: ofStatus.length,
      amounts: amounts.filter(({ amount }) => amount > 0),
      is_complete: true,
    };
  });
}

describe('totals', () => {
  test('totals count and sum exactly the payments that meet the filters', async () => {
    const run = fc.record({
      stored: manyPayments,
      filters: someFilters,
      environment: fc.constantFrom(...ENVIRONMENTS),
    });
    await fc.assert(
      fc.asyncProperty(run, async ({ stored, filters: { status: _, ...filters }, environment }) => {
        const teamId = newId('team');
        const documents = stored.map((payment) => documentOf(teamId, payment));
        await Promise.all(documents.map((document) => payments.app.store.insert(document)));
        const request: TotalsRequest = { ...filters, environment };
        const counted = documents.filter((document) => matches(document, request));
        expect(await totalPayments(payments.app, aMember(teamId), request)).toEqual(totalsOf(counted));
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  test('totals by a filter that roll-ups do not have end at the maximum, and say so', async () => {
    const teamId = newId('team');
    for (let count = 0; count < 6; count += 1) {
      const document = aNewPayment({ team_id: teamId, dueAt: null, createdAt: new Date(10 - count) });
      await payments.app.store.insert({ ...document, status: count < 4 ? 'pending' : 'failed' });
    }
    const totalsBy = (filters: Partial<TotalsRequest>) =>
      totalPayments({ ...payments.app, maxPaymentsCounted: 3 }, aMember(teamId), {
        environment: 'sandbox',
        ...filters,
      });
    const countsOf = (totals: PaymentTotal[]) =>
      ['pending', 'failed'].map((wanted) => {
        const total = totals.find(({ status }) => status === wanted);
        return [total?.payments, total?.is_complete];
      });
    expect(countsOf(await totalsBy({ amount_min: 1 }))).toEqual([
      [3, false],
      [0, false],
    ]);
    expect(countsOf(await totalsBy({ currency: 'EUR' }))).toEqual([
      [4, true],
      [2, true],
    ]);
  });
});
