/*
 * Measures a page and the totals of the history for a team with many payments and for one with few, and a summary.
 * Usage: TEST_INFRA=embedded node bench/history-growth.ts [payments]
 */

import { newId } from '@tollgate/contracts/platform/ids';
import { createLogger } from '@tollgate/runtime/logger';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { prepareDatabase } from '@tollgate/store/schema/prepare-database';
import { startInfra } from '@tollgate/test-kit/infra';
import { createHistoryStore } from '../src/history/history-store.ts';
import { type ListRequest, listPayments, MAX_KEYS_EXAMINED } from '../src/history/list-payments.ts';
import { totalPayments } from '../src/history/total-payments.ts';
import { paymentsSchema } from '../src/schema.ts';
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
} from '../test/a-long-history.ts';

const SMALL = 1_000;
const DEFAULT_LARGE = 1_000_000;
const MS_BETWEEN = 2_500;
const PAGE_SIZE = 25;
const WARM_UP_ROUNDS = 100;
const ROUNDS = 500;
const FRUITLESS_ROUNDS = 30;
const SUMMARY_ROUNDS = 5;
const COUNTED = [10_000, 25_000, 50_000];

const large = Number(process.argv[2] ?? DEFAULT_LARGE);
const infra = await startInfra({ mongodb: true });
const say = (line: string) => process.stdout.write(`${line}\n`);

/** Each size has its own database, so that the sizes share no index. */
async function filled(size: number) {
  const connection = await connectMongoDB({
    url: infra.mongodbUrl,
    database: `payments_${size}`,
    appName: 'bench',
    logger: createLogger({ service: 'bench', level: 'silent' }),
  });
  await prepareDatabase(connection, paymentsSchema, { maxDocuments: 0, release: 'bench' });
  const team = aLongHistory({ size, newest: new Date(), msBetween: MS_BETWEEN });
  const startedAt = performance.now();
  await insertHistory(connection, team);
  say(`${size} payments inserted in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  return { connection, history: createHistoryStore(connection), team };
}

type Filled = Awaited<ReturnType<typeof filled>>;
type Filter = (team: LongHistory, at: number) => ListRequest;

const FILTERS: Record<string, Filter> = {
  none: () => ({}),
  application: (team, at) => ({ application_id: applicationOf(team, at) }),
  status: (_team, at) => ({ status: statusOf(at) }),
  currency: (_team, at) => ({ currency: currencyOf(at) }),
  'payer email': (_team, at) => ({ payer: payerOf(at) }),
  reference: (_team, at) => ({ reference: referenceOf(at) }),
};
/** No index serves this filter: the query examines as many payments as a page may, and matches none. */
const FRUITLESS: Filter = () => ({ amount_min: 1_000_000 });

const VIEWER = {
  type: 'member' as const,
  member_id: newId('member'),
  role: 'viewer',
  address: null,
  session_id: newId('session'),
  authenticated_at: '2999-01-01T00:00:00.000Z',
  name: 'Ada',
  user_agent: 'test',
  request_id: null,
} as const;

/** Milliseconds for one page: the newest, or one that starts in the newer half of the history. */
async function timePage({ history, team }: Filled, filter: Filter, newest: boolean): Promise<number> {
  const at = Math.floor(team.size * (0.5 + Math.random() / 2));
  const request: ListRequest = { environment: 'sandbox', limit: PAGE_SIZE, ...filter(team, at) };
  if (!newest && !request.reference && !request.payer) {
    request.created_to = createdAtOf(team, at).toISOString();
  }
  const { teamId } = team;
  const actor = { ...VIEWER, team_id: teamId };
  const startedAt = performance.now();
  const page = await listPayments({ history }, actor, request);
  const elapsedMs = performance.now() - startedAt;
  const expected = request.reference ? 1 : request.amount_min ? 0 : PAGE_SIZE;
  if (page.data.length !== expected) throw new Error(`a page has ${page.data.length} rows, not ${expected}`);
  return elapsedMs;
}

/** Medians over rounds that measure both teams in turn, so that other load on the machine affects both. */
async function compare(small: Filled, grown: Filled, filter: Filter, newest: boolean, rounds = ROUNDS) {
  const times = { small: [] as number[], grown: [] as number[] };
  for (let round = -Math.min(WARM_UP_ROUNDS, rounds); round < rounds; round += 1) {
    const smallMs = await timePage(small, filter, newest);
    const grownMs = await timePage(grown, filter, newest);
    if (round < 0) continue;
    times.small.push(smallMs);
    times.grown.push(grownMs);
  }
  const [smallMs, grownMs] = [median(times.small), median(times.grown)];
  return {
    [`ms at ${small.team.size}`]: smallMs.toFixed(2),
    [`ms at ${grown.team.size}`]: grownMs.toFixed(2),
    'ratio (≤ 1.2)': (grownMs / smallMs).toFixed(2),
  };
}

async function timeTotals({ history, team }: Filled, filter: Filter): Promise<number> {
  const times: number[] = [];
  const { status: _, ...filters } = filter(team, Math.floor(team.size / 2));
  for (let round = 0; round < SUMMARY_ROUNDS; round += 1) {
    const startedAt = performance.now();
    await totalPayments(
      { history },
      { ...VIEWER, team_id: team.teamId },
      { ...filters, environment: 'sandbox' },
    );
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

async function timeSummary({ history, team }: Filled, limit: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < SUMMARY_ROUNDS; round += 1) {
    const startedAt = performance.now();
    const counted = await history.count({
      teamId: team.teamId,
      environment: 'sandbox',
      applicationId: null,
      from: createdAtOf(team, 0),
      to: team.newest,
      bucket: 'day',
      limit,
    });
    times.push(performance.now() - startedAt);
    const payments = counted.reduce((sum, group) => sum + group.payments, 0);
    if (payments !== Math.min(limit, team.size)) throw new Error(`a summary counted ${payments} payments`);
  }
  return median(times);
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

const small = await filled(SMALL);
const grown = await filled(large);
for (const newest of [true, false]) {
  say(newest ? 'the newest page' : 'a page that begins anywhere in the newer half');
  const rows: Record<string, object> = {};
  for (const [name, filter] of Object.entries(FILTERS)) {
    rows[name] = await compare(small, grown, filter, newest);
  }
  if (newest) {
    const name = `none found in ${MAX_KEYS_EXAMINED}`;
    rows[name] = await compare(small, grown, FRUITLESS, newest, FRUITLESS_ROUNDS);
  }
  console.table(rows);
}
say('totals by status');
const totals: Record<string, object> = {};
for (const name of ['none', 'application', 'currency', 'payer email'] as const) {
  const filter = FILTERS[name] as Filter;
  totals[name] = {
    [`ms at ${SMALL}`]: (await timeTotals(small, filter)).toFixed(1),
    [`ms at ${large}`]: (await timeTotals(grown, filter)).toFixed(1),
  };
}
console.table(totals);
say(`a summary of 30 days at ${large} payments`);
const summaries: Record<string, object> = {};
for (const limit of COUNTED) {
  summaries[`newest ${limit} counted`] = { ms: (await timeSummary(grown, limit)).toFixed(0) };
}
console.table(summaries);
await small.connection.close();
await grown.connection.close();
await infra.stop();
