import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import {
  USAGE_GRANULARITIES,
  USAGE_OPERATIONS,
  USAGE_OUTCOMES,
  type UsageWindow,
} from '@tollgate/contracts/usage/usage';
import { createLogger } from '@tollgate/runtime/logger';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DIVISIONS } from '../src/periods/granularity.ts';
import { queryUsage } from '../src/queries/query-usage.ts';
import type { Levels } from '../src/roll-up/level-store.ts';
import { rollUp } from '../src/roll-up/roll-up.ts';
import { rollUpLevel } from '../src/roll-up/roll-up-level.ts';
import { rollUpWindows } from '../src/roll-up/roll-up-windows.ts';
import { type Harness, NOW, type Service, startHarness } from './harness.ts';
import { aCaller, createTestGateway, type TestCaller, type TestRequest } from './windows.ts';

/** How many times fast-check runs the property. */
const RUNS = 6;

let harness: Harness;
let services: [Service, Service];

beforeAll(async () => {
  harness = await startHarness();
  services = [
    await harness.startService({ isStarted: false }),
    await harness.startService({ isStarted: false }),
  ];
});
afterAll(() => harness.stop());

type Pause = (parts: Parts, standStill: () => Promise<void>) => Parts;

function pauseBefore(granularity: 'minute' | 'hour' | 'day', step: 'read' | 'write' | 'markRolledUp'): Pause {
  return (parts, standStill) => {
    const level = parts.levels[granularity];
    const paused = async (argument: never) => {
      await standStill();
      return level[step](argument) as never;
    };
    return { ...parts, levels: { ...parts.levels, [granularity]: { ...level, [step]: paused } } };
  };
}

/** Points within a run at which another instance may do anything. */
const PAUSES: [string, Pause][] = [
  ['before it read the minute’s document', pauseBefore('minute', 'read')],
  [
    'after it had read the windows',
    (parts, standStill) => ({
      ...parts,
      windows: {
        ...parts.windows,
        async *listOfMinute(minuteMs) {
          yield* parts.windows.listOfMinute(minuteMs);
          await standStill();
        },
      },
    }),
  ],
  ['before it wrote minutes', pauseBefore('minute', 'write')],
  [
    'before it marked the windows',
    (parts, standStill) => ({
      ...parts,
      windows: {
        ...parts.windows,
        async markRolledUp(windows) {
          await standStill();
          await parts.windows.markRolledUp(windows);
        },
      },
    }),
  ],
  ['before it read hours', pauseBefore('hour', 'read')],
  ['before it wrote hours', pauseBefore('hour', 'write')],
  ['before it marked minutes', pauseBefore('minute', 'markRolledUp')],
  ['before it wrote days', pauseBefore('day', 'write')],
  ['before it marked hours', pauseBefore('hour', 'markRolledUp')],
];

/** How far another instance gets before it crashes. */
const REACHES: [string, (parts: Parts) => Promise<unknown>][] = [
  ['minutes', toMinutes],
  ['hours', toHours],
  ['days', rollUp],
];

function toMinutes(parts: Parts): Promise<number> {
  return rollUpWindows(parts);
}

async function toHours(parts: Parts): Promise<void> {
  await toMinutes(parts);
  await rollUpLevel(parts, parts.levels.minute, parts.levels.hour);
}

/** One request of a model: indexes into resources of the run, so that every run has its own teams. */
const request = fc.record({
  caller: fc.nat(3),
  gateway: fc.nat(1),
  operation: fc.constantFrom(...USAGE_OPERATIONS),
  outcome: fc.constantFrom(...USAGE_OUTCOMES),
  durationUs: fc.nat(3_000_000),
  /** Few minutes and days, so that many requests share one. */
  ageMs: fc
    .tuple(fc.nat(2), fc.nat(2), fc.nat(1), fc.nat(59))
    .map(
      ([days, hours, minutes, seconds]) =>
        days * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS,
    ),
});
/** The order in which windows arrive, which arrive again, and after which of them a roll-up runs. */
const schedule = fc.record({
  seed: fc.nat(),
  repeats: fc.nat(5),
  rollUpEvery: fc.integer({ min: 1, max: 6 }),
});

type ModelRequest = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

