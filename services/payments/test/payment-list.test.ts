import { ENVIRONMENTS } from '@tollgate/contracts/environment';
import { newId } from '@tollgate/contracts/ids';
import { PAYMENT_STATUSES } from '@tollgate/contracts/payment';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ListRequest,
  listPayments,
  MAX_KEYS_EXAMINED,
  type PaymentsPage,
} from '../src/history/list-payments.ts';
import type { PaymentDocument } from '../src/lifecycle/payment.ts';
import { aLongHistory, insertHistory } from './a-long-history.ts';
import { aNewPayment } from './a-new-payment.ts';
import { idsInOrder, matches } from './full-scan.ts';
import {
  aMember,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';

let payments: PaymentsUnderTest;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
}, START_TIMEOUT_MS);
afterAll(() => payments.stop());

/** Few distinct values, so that filters match and many payments share a millisecond. */
const START_MS = Date.parse('2026-01-01T00:00:00Z');
const APPLICATIONS = [newId('application'), newId('application')];
const email = fc.constantFrom('a@example.com', 'B@example.com');
const text = fc.constantFrom('Ada', 'Bob', 'Bob  Étoile', 'Étoile-Ada (r1)', 'a b c d e');
const fields = {
  environment: fc.constantFrom(...ENVIRONMENTS),
  application_id: fc.constantFrom(...APPLICATIONS),
  status: fc.constantFrom(...PAYMENT_STATUSES),
  currency: fc.constantFrom('EUR', 'USD'),
  reference: fc.constantFrom('r1', 'R1', 'Order r1/ada', 'ﬁ 7'),
};
const somePayment = fc.record({
  ...fields,
  reference: fc.option(fields.reference),
  amount: fc.integer({ min: 1, max: 4 }),
  createdAt: fc.integer({ min: 0, max: 4 }).map((ms) => new Date(START_MS + ms)),
  payer: fc.option(fc.record({ name: fc.option(text), account: fc.option(text), email: fc.option(email) })),
});
type SomePayment = typeof somePayment extends fc.Arbitrary<infer T> ? T : never;

const instant = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((ms) => new Date(START_MS + ms).toISOString());
const filterValues = {
  ...fields,
  currency: fc.constantFrom('eur', 'USD'),
  amount_min: fc.integer({ min: 1, max: 2 }),
  amount_max: fc.integer({ min: 2, max: 4 }),
  created_from: instant(0, 2),
  created_to: instant(2, 5),
  payer: fc.oneof(email, text),
  search: fc.constantFrom(
    ...[
      'a',
      'ADA',
      ' bob ',
      'bob étoile',
      'E\u0301T',
      'r',
      'R1',
      'order',
      'a@EXAMPLE.com',
      'fi',
      '7',
      'd',
      'e',
    ],
    ...['pay_', '/', ' '],
  ),
};
/** Few filters at a time: with many, nothing matches, and one page is the whole list. */
const someFilters: fc.Arbitrary<ListRequest> = fc
  .record({
    names: fc.subarray(Object.keys(filterValues) as (keyof typeof filterValues)[], { maxLength: 3 }),
    values: fc.record(filterValues),
  })
  .map(({ names, values }) => Object.fromEntries(names.map((name) => [name, values[name]])));
const manyPayments = fc.array(somePayment, { maxLength: 40, size: 'max' });

function documentOf(teamId: string, { status, ...fields }: SomePayment): PaymentDocument {
  return { ...aNewPayment({ team_id: teamId, dueAt: null, ...fields }), status };
}

const idsOf = (page: PaymentsPage) => page.data.map(({ id }) => id);

