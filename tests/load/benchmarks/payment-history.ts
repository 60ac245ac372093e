import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { newId } from '@tollgate/contracts/platform/ids';
import { createHistoryStore, type HistoryStore } from '@tollgate/payments/history/history-store';
import { type ListRequest, listPayments } from '@tollgate/payments/history/list-payments';
import { paymentsSchema } from '@tollgate/payments/schema';
import {
  aLongHistory,
  createdAtOf,
  insertHistory,
  type LongHistory,
  payerOf,
} from '@tollgate/payments/test/a-long-history';
import { createLogger } from '@tollgate/runtime/logger';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { prepareDatabase } from '@tollgate/store/schema/prepare-database';
import { type Infra, startInfra } from '@tollgate/test-kit/infra';
import type { Benchmark, Comparison } from '../benchmark.ts';
import { spreadOf } from '../statistics.ts';

const SMALL = 10_000;
/** HISTORY_PAYMENTS=1000000 is the long form. */
const LARGE = Number(process.env['HISTORY_PAYMENTS'] ?? 100_000);
const MS_BETWEEN = 2_500;
const PAGE_SIZE = 25;
const AIM = 1.2;

/** A team with payments, in a database of its own, so that no index is shared. */
interface Team {
  name: string;
  connection: Awaited<ReturnType<typeof connectMongoDB>>;
  history: HistoryStore;
  payments: LongHistory;
  viewer: MemberActor;
}

type Request = (team: Team) => ListRequest;

const PAGES: Record<string, Request> = {
  'Newest page of payments': () => ({}),
  'Middle page of payments': ({ payments }) => ({
    created_to: createdAtOf(payments, Math.floor(payments.size / 2)).toISOString(),
  }),
  'Search for the email of a payer': ({ payments }) => ({ search: payerOf(Math.floor(payments.size / 2)) }),
  'Search for the beginning of a reference, which 111 payments have': ({ payments }) => ({
    search: `order-${'9'.repeat(String(payments.size - 1).length - 2)}`,
  }),
  'Search for a text that every payment has': () => ({ search: 'order' }),
  'Range of amounts, which 100 payments have': ({ payments }) => ({
    currency: 'EUR',
    amount_min: 1_000,
    amount_max: 999 + 4_000_000 / payments.size,
  }),
};

/** Reads and searches a team's payments: in a short history, and in a long one. */
export const paymentHistory: Benchmark = async ({ rounds, secondsPerRound }) => {
  const infra = await startInfra({ mongodb: true });
  const teams: Team[] = [];
  try {
    for (const size of [SMALL, LARGE]) teams.push(await createTeam(infra, size));
    const comparisons: Comparison[] = [];
    for (const [title, request] of Object.entries(PAGES)) {
      const figures: Record<string, number[]> = Object.fromEntries(teams.map(({ name }) => [name, []]));
      // The first round warms up.
      for (let round = 0; round <= rounds; round += 1) {
        const medians = await measurePages(teams, request, secondsPerRound * 1000);
        if (round > 0) for (const [name, ms] of Object.entries(medians)) figures[name]?.push(ms);
      }
      const aim = { subject: nameOf(LARGE), atMost: AIM };
      comparisons.push({ title, figure: 'latency (ms)', figures, baseline: nameOf(SMALL), aim });
    }
    return comparisons;
  } finally {
    for (const { connection } of teams) await connection.close();
    await infra.stop();
  }
};

function nameOf(size: number): string {
  return `${size.toLocaleString('en')} payments`;
}

async function createTeam({ mongodbUrl }: Infra, size: number): Promise<Team> {
  const logger = createLogger({ service: 'tests', level: 'silent' });
  const database = `payments_${size}`;
  const connection = await connectMongoDB({ url: mongodbUrl, database, appName: 'tests', logger });
  await prepareDatabase(connection, paymentsSchema, { maxDocuments: 0, release: 'benchmark' });
  const payments = aLongHistory({ size, newest: new Date(), msBetween: MS_BETWEEN });
  await insertHistory(connection, payments);
  return {
    name: nameOf(size),
    connection,
    history: createHistoryStore(connection),
    payments,
    viewer: viewerOf(payments.teamId),
  };
}

function viewerOf(teamId: string): MemberActor {
  return {
    type: 'member',
    member_id: newId('member'),
    team_id: teamId,
    role: 'viewer',
    address: null,
    session_id: newId('session'),
    authenticated_at: '2999-01-01T00:00:00.000Z',
    name: 'Ada',
    user_agent: 'benchmark',
    request_id: null,
  };
}

/** The median time of a page for each team. The teams take turns, so that other load on the machine affects all. */
async function measurePages(
  teams: Team[],
  request: Request,
  durationMs: number,
): Promise<Record<string, number>> {
  const times: Record<string, number[]> = Object.fromEntries(teams.map(({ name }) => [name, []]));
  const endsAtMs = performance.now() + durationMs;
  while (performance.now() < endsAtMs)
    for (const team of teams) times[team.name]?.push(await timePage(team, request(team)));
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, spreadOf(all).median]));
}

async function timePage({ history, viewer }: Team, request: ListRequest): Promise<number> {
  const startedAtMs = performance.now();
  const page = await listPayments({ history }, viewer, {
    environment: 'sandbox',
    limit: PAGE_SIZE,
    ...request,
  });
  const elapsedMs = performance.now() - startedAtMs;
  if (page.data.length !== PAGE_SIZE) throw new Error(`A page has ${page.data.length} payments.`);
  return elapsedMs;
}
