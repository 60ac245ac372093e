import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tollgate/contracts/platform/durations';
/**
 * `TEST_INFRA=embedded node bench/month-of-minutes.ts`: queries a month of one application over NATS, as the gateway
 * does. Each minute has requests of 5 keys, 3 operations, and 3 outcomes. Prints how long the replies take, in ms.
 * MongoDB and NATS run as separate processes.
 */
import { newId } from '@tollgate/contracts/platform/ids';
import { bucketOf } from '@tollgate/contracts/usage/log-linear-histogram';
import { queryUsage, totalUsage } from '@tollgate/contracts/usage/rpc';
import { addLatency, emptyLatency, kindOf } from '../src/packing/packed-rows.ts';
import type { Slot } from '../src/packing/packed-slots.ts';
import { emptySum, packSum } from '../src/roll-up/slot-sum.ts';
import { type Harness, NOW, startHarness } from '../test/harness.ts';
import { aCaller, type TestCaller } from '../test/windows.ts';

const DAYS = 30;
const KEYS = 5;
const OPERATIONS = 3;
const OUTCOMES = 3;
/** Requests per row and minute. */
const REQUESTS = 20;
const MINUTES_PER_PAGE = 2_000;
const REPEATS = 5;

const TO_MS = NOW;
const FROM_MS = TO_MS - DAYS * DAY_MS;

/** A multiplicative generator: every run has the same month. */
let state = 1;
function random(): number {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
}

function aMinute(keyIds: string[], keys: string[]): Slot {
  const sum = { ...emptySum(), windows: 60 };
  for (const keyId of keyIds) {
    for (let kind = 0; kind < OPERATIONS * OUTCOMES; kind++) {
      const latency = emptyLatency();
      // Most take some milliseconds, a few far longer.
      for (let request = 0; request < REQUESTS; request++)
        addLatency(latency, bucketOf(3_000 / (1 - random())), 1);
      const row = {
        keyId,
        kind: kindOf(Math.floor(kind / OUTCOMES), kind % OUTCOMES),
        requests: REQUESTS,
        latency,
      };
      sum.rows.set(`${keyId} ${kind}`, row);
    }
  }
  return packSum(sum, keys);
}

async function storeMonth(harness: Harness, caller: TestCaller): Promise<void> {
  const { app } = await harness.startService({ isStarted: false });
  const keyIds = Array.from({ length: KEYS }, () => newId('apiKey'));
  const series = {
    team_id: caller.team_id,
    application_id: caller.application_id,
    environment: caller.environment,
  };
  for (let hourMs = FROM_MS; hourMs < TO_MS; hourMs += HOUR_MS) {
    const keys: string[] = [];
    const slots = new Map(Array.from({ length: 60 }, (_, minute) => [minute, aMinute(keyIds, keys)]));
    await app.context.levels.minute.write({ ...series, at: new Date(hourMs), version: 0, keys, slots });
  }
  await app.rollUp();
}

/** Minimum, median, and maximum over several repeats. */
async function timed(what: string, ask: () => Promise<string>) {
  const tookMs: number[] = [];
  let response = '';
  for (let repeat = 0; repeat <= REPEATS; repeat++) {
    const startMs = performance.now();
    response = await ask();
    // The first repeat warms up the compiler.
    if (repeat > 0) tookMs.push(performance.now() - startMs);
  }
  tookMs.sort((a, b) => a - b);
  const at = (place: number) => Math.round(tookMs.at(place) as number);
  return {
    what,
    answer: response,
    'shortest ms': at(0),
    'median ms': at(REPEATS >> 1),
    'longest ms': at(-1),
  };
}

const harness = await startHarness();
try {
  const caller = aCaller();
  await storeMonth(harness, caller);
  await harness.startService();
  const { team_id, application_id } = caller;
  const asked = (fromMs: number, toMs: number) => ({
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    application_id,
  });
  const total = (granularity: 'minute' | 'hour', fromMs = FROM_MS) =>
    harness.call(team_id, totalUsage, {
      ...asked(fromMs, TO_MS - 7 * MINUTE_MS),
      granularity,
      group_by: 'key',
    });
  const page = async (fromMs: number) => {
    const toMs = Math.min(fromMs + MINUTES_PER_PAGE * MINUTE_MS, TO_MS);
    return (await harness.call(team_id, queryUsage, { ...asked(fromMs, toMs), granularity: 'minute' })).data
      .length;
  };
  const hours = (group_by?: string) =>
    harness.call(team_id, queryUsage, {
      ...asked(FROM_MS, TO_MS),
      granularity: 'hour',
      ...(group_by && { group_by }),
    });

  console.table([
    await timed('the month from minute to minute, by key', async () => {
      const { groups } = await total('minute', FROM_MS + 7 * MINUTE_MS);
      return `${groups.length} groups of ${groups[0]?.requests} requests`;
    }),
    await timed('the month by hours', async () => `${(await hours()).data.length} rows`),
    await timed(
      'the month by hours and keys, first page',
      async () => `${(await hours('key')).data.length} rows`,
    ),
    await timed(`${MINUTES_PER_PAGE} minutes`, async () => `${await page(FROM_MS)} rows`),
    await timed('all minutes of the month, one page after another', async () => {
      let rows = 0;
      for (let fromMs = FROM_MS; fromMs < TO_MS; fromMs += MINUTES_PER_PAGE * MINUTE_MS)
        rows += await page(fromMs);
      return `${rows} rows`;
    }),
  ]);
} finally {
  await harness.stop();
}