function createWindows(requests: ModelRequest[]): { teamId: string; windows: UsageWindow[] } {
  const first = aCaller();
  const { team_id, application_id } = first;
  const callers: TestCaller[] = [
    first,
    aCaller({ team_id, application_id }),
    aCaller({ team_id, application_id, environment: 'live' }),
    aCaller({ team_id }),
  ];
  const gateways = [createTestGateway(), createTestGateway()] as const;
  const bySecond = Map.groupBy(requests, ({ gateway, ageMs }) => `${gateway} ${ageMs}`);
  const windows = [...bySecond.values()].map((together) => {
    const { gateway, ageMs } = together[0] as ModelRequest;
    const rows = together.map(
      ({ caller, operation, outcome, durationUs }): TestRequest => ({
        caller: callers[caller] as TestCaller,
        operation,
        outcome,
        durationUs,
      }),
    );
    return (gateways[gateway] as (typeof gateways)[0]).window(NOW - ageMs, rows);
  });
  return { teamId: team_id, windows };
}

function shuffled<Item>(items: Item[], seed: number): Item[] {
  let state = seed + 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state;
  };
  return items
    .map((item) => [next(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

const ALL_GROUPS = 'application,key,environment,operation,outcome';

/** Requests of each point, key, operation, and outcome, counted one by one. */
function naiveCount(
  windows: UsageWindow[],
  granularity: (typeof USAGE_GRANULARITIES)[number],
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { at, rows } of windows) {
    const point = new Date(DIVISIONS[granularity].pointOf(Date.parse(at))).toISOString();
    for (const row of rows) {
      const name = [point, row.application_id, row.key_id, row.environment, row.operation, row.outcome].join(
        ' ',
      );
      counts[name] = (counts[name] ?? 0) + row.requests;
    }
  }
  return counts;
}

async function queried(levels: Levels, teamId: string, granularity: (typeof USAGE_GRANULARITIES)[number]) {
  const range = {
    from: new Date(NOW - (granularity === 'minute' ? 1 : 10) * DAY_MS),
    to: new Date(NOW + DAY_MS),
  };
  const parts =
    granularity === 'minute'
      ? [3, 2, 1, 0].map((days) => ({
          from: new Date(NOW - (days + 1) * DAY_MS + MINUTE_MS),
          to: new Date(NOW - days * DAY_MS + MINUTE_MS),
        }))
      : [range];
  const counts: Record<string, number> = {};
  for (const { from, to } of parts) {
    const { data } = await queryUsage({ levels, clock: harness.clock }, teamId, {
      from: from.toISOString(),
      to: to.toISOString(),
      granularity,
      group_by: ALL_GROUPS,
    });
    for (const row of data)
      counts[
        [row.at, row.application_id, row.key_id, row.environment, row.operation, row.outcome].join(' ')
      ] = row.requests;
  }
  return counts;
}

async function expectNaiveCounts(teamId: string, windows: UsageWindow[]) {
  for (const granularity of USAGE_GRANULARITIES)
    expect(await queried(services[0].app.context.levels, teamId, granularity)).toEqual(
      naiveCount(windows, granularity),
    );
}

describe('minutes, hours and days', () => {
  it('equal a naive count, whatever the order and repetition of windows, and whichever instances roll up at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 40 }),
        schedule,
        async (requests, { seed, repeats, rollUpEvery }) => {
          const { teamId, windows } = createWindows(requests);
          const arriving = shuffled([...windows, ...windows.slice(0, repeats)], seed);
          for (const [index, window] of arriving.entries()) {
            await (services[index % 2] as Service).app.ingest(window);
            if (index % rollUpEvery === 0) await Promise.all(services.map(({ app }) => app.rollUp()));
          }
          await Promise.all(services.map(({ app }) => app.rollUp()));
          await expectNaiveCounts(teamId, windows);
          // Everything once more, as after a replay of the whole stream.
          for (const window of windows) await services[0].app.ingest(window);
          await services[1].app.rollUp();
          await expectNaiveCounts(teamId, windows);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('minutes, hours and days are complete after a crash before or after each single write of a run, once another run follows', async () => {
    const requests = fc.sample(request, { numRuns: 3, seed: 7 });
    for (let crashAt = 0, isCrashed = true; isCrashed; crashAt++) {
      const { teamId, windows } = createWindows(requests);
      for (const window of windows) await services[0].app.ingest(window);
      isCrashed = await rollUpAndCrash(crashAt);
      await services[1].app.rollUp();
      await expectNaiveCounts(teamId, windows);
    }
  });

  it.each(
    PAUSES.flatMap(([where, pausedAt]) =>
      REACHES.map(([reach, other]) => ({ where, pausedAt, reach, other })),
    ),
  )(
    'minutes, hours and days include what another instance added up to $reach while this one was paused $where',
    async ({ pausedAt, other }) => {
      const caller = aCaller();
      const gateways = [createTestGateway(), createTestGateway()] as const;
      const windowOf = (gateway: (typeof gateways)[number], requests: TestRequest[]) =>
        gateway.window(NOW - MINUTE_MS, requests);
      // The documents already exist, so that only their version reveals the conflict.
      const before = windowOf(gateways[0], [{ caller }]);
      await services[0].app.ingest(before);
      await services[0].app.rollUp();
      const own = windowOf(gateways[0], [{ caller, outcome: 'replayed' }]);
      await services[0].app.ingest(own);
      const meanwhile = windowOf(gateways[1], [
        { caller },
        { caller: { ...caller, key_id: newId('apiKey') } },
      ]);
      let stoodStill = 0;
      await rollUp(
        pausedAt(partsOf(services[0]), async () => {
          if (stoodStill++ > 0) return;
          await services[1].app.ingest(meanwhile);
          await other(partsOf(services[1]));
        }),
      );
      expect(stoodStill).toBeGreaterThan(0);
      await services[1].app.rollUp();
      await expectNaiveCounts(caller.team_id, [before, own, meanwhile]);
    },
  );

  it('minutes, hours and days keep a minute whose windows have expired unchanged, and report it', async () => {
    const caller = aCaller();
    const gateway = createTestGateway();
    const { app, connection } = services[0];
    const windows = [1, 2].map((second) => gateway.window(NOW + second * SECOND_MS, [{ caller }]));
    for (const window of windows) await app.ingest(window);
    await app.rollUp();
    await connection.collection('windows').deleteMany({ gateway_id: gateway.gatewayId });
    await app.ingest(gateway.window(NOW + 3 * SECOND_MS, [{ caller }]));
    await app.rollUp();
    await expectNaiveCounts(caller.team_id, windows);
    expect(harness.logLines.join('')).toContain('usage windows of a minute have expired');
  });

  it('minutes, hours and days never let uncounted windows expire, and let the rest expire on time', async () => {
    const caller = aCaller();
    const gateway = createTestGateway();
    const { app, connection } = services[0];
    const expiryOf = async (collection: string, filter: object) =>
      (await connection.collection(collection).findOne(filter))?.['expires_at'];
    await app.ingest(gateway.window(NOW, [{ caller }]));
    expect(await expiryOf('windows', { gateway_id: gateway.gatewayId })).toBeUndefined();
    await app.rollUp();
    const { team_id } = caller;
    expect(await expiryOf('windows', { gateway_id: gateway.gatewayId })).toEqual(new Date(NOW + 8 * DAY_MS));
    expect(await expiryOf('minutes', { team_id })).toEqual(new Date(NOW + 35 * DAY_MS + HOUR_MS));
    expect(await expiryOf('hours', { team_id })).toEqual(new Date(NOW - 12 * HOUR_MS + 397 * DAY_MS));
    expect(await expiryOf('days', { team_id })).toBeUndefined();
  });
});

type Parts = Parameters<typeof rollUp>[0];

function partsOf({ app }: Service): Parts {
  const { windows, levels, metrics } = app.context;
  return {
    windows,
    levels,
    metrics,
    logger: createLogger({ service: 'usage', level: 'silent' }),
  };
}

/**
 * Crashes at the n-th write: before it when n is even, after it when odd. Resolves to whether the run reached that
 * write.
 */
async function rollUpAndCrash(crashAt: number): Promise<boolean> {
  const parts = partsOf(services[0]);
  let writes = 0;
  const dying =
    <Arguments extends unknown[], Result>(write: (...args: Arguments) => Promise<Result>) =>
    async (...args: Arguments): Promise<Result> => {
      const isLast = writes++ === Math.floor(crashAt / 2);
      if (isLast && crashAt % 2 === 0) throw new Crash();
      const result = await write(...args);
      if (isLast) throw new Crash();
      return result;
    };
  const level = (store: Levels['minute']) => ({
    ...store,
    write: dying(store.write),
    markRolledUp: dying(store.markRolledUp),
  });
  const { minute, hour, day } = parts.levels;
  try {
    await rollUp({
      ...parts,
      windows: { ...parts.windows, markRolledUp: dying(parts.windows.markRolledUp) },
      levels: { minute: level(minute), hour: level(hour), day },
    });
    return false;
  } catch (error) {
    if (error instanceof Crash) return true;
    throw error;
  }
}

class Crash extends Error {}
