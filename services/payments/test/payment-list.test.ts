import { newId } from '@tollgate/contracts/platform/ids';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listPayments, MAX_KEYS_EXAMINED, type PaymentsPage } from '../src/history/list-payments.ts';
import { aLongHistory, insertHistory } from './a-long-history.ts';
import { aNewPayment } from './a-new-payment.ts';
import { idsInOrder, matches } from './full-scan.ts';
import {
  aMember,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';
import { documentOf, manyPayments, START_MS, someFilters } from './some-payments.ts';

let payments: PaymentsUnderTest;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
}, START_TIMEOUT_MS);
afterAll(() => payments.stop());

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

test('a list of named payments has those of the team that meet the other filters, in its order, page by page', async () => {
  const teamId = newId('team');
  const stored = [1, 2, 3, 4].map((amount) =>
    aNewPayment({ team_id: teamId, dueAt: null, amount, createdAt: new Date(START_MS + amount) }),
  );
  const foreign = aNewPayment({ dueAt: null });
  for (const document of [...stored, foreign]) await payments.app.store.insert(document);
  const [one, two, three] = stored.map(({ _id }) => _id) as [string, string, string];
  const ids = [foreign._id, two, one, three, newId('payment')].join(',');
  const read = (request: Parameters<typeof listPayments>[2]) =>
    listPayments(payments.app, aMember(teamId), { ids, ...request });
  expect(idsOf(await read({}))).toEqual([three, two, one]);
  expect(idsOf(await read({ order: 'asc', amount_min: 2 }))).toEqual([two, three]);
  const first = await read({ limit: 2 });
  const pages = await pagesFrom(first, 'next_cursor', (cursor) => read({ limit: 2, cursor }));
  expect(pages.map(idsOf)).toEqual([[three, two], [one]]);
});

test('a list of payments with a failure code has the payments that failed with it', async () => {
  const teamId = newId('team');
  const failed = (code: string) => ({
    ...aNewPayment({ team_id: teamId, dueAt: null }),
    status: 'failed' as const,
    failure: { code, message: 'No.' },
  });
  const [declined, other, inLive] = [
    failed('declined'),
    failed('card_expired'),
    { ...failed('declined'), environment: 'live' as const },
  ];
  for (const document of [declined, other, inLive, aNewPayment({ team_id: teamId, dueAt: null })])
    await payments.app.store.insert(document);
  const read = async (request: object) => idsOf(await listPayments(payments.app, aMember(teamId), request));
  expect((await read({ failure_code: 'declined' })).toSorted()).toEqual(
    [declined._id, inLive._id].toSorted(),
  );
  expect(await read({ failure_code: 'declined', environment: 'sandbox' })).toEqual([declined._id]);
  expect(await read({ failure_code: 'declined', status: 'succeeded' })).toEqual([]);
});

test('a list of payments that succeeded in a period is in the order in which they did, page by page, and back', async () => {
  const teamId = newId('team');
  // Each succeeded after payments that were created later, two of them in one millisecond.
  const stored = [6, 5, 5, 4, 9].map((successMs, createdMs) => ({
    ...aNewPayment({
      team_id: teamId,
      dueAt: null,
      currency: createdMs === 1 ? 'USD' : 'EUR',
      createdAt: new Date(START_MS + createdMs),
    }),
    status: 'succeeded' as const,
    succeeded_at: new Date(START_MS + successMs),
  }));
  const open = aNewPayment({ team_id: teamId, dueAt: null, createdAt: new Date(START_MS + 5) });
  for (const document of [...stored, open]) await payments.app.store.insert(document);
  const [first, ...both] = stored.map(({ _id }) => _id) as [string, string, string, string, string];
  const newestFirst = [first, ...both.slice(0, 2).toSorted().reverse()];
  const period = { succeeded_from: timeAt(5), succeeded_to: timeAt(9) };
  const read = (request: Parameters<typeof listPayments>[2]) =>
    listPayments(payments.app, aMember(teamId), { ...period, ...request });
  expect(idsOf(await read({}))).toEqual(newestFirst);
  expect(idsOf(await read({ order: 'asc' }))).toEqual(newestFirst.toReversed());
  expect(idsOf(await read({ currency: 'EUR' }))).toEqual(newestFirst.filter((id) => id !== both[0]));
  expect(idsOf(await read({ created_to: timeAt(1) }))).toEqual([first]);
  expect(idsOf(await read({ status: 'failed' }))).toEqual([]);
  expect(idsOf(await read({ ids: [first, open._id].join(',') }))).toEqual([first]);
  const page = await read({ limit: 1 });
  const forth = await pagesFrom(page, 'next_cursor', (cursor) => read({ limit: 1, cursor }));
  expect(forth.flatMap(idsOf)).toEqual(newestFirst);
  const last = forth.at(-1) as PaymentsPage;
  const back = await pagesFrom(last, 'previous_cursor', (cursor) => read({ limit: 1, cursor }));
  expect(back.flatMap(idsOf)).toEqual(newestFirst.toReversed());
});

function timeAt(ms: number): string {
  return new Date(START_MS + ms).toISOString();
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

  test('paging through a list of payments returns every matching payment once, in the order of the list, and the same backwards', async () => {
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

  test('paging through a list of payments while payments are created anywhere in the list misses no existing payment and repeats none', async () => {
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

  test('paging through a list of payments without a suitable index examines a limited number for each page, which may be empty, and finds all in the end', async () => {
    const maxKeysExamined = 100;
    const history = aLongHistory({ size: 250, newest: new Date(START_MS), msBetween: 1 });
    await insertHistory(payments.connection, history);
    // Beyond the keys of the first pages in the other environment.
    const createdAt = new Date(START_MS - 200);
    const live = { team_id: history.teamId, environment: 'live', amount: 50, createdAt } as const;
    await payments.app.store.insert(aNewPayment(live));
    const actor = aMember(history.teamId);
    // Matches only the oldest: `amount` rises with the position in the history.
    for (const environments of [{ environment: 'sandbox' as const }, {}]) {
      const read = (cursor?: string) =>
        listPayments({ history: payments.app.history, maxKeysExamined }, actor, {
          ...environments,
          amount_max: 101,
          ...(cursor && { cursor }),
        });
      const forth = await pagesFrom(await read(), 'next_cursor', read);
      expect(forth.map((page) => page.data.length).slice(0, 2)).toEqual([0, 0]);
      const wanted = environments.environment ? [101, 100] : [50, 101, 100];
      expect(forth.flatMap((page) => page.data.map(({ amount }) => amount))).toEqual(wanted);
      // With both environments, each gets half of the keys; live has one payment to examine.
      const keysOfPage = environments.environment ? maxKeysExamined : maxKeysExamined / 2;
      expect(forth).toHaveLength(Math.floor(history.size / keysOfPage) + 1);
      const back = await pagesFrom(forth.at(-1) as PaymentsPage, 'previous_cursor', read);
      expect(back.reverse().flatMap((page) => page.data.map(({ amount }) => amount))).toEqual(wanted);
    }
  });
});
