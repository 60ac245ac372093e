import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HistoryScan, HistoryStore, RangeScan } from '../src/history/history-store.ts';
import { type ListRequest, listPayments, MAX_KEYS_EXAMINED } from '../src/history/list-payments.ts';
import {
  aLongHistory,
  applicationOf,
  createdAtOf,
  currencyOf,
  insertHistory,
  type LongHistory,
  payerOf,
  referenceOf,
  statusOf,
} from './a-long-history.ts';
import {
  aMember,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';

const LIMIT = 10;
/** Far below the size of a long history. */
const FEW_KEYS = 100;
const NEWEST = new Date('2026-01-01T00:00:00Z');

let payments: PaymentsUnderTest;
const short = aLongHistory({ size: 300, newest: NEWEST, msBetween: 1_000 });
const long = aLongHistory({ size: 3_000, newest: NEWEST, msBetween: 1_000 });
/** All payments within one millisecond, as after an import. */
const sudden = aLongHistory({ size: 300, newest: NEWEST, msBetween: 0 });
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
  for (const history of [short, long, sudden]) await insertHistory(payments.connection, history);
}, START_TIMEOUT_MS);
afterAll(() => payments.stop());

/** The cost of a page, as MongoDB reports it for the page's queries. */
async function costOf(
  history: LongHistory,
  request: ListRequest,
  limits: { maxKeysExamined?: number } = { maxKeysExamined: FEW_KEYS },
) {
  const scans: Pick<ReturnType<HistoryStore['scan']>, 'explain'>[] = [];
  const store: HistoryStore = payments.app.history;
  const watched: HistoryStore = {
    ...store,
    scan(scan: HistoryScan) {
      scans.push(store.scan(scan));
      return store.scan(scan);
    },
    scanRange(scan: RangeScan) {
      scans.push(store.scanRange(scan));
      return store.scanRange(scan);
    },
  };
  const page = await listPayments({ history: watched, ...limits }, aMember(history.teamId), {
    limit: LIMIT,
    ...request,
  });
  let keys = 0;
  let documents = 0;
  const indexes = new Set<unknown>();
  for (const scan of scans) {
    const explained = await scan.explain('executionStats');
    keys += explained['executionStats'].totalKeysExamined;
    documents += explained['executionStats'].totalDocsExamined;
    const plan = JSON.stringify(explained['queryPlanner'].winningPlan);
    expect(plan).not.toContain('"SORT"');
    indexes.add(/"indexName":"([^"]+)"/.exec(plan)?.[1]);
  }
  return { keys, documents, indexes: [...indexes], page };
}

const INDEXED: [index: string, filter: (history: LongHistory, at: number) => ListRequest][] = [
  ['history', () => ({})],
  ['history_application', (history, at) => ({ application_id: applicationOf(history, at) })],
  ['history_status', (_history, at) => ({ status: statusOf(at) })],
  ['history_currency', (_history, at) => ({ currency: currencyOf(at) })],
];

test.each(INDEXED)(
  'a page of an indexed list by %s examines as many payments of a long history as of a short one',
  async (index, filter) => {
    for (const history of [short, long]) {
      for (const at of [history.size - 1, Math.floor(history.size / 2)]) {
        const request: ListRequest = { environment: 'sandbox', ...filter(history, at) };
        const wholeOrPart = { created_to: createdAtOf(history, at).toISOString() };
        const { keys, documents, indexes, page } = await costOf(history, { ...request, ...wholeOrPart });
        expect({ keys, documents, indexes }).toEqual({
          keys: LIMIT + 1,
          documents: LIMIT + 1,
          indexes: [index],
        });
        expect(page.data).toHaveLength(LIMIT);
        const further = await costOf(history, {
          ...request,
          ...wholeOrPart,
          cursor: page.next_cursor ?? '',
        });
        expect(further).toMatchObject({ keys: LIMIT + 1, documents: LIMIT + 1 });
      }
    }
  },
);

test('a page of an indexed list by reference examines only the payments with that reference', async () => {
  const cost = await costOf(long, {
    reference: referenceOf(7),
    status: statusOf(7),
    currency: currencyOf(7),
  });
  expect(cost).toMatchObject({ keys: 1, documents: 1, indexes: ['history_search'] });
  expect(cost.page.data).toHaveLength(1);
});

