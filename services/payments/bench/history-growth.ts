/*
 * Measures a page of the history for a team with many payments and for one with few. totals.ts measures its totals.
 * Usage: TEST_INFRA=embedded node bench/history-growth.ts [payments]
 */

import { newId } from '@tollgate/contracts/platform/ids';
import { createLogger } from '@tollgate/runtime/logger';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { prepareDatabase } from '@tollgate/store/schema/prepare-database';
import { startInfra } from '@tollgate/test-kit/infra';
import { createHistoryStore } from '../src/history/history-store.ts';
import { type ListRequest, listPayments, MAX_KEYS_EXAMINED } from '../src/history/list-payments.ts';
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
await small.connection.close();
await grown.connection.close();
await infra.stop();
