import { rejection } from '@tollgate/bus/test/rejection';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import { queryUsage, totalUsage } from '@tollgate/contracts/usage/rpc';
import { USAGE_LIMITS, type UsageRow } from '@tollgate/contracts/usage/usage';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Harness, NOW, type Service, startHarness } from './harness.ts';
import { aCaller, createTestGateway, type TestCaller, type TestRequest } from './windows.ts';

let harness: Harness;
let service: Service;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
});
afterAll(() => harness.stop());
beforeEach(() => harness.clock.set(NOW));

const iso = (timeMs: number) => new Date(timeMs).toISOString();
const HOUR = { from: iso(NOW - HOUR_MS), to: iso(NOW), granularity: 'minute' as const };

/** Stores requests by their time. */
async function store(requests: (TestRequest & { at: number })[]) {
  const gateway = createTestGateway();
  for (const [at, together] of Map.groupBy(requests, (request) => request.at))
    await service.app.ingest(gateway.window(at, together));
  await service.app.rollUp();
}

type Query = Parameters<typeof harness.call<(typeof queryUsage)['request'], (typeof queryUsage)['reply']>>[2];

async function allPages(caller: TestCaller, request: Query): Promise<{ rows: UsageRow[]; pages: number }> {
  const rows: UsageRow[] = [];
  let pages = 0;
  for (let cursor: string | null | undefined; cursor !== null; pages++) {
    const page = await harness.call(caller.team_id, queryUsage, { ...request, ...(cursor && { cursor }) });
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return { rows, pages };
}

it('usage over time has a row for each point with requests, and a member for every outcome', async () => {
  const caller = aCaller();
  const at = NOW - 30 * MINUTE_MS;
  await store([
    { caller, at },
    { caller, at, outcome: 'replayed' },
    { caller, at, outcome: 'client_error' },
    { caller, at, outcome: 'rate_limited' },
    { caller, at, outcome: 'server_error' },
    { caller, at, outcome: 'aborted' },
    { caller, at: at + MINUTE_MS },
  ]);
  const { rows } = await allPages(caller, HOUR);
  const none = {
    succeeded: 0,
    replayed: 0,
    client_errors: 0,
    rate_limited: 0,
    server_errors: 0,
    aborted: 0,
  };
  const each = {
    succeeded: 1,
    replayed: 1,
    client_errors: 1,
    rate_limited: 1,
    server_errors: 1,
    aborted: 1,
  };
  expect(rows).toEqual([
    expect.objectContaining({ at: iso(at), requests: 6, ...each }),
    expect.objectContaining({ at: iso(at + MINUTE_MS), requests: 1, ...none, succeeded: 1 }),
  ]);
});

it('usage over time has percentiles with an error of at most 2 %', async () => {
  const caller = aCaller();
  const at = NOW - MINUTE_MS;
  await store(Array.from({ length: 1_000 }, (_, index) => ({ caller, at, durationUs: (index + 1) * 1_000 })));
  const { rows } = await allPages(caller, HOUR);
  for (const [percentile, exactMs] of [
    ['p50_ms', 500],
    ['p95_ms', 950],
    ['p99_ms', 990],
  ] as const)
    expect(Math.abs((rows[0]?.[percentile] as number) - exactMs) / exactMs).toBeLessThanOrEqual(0.02);
});

it('usage over time covers whole points: from the one that contains `from`, without the one that starts at `to`', async () => {
  const caller = aCaller();
  await store([-2, -1, 0, 1].map((minutes) => ({ caller, at: NOW + minutes * MINUTE_MS })));
  const minutesOf = async (fromMs: number, toMs: number) =>
    (await allPages(caller, { ...HOUR, from: iso(fromMs), to: iso(toMs) })).rows.map(
      ({ at }) => (Date.parse(at) - NOW) / MINUTE_MS,
    );
  expect(await minutesOf(NOW - MINUTE_MS, NOW)).toEqual([-1]);
  expect(await minutesOf(NOW - MINUTE_MS - 1, NOW)).toEqual([-2, -1]);
  expect(await minutesOf(NOW - MINUTE_MS, NOW + 1)).toEqual([-1, 0]);
});

it('usage over time is grouped as requested, and limited by every filter', async () => {
  const caller = aCaller();
  const { team_id, application_id } = caller;
  const otherKey = aCaller({ team_id, application_id });
  const live = aCaller({ team_id, application_id, environment: 'live' });
  const otherApplication = aCaller({ team_id });
  const at = NOW - MINUTE_MS;
  await store([
    { caller, at },
    { caller, at, operation: 'read_payment' },
    { caller, at, operation: 'read_payment', outcome: 'client_error' },
    { caller: otherKey, at },
    { caller: live, at },
    { caller: otherApplication, at },
    { caller: aCaller(), at },
  ]);
  const requests = async (request: Partial<Query>) =>
    (await allPages(caller, { ...HOUR, ...request })).rows.map((row) => row.requests);
  expect(await requests({})).toEqual([6]);
  expect(await requests({ application_id })).toEqual([5]);
  expect(await requests({ application_id, key_id: caller.key_id })).toEqual([3]);
  expect(await requests({ environment: 'live' })).toEqual([1]);
  expect(await requests({ operation: 'read_payment' })).toEqual([2]);
  expect(await requests({ outcome: 'client_error' })).toEqual([1]);
  expect(await requests({ application_id: newId('application') })).toEqual([]);
  const { rows } = await allPages(caller, { ...HOUR, group_by: 'outcome,operation', application_id });
  expect(rows.map(({ operation, outcome, requests: count }) => [operation, outcome, count])).toEqual([
    ['create_payment', 'succeeded', 3],
    ['read_payment', 'client_error', 1],
    ['read_payment', 'succeeded', 1],
  ]);
  expect(rows[0]).not.toHaveProperty('key_id');
});

it('usage over time is returned in pages that together are complete, each row once, even when a page ends within a point', async () => {
  const team_id = newId('team');
  const callers = Array.from({ length: 7 }, () => aCaller({ team_id }));
  await store(
    [1, 2, 3].flatMap((minutes) => callers.map((caller) => ({ caller, at: NOW - minutes * MINUTE_MS }))),
  );
  const asked = { ...HOUR, group_by: 'application,key' };
  const whole = await allPages(callers[0] as TestCaller, asked);
  const paged = await allPages(callers[0] as TestCaller, { ...asked, limit: 4 });
  expect([whole.rows.length, whole.pages, paged.pages]).toEqual([21, 1, 6]);
  expect(paged.rows).toEqual(whole.rows);
});

it('usage over time has pages that fit into one reply, however long their rows are', async () => {
  const team_id = newId('team');
  const callers = Array.from({ length: 40 }, () => aCaller({ team_id }));
  await store(
    Array.from({ length: 50 }, (_, minute) => minute).flatMap((minute) =>
      callers.map((caller) => ({ caller, at: NOW - (minute + 1) * MINUTE_MS })),
    ),
  );
  const { rows, pages } = await allPages(callers[0] as TestCaller, {
    ...HOUR,
    group_by: 'application,key,environment,operation,outcome',
  });
  expect(rows.length).toBe(2_000);
  expect(pages).toBeGreaterThan(1);
});

it.each([
  ['a range that ends before it begins', { from: iso(NOW), to: iso(NOW - 1) }, '/to', 'after `from`'],
  ['an empty range', { from: iso(NOW), to: iso(NOW) }, '/to', 'after `from`'],
  [
    'more points than one query takes',
    { from: iso(NOW - (USAGE_LIMITS.pointsPerQuery + 1) * MINUTE_MS), to: iso(NOW) },
    '/to',
    'coarser granularity',
  ],
  [
    'minutes that have expired',
    { from: iso(NOW - 36 * DAY_MS), to: iso(NOW - 35.9 * DAY_MS) },
    '/from',
    'granularity hour',
  ],
  ['a cursor that no page has returned', { cursor: 'nonsense' }, '/cursor', 'next_cursor'],
])('usage over time rejects %s, and names the remedy', async (_what, request, pointer, remedy) => {
  const { code, errors } = await rejection(harness.call(newId('team'), queryUsage, { ...HOUR, ...request }));
  expect(code).toBe('invalid-request');
  expect(errors).toEqual([{ pointer, code: 'invalid', detail: expect.stringContaining(remedy) }]);
});

it('usage of a whole period is the sum of its points, for any granularity, start, and end', async () => {
  const caller = aCaller();
  const times = Array.from({ length: 60 }, (_, index) => NOW - index * 97 * MINUTE_MS);
  await store(times.map((at) => ({ caller, at })));
  const [fromMs, toMs] = [NOW - 3.3 * DAY_MS, NOW - 17 * MINUTE_MS];
  for (const granularity of ['minute', 'hour', 'day'] as const) {
    const asked = { from: iso(fromMs), to: iso(toMs), granularity };
    const unit = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS }[granularity];
    const within = times.filter(
      (at) => at >= Math.floor(fromMs / unit) * unit && at < Math.ceil(toMs / unit) * unit,
    );
    const { total } = await harness.call(caller.team_id, totalUsage, asked);
    expect([granularity, total.requests]).toEqual([granularity, within.length]);
  }
});

it('usage of a whole period has the groups with most requests first, up to the limit, and a total of all', async () => {
  const team_id = newId('team');
  const callers = [1, 2, 3].map(() => aCaller({ team_id }));
  const at = NOW - MINUTE_MS;
  await store(callers.flatMap((caller, index) => Array.from({ length: index + 1 }, () => ({ caller, at }))));
  const { total, groups } = await harness.call(team_id, totalUsage, { ...HOUR, group_by: 'key', limit: 2 });
  expect(total.requests).toBe(6);
  expect(groups.map(({ key_id, requests }) => [key_id, requests])).toEqual([
    [callers[2]?.key_id, 3],
    [callers[1]?.key_id, 2],
  ]);
});

it('usage of a whole period without requests is zero, without percentiles', async () => {
  const { total, groups } = await harness.call(newId('team'), totalUsage, { ...HOUR, group_by: 'key' });
  expect(total).toMatchObject({ requests: 0, p50_ms: null, p99_ms: null });
  expect(groups).toEqual([]);
});