test('a page of an indexed list by a whole text examines as many payments of a long history as of a short one', async () => {
  for (const history of [short, long]) {
    const search = { environment: 'sandbox', search: payerOf(history.size - 1).toUpperCase() } as const;
    const { keys, documents, indexes, page } = await costOf(history, search);
    expect({ keys, documents, indexes }).toEqual({
      keys: LIMIT + 1,
      documents: LIMIT + 1,
      indexes: ['history_search'],
    });
    // The payment beside the cut is examined again.
    const further = await costOf(history, { ...search, cursor: page.next_cursor ?? '' });
    expect(further).toMatchObject({ keys: LIMIT + 2, documents: LIMIT + 2 });
  }
});

test('a page of an indexed list by an amount examines as many payments of a long history as of a short one', async () => {
  for (const history of [short, long]) {
    const cost = await costOf(history, {
      environment: 'sandbox',
      currency: 'EUR',
      amount_min: 196,
      amount_max: 196,
      limit: 1,
    });
    expect(cost).toMatchObject({ indexes: ['history_amount'], page: { data: [{ amount: 196 }] } });
    expect(cost.documents).toBeLessThanOrEqual(2);
  }
});

test('a page of an indexed list by a range of amounts that few payments have examines those, and one', async () => {
  const range = { environment: 'sandbox', currency: 'EUR', amount_min: 200, amount_max: 239 } as const;
  const { documents, indexes, page } = await costOf(long, { ...range, limit: 100 });
  // EUR is every fourth payment, and amounts recur three times.
  expect(page.data).toHaveLength(30);
  expect({ documents, indexes }).toEqual({ documents: 31, indexes: ['history_amount'] });
});

test('a page of an indexed list by a range of amounts that many payments have finds them in the order of the list', async () => {
  const { documents, indexes, page } = await costOf(long, { currency: 'EUR', amount_min: 100 });
  expect(page.data).toHaveLength(LIMIT);
  expect(indexes).toEqual(['history_amount', 'history_currency']);
  expect(documents).toBeLessThanOrEqual(1 + FEW_KEYS + 1 + FEW_KEYS);
});

test('a page of an indexed list by the beginning of a text examines the payments that have it, and one', async () => {
  const cost = await costOf(long, { environment: 'sandbox', search: 'order-299', limit: 100 });
  // 11 references, and the two other payments of the payer named `Payer 299`.
  expect(cost.page.data).toHaveLength(13);
  expect(cost).toMatchObject({ indexes: ['history_search'] });
  expect(cost.keys).toBeLessThanOrEqual(FEW_KEYS);
});

test('a page of an indexed list by a text that most payments have examines no more than its limit in the index, and finds them in the order of the list', async () => {
  const { documents, page } = await costOf(long, { environment: 'sandbox', search: 'order' });
  expect(page.data).toHaveLength(LIMIT);
  expect(documents).toBeLessThanOrEqual(1 + FEW_KEYS + 1 + FEW_KEYS);
});

test('a page of an indexed list by the beginning of an id examines the payments that were created about the time it tells', async () => {
  expect(await costOf(long, { environment: 'sandbox', search: 'pay_7' })).toMatchObject({ keys: 0 });
});

test.each([
  ['history_search', { reference: 'r', payer: 'a@b', status: 'failed', currency: 'EUR' }],
  ['history_search', { search: 'a@b', application_id: long.applicationIds[0] ?? '', currency: 'EUR' }],
  ['history_application', { application_id: long.applicationIds[0] ?? '', status: 'failed' }],
  ['history_status', { status: 'failed', currency: 'EUR' }],
  ['history_amount', { status: 'failed', currency: 'EUR', amount_min: 1_090 }],
  ['history', { amount_min: 1 }],
] as [string, ListRequest][])(
  'a page of an indexed list reads the index on %s, the most selective one for %j',
  async (index, request) => {
    expect((await costOf(long, request)).indexes).toEqual([index]);
  },
);

test('a page of an indexed list does not examine payments of the same millisecond again that earlier pages returned', async () => {
  let cursor: string | null = null;
  do {
    const { keys, page }: Awaited<ReturnType<typeof costOf>> = await costOf(sudden, {
      environment: 'sandbox',
      limit: 90,
      ...(cursor && { cursor }),
    });
    expect(keys).toBeLessThanOrEqual(91);
    cursor = page.next_cursor;
  } while (cursor !== null);
});

test('a page of an indexed list examines no more than its limit for a filter without an index, in one environment or both', async () => {
  for (const environment of [{ environment: 'sandbox' as const }, {}]) {
    const { keys, page } = await costOf(long, { ...environment, amount_min: 999_999 }, {});
    expect(keys).toBeGreaterThan(0);
    expect(keys).toBeLessThanOrEqual(MAX_KEYS_EXAMINED);
    expect(page).toMatchObject({ data: [], next_cursor: expect.any(String) });
  }
});