/** Follows cursors of one direction to the end, starting with a page. */
async function pagesFrom(
  first: PaymentsPage,
  direction: 'next_cursor' | 'previous_cursor',
  read: (cursor: string) => Promise<PaymentsPage>,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<PaymentsPage[]> {
  const pages = [first];
  for (let cursor = first[direction]; cursor !== null; cursor = (pages.at(-1) as PaymentsPage)[direction]) {
    await meanwhile();
    pages.push(await read(cursor));
  }
  return pages;
}

describe('paging through a list of payments', () => {
  const run = fc.record({
    stored: manyPayments,
    filters: someFilters,
    order: fc.constantFrom('desc' as const, 'asc' as const),
    limit: fc.integer({ min: 1, max: 7 }),
    /** Few, so that a range of values often has more. */
    maxKeysExamined: fc.constantFrom(6, 20, MAX_KEYS_EXAMINED),
  });

  test('returns every matching payment once, in the order of the list, and the same backwards', async () => {
    await fc.assert(
      fc.asyncProperty(run, async ({ stored, filters, order, limit, maxKeysExamined }) => {
        const teamId = newId('team');
        const actor = aMember(teamId);
        const documents = stored.map((payment) => documentOf(teamId, payment));
        await Promise.all(documents.map((document) => payments.app.store.insert(document)));
        const newestFirst = idsInOrder(documents.filter((document) => matches(document, filters)));
        const wanted = order === 'desc' ? newestFirst : newestFirst.reverse();

        const { history } = payments.app;
        const read = (cursor?: string) =>
          listPayments({ history, maxKeysExamined }, actor, {
            ...filters,
            order,
            limit,
            ...(cursor !== undefined && { cursor }),
          });
        const forth = await pagesFrom(await read(), 'next_cursor', read);
        expect(forth.flatMap(idsOf)).toEqual(wanted);
        expect(forth[0]?.previous_cursor).toBeNull();
        for (const page of forth) expect(page.data.length).toBeLessThanOrEqual(limit);
        const back = await pagesFrom(forth.at(-1) as PaymentsPage, 'previous_cursor', read);
        expect(back.reverse().flatMap(idsOf)).toEqual(wanted);
        // Going forth and back returns the same page, unless a page ends early because it has examined enough.
        if (maxKeysExamined < MAX_KEYS_EXAMINED) return;
        for (const [at, page] of forth.slice(1).entries()) {
          expect(idsOf(await read(page.previous_cursor ?? ''))).toEqual(idsOf(forth[at] as PaymentsPage));
        }
      }),
      { numRuns: 40 },
    );
  }, 240_000);

  test('while payments are created anywhere in the list misses no existing payment and repeats none', async () => {
    const withArrivals = fc.record({ run, arrivals: manyPayments });
    await fc.assert(
      fc.asyncProperty(
        withArrivals,
        async ({ run: { stored, filters, limit, maxKeysExamined }, arrivals }) => {
          const teamId = newId('team');
          const documents = stored.map((payment) => documentOf(teamId, payment));
          await Promise.all(documents.map((document) => payments.app.store.insert(document)));
          const wanted = idsInOrder(documents.filter((document) => matches(document, filters)));
          const arriving = arrivals.values();
          const insertOne = async () => {
            const { value } = arriving.next();
            if (value) await payments.app.store.insert(documentOf(teamId, value));
          };

          const read = (cursor?: string) =>
            listPayments({ history: payments.app.history, maxKeysExamined }, aMember(teamId), {
              ...filters,
              limit,
              ...(cursor !== undefined && { cursor }),
            });
          const forth = await pagesFrom(await read(), 'next_cursor', read, insertOne);
          const back = await pagesFrom(forth.at(-1) as PaymentsPage, 'previous_cursor', read, insertOne);
          for (const found of [forth.flatMap(idsOf), back.toReversed().flatMap(idsOf)]) {
            expect(new Set(found).size).toBe(found.length);
            expect(found.filter((id) => wanted.includes(id))).toEqual(wanted);
          }
        },
      ),
      { numRuns: 40 },
    );
  }, 120_000);

  test('without a suitable index examines a limited number for each page, which may be empty, and finds all in the end', async () => {
    const history = aLongHistory({ size: 2_500, newest: new Date(START_MS), msBetween: 1 });
    await insertHistory(payments.connection, history);
    // Beyond the keys of the first pages in the other environment.
    const createdAt = new Date(START_MS - 2_000);
    const live = { team_id: history.teamId, environment: 'live', amount: 50, createdAt } as const;
    await payments.app.store.insert(aNewPayment(live));
    const actor = aMember(history.teamId);
    // Matches only the oldest: `amount` rises with the position in the history.
    for (const environments of [{ environment: 'sandbox' as const }, {}]) {
      const read = (cursor?: string) =>
        listPayments(payments.app, actor, { ...environments, amount_max: 101, ...(cursor && { cursor }) });
      const forth = await pagesFrom(await read(), 'next_cursor', read);
      expect(forth.map((page) => page.data.length).slice(0, 2)).toEqual([0, 0]);
      const wanted = environments.environment ? [101, 100] : [50, 101, 100];
      expect(forth.flatMap((page) => page.data.map(({ amount }) => amount))).toEqual(wanted);
      // With both environments, each gets half of the keys; live has one payment to examine.
      const keysOfPage = environments.environment ? MAX_KEYS_EXAMINED : MAX_KEYS_EXAMINED / 2;
      expect(forth).toHaveLength(Math.floor(history.size / keysOfPage) + 1);
      const back = await pagesFrom(forth.at(-1) as PaymentsPage, 'previous_cursor', read);
      expect(back.reverse().flatMap((page) => page.data.map(({ amount }) => amount))).toEqual(wanted);
    }
  });
});
