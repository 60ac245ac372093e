/*
 * Measures the totals of a year, and how long the roll-up of all its payments takes.
 * Usage: TEST_INFRA=embedded node bench/totals.ts [payments]
 */

import { newId } from '@tollgate/contracts/platform/ids';
import { createLogger } from '@tollgate/runtime/logger';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { prepareDatabase } from '@tollgate/store/schema/prepare-database';
import { startInfra } from '@tollgate/test-kit/infra';
import { createHistoryStore } from '../src/history/history-store.ts';
import { createPaymentSummaries } from '../src/history/summarize-payments.ts';
import { type TotalsRequest, totalPayments } from '../src/history/total-payments.ts';
import { createResetStore } from '../src/sandbox-reset/sandbox-reset.ts';
import { paymentsSchema } from '../src/schema.ts';
import { PAYMENT_INDEXES } from '../src/store/payment-indexes.ts';
import { createCountedPayments } from '../src/totals/counted-payments.ts';
import { rollUpPayments } from '../src/totals/follow-changes.ts';
import { createRollUpStore } from '../src/totals/roll-up-store.ts';
import { aLongHistory, insertHistory } from '../test/a-long-history.ts';

const DEFAULT_PAYMENTS = 1_000_000;
const YEAR_MS = 365 * 86_400_000;
const ROUNDS = 100;

const size = Number(process.argv[2] ?? DEFAULT_PAYMENTS);
const infra = await startInfra({ mongodb: true });
const say = (line: string) => process.stdout.write(`${line}\n`);
const logger = createLogger({ service: 'bench', level: 'silent' });
const connection = await connectMongoDB({
  url: infra.mongodbUrl,
  database: 'payments',
  appName: 'bench',
  logger,
});
// The indexes that totals read. With all of them, the insertion would take most of the time.
const READ = ['history', 'history_succeeded'];
const indexes = {
  ...paymentsSchema.indexes,
  payments: PAYMENT_INDEXES.filter(
    ({ name, key }) => READ.includes(name ?? '') || 'updated_at,_id' === `${Object.keys(key)}`,
  ),
};
await prepareDatabase(connection, { ...paymentsSchema, indexes }, { maxDocuments: 0, release: 'bench' });
const now = Date.now();
const team = aLongHistory({ size, newest: new Date(now - 1_000), msBetween: YEAR_MS / size });
await timed(`insert ${size} payments`, () => insertHistory(connection, team));

const clock = { now: () => Date.now() };
const deps = {
  ...{ clock, logger, stopping: new AbortController().signal },
  history: createHistoryStore(connection),
  counted: createCountedPayments(connection),
  rollUps: createRollUpStore(connection),
  resets: createResetStore(connection),
};
const due = () => connection.collection('payment_roll_ups').countDocuments({ due_at: { $lte: new Date() } });
await timed('follow all changes, and compute the first batch', () => rollUpPayments(deps));
await timed('compute all roll-ups', async () => {
  while ((await due()) > 0) await rollUpPayments(deps);
});

const viewer = {
  ...{ type: 'member' as const, member_id: newId('member'), role: 'viewer' as const, address: null },
  ...{ session_id: newId('session'), authenticated_at: '2999-01-01T00:00:00.000Z', name: 'Ada' },
  ...{ user_agent: 'bench', request_id: null, team_id: team.teamId },
};
const before = (days: number) => new Date(now - days * 86_400_000 + 7 * 60_000 + 1).toISOString();
const REQUESTS: Record<string, Partial<TotalsRequest>> = {
  'a year by creation': { created_from: before(365) },
  'a year by success': { succeeded_from: before(365) },
  'a year of one application': {
    created_from: before(365),
    application_id: team.applicationIds[0] as string,
  },
  'a month by creation': { created_from: before(60), created_to: before(30) },
  today: { created_from: before(1) },
};
for (const [name, request] of Object.entries(REQUESTS)) {
  await measured(name, () => totalPayments(deps, viewer, { environment: 'sandbox', ...request }));
}
const summaries = createPaymentSummaries(deps);
await measured('summary of 30 days', () =>
  summaries.summarize(viewer, { environment: 'sandbox', period: '30d' }),
);
await connection.close();
await infra.stop();

async function measured(name: string, run: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(times.length * share)] as number).toFixed(0);
  say(`${name}: median ${at(0.5)} ms, p95 ${at(0.95)} ms`);
}

async function timed(name: string, run: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await run();
  say(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
}
