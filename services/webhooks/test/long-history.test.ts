import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { firstIdAt } from '@tollgate/contracts/platform/id-time';
import { newId } from '@tollgate/contracts/platform/ids';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import { type Connection, createConnection, type mongo } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../src/context.ts';
import { newDelivery } from '../src/deliveries/delivery.ts';
import {
  createDeliveryStore,
  type DeliveryFilter,
  type DeliveryStore,
  type EndpointScope,
} from '../src/deliveries/delivery-store.ts';
import { listDeliveries } from '../src/deliveries/list-deliveries.ts';
import type { Endpoint } from '../src/endpoints/endpoint.ts';
import { createEndpointStore } from '../src/endpoints/endpoint-store.ts';
import { type StoredEvent, storedEvent } from '../src/fan-out/event.ts';
import { createEventStore, type EventStore } from '../src/fan-out/event-store.ts';
import { anEvent, type Harness, startHarness } from './harness.ts';

/** A delivery's id as it would be of that time: its first ten digits. */
const DIGITS_OF_TIME = 'dlv_'.length + 10;
const idAt = (kind: 'delivery' | 'event', timeMs: number) =>
  firstIdAt(kind, timeMs).slice(0, DIGITS_OF_TIME) + newId(kind).slice(DIGITS_OF_TIME);

const LONG = 2_000;
/** Number of deliveries, and of events, from the last day. Half of the deliveries are pending. */
const YOUNG = 10;
const SAMPLE = 100;
/** Number of deliveries in each rare status, older than all the others. */
const RARE = 3;

let harness: Harness;
let connection: Connection;
let store: DeliveryStore;
let scope: EndpointScope;
let eventStore: EventStore;
let owner: Pick<StoredEvent, 'team_id' | 'application_id' | 'environment'>;
let context: Pick<Context, 'deliveries' | 'endpoints'>;
const commands: mongo.CommandStartedEvent[] = [];

beforeAll(async () => {
  harness = await startHarness();
  const service = await harness.startService({ isStarted: false });
  const registering = await harness.startService();
  const application = await harness.anApplication();
  const { id } = await harness.anEndpoint(application, 'http://127.0.0.1:9/');
  await registering.stop();
  scope = { team_id: application.teamId, endpoint_id: id };
  connection = createConnection(harness.infra.mongodbUrl, {
    dbName: 'tollgate_webhooks',
    monitorCommands: true,
    autoIndex: false,
  });
  await connection.asPromise();
  connection.getClient().on('commandStarted', (command) => commands.push(command));
  store = createDeliveryStore(connection);
  context = { deliveries: store, endpoints: createEndpointStore(connection) };
  const endpoint = (await service.app.context.endpoints.find(scope.team_id, id)) as Endpoint;
  const now = harness.clock.now();
  function documentAt(createdAt: number) {
    const at = new Date(createdAt);
    const delivery = newDelivery(storedEvent(anEvent(application), at), endpoint, at);
    return { ...delivery, _id: idAt('delivery', createdAt) };
  }
  const ended = { status: 'succeeded', next_attempt_at: null } as const;
  const deliveries = connection.collection('deliveries') as unknown as mongo.Collection<{ _id: string }>;
  await deliveries.insertMany(
    Array.from({ length: LONG }, () => ({ ...documentAt(now - 10 * DAY_MS), ...ended })),
  );
  await deliveries.insertMany(
    (['failed', 'skipped', 'canceled'] as const).flatMap((status) =>
      Array.from({ length: RARE }, () => ({
        ...documentAt(now - 20 * DAY_MS),
        status,
        next_attempt_at: null,
      })),
    ),
  );
  const events = Array.from({ length: LONG }, (_, index) => {
    const at = now - (index < YOUNG ? 0 : 10 * DAY_MS);
    return storedEvent(
      { ...anEvent(application, { at: new Date(at) }), id: idAt('event', at) },
      new Date(now),
    );
  });
  eventStore = createEventStore(connection);
  await eventStore.insertMissing(events);
  owner = { team_id: application.teamId, application_id: application.id, environment: 'sandbox' };
  await deliveries.insertMany(
    Array.from({ length: YOUNG }, (_, index) => ({ ...documentAt(now), ...(index % 2 === 0 && ended) })),
  );
});
afterAll(async () => {
  await connection.close();
  await harness.stop();
});

/** What it returns, and the documents that MongoDB looks at for it, by its own account. */
async function costOf<Answer>(run: () => Promise<Answer>): Promise<{ answer: Answer; documents: number }> {
  commands.length = 0;
  const response = await run();
  let documents = 0;
  for (const { command } of [...commands]) {
    const { lsid: _, $db: __, txnNumber: ___, writeConcern: ____, ...explained } = command;
    const plan = await connection.db?.command({ explain: queryOf(explained), verbosity: 'executionStats' });
    documents += documentsIn(plan ?? {});
  }
  return { answer: response, documents };
}

/** A write reads the documents of its query, with the same plan. */
function queryOf(command: mongo.Document): mongo.Document {
  const [write] = (command['updates'] ?? []) as mongo.Document[];
  return write ? { find: command['update'], filter: write['q'], hint: write['hint'] } : command;
}

/** Searches the whole plan, because the plan of an aggregation nests the count more deeply. */
function documentsIn(plan: Record<string, unknown>): number {
  const found = /"totalDocsExamined":(\d+)/.exec(JSON.stringify(plan))?.[1];
  if (found === undefined) throw new Error(`The plan says nothing of documents: ${JSON.stringify(plan)}`);
  return Number(found);
}

function filter(wanted: DeliveryFilter): DeliveryFilter {
  return { environment: 'sandbox', ...wanted };
}

it('an endpoint with a long history counts pending deliveries by reading pending ones only', async () => {
  const { answer, documents } = await costOf(() => store.countPending(scope));
  expect(answer).toBe(YOUNG / 2);
  expect(documents).toBeLessThanOrEqual(YOUNG);
});

it('an endpoint with a long history limits how long the queries for its health may take', async () => {
  commands.length = 0;
  await Promise.all([store.countPending(scope), store.sampleAttempts(scope, new Date(0), SAMPLE)]);
  expect(commands.map(({ commandName, command }) => [commandName, command.maxTimeMS]).toSorted()).toEqual([
    ['aggregate', QUERY_TIME_MS],
    ['find', QUERY_TIME_MS],
  ]);
});

it('an endpoint with a long history reads no more deliveries for its daily health than it samples', async () => {
  const since = new Date(harness.clock.now() - DAY_MS);
  const { answer, documents } = await costOf(() => store.sampleAttempts(scope, since, SAMPLE));
  expect(answer).toHaveLength(YOUNG);
  expect(documents).toBeLessThanOrEqual(SAMPLE);
});

it.each([
  ['failed', RARE],
  ['skipped', RARE],
  ['canceled', RARE],
  ['pending', YOUNG / 2],
] as const)(
  'an endpoint with a long history lists %s deliveries, of the endpoint and of the team, by reading few others',
  async (status, count) => {
    for (const ofEndpoint of [{ endpoint_id: scope.endpoint_id }, {}]) {
      const { answer, documents } = await costOf(() =>
        listDeliveries(context, scope.team_id, filter({ status, ...ofEndpoint }), {
          limit: 25,
          cursor: null,
        }),
      );
      expect(answer.rows.map((row) => row.status)).toEqual(Array(count).fill(status));
      // Those that are pending are counted first.
      expect(documents).toBeLessThanOrEqual(2 * count + 1);
    }
  },
);

it('an endpoint with a long history lists a day by reading the deliveries of that day', async () => {
  const created_from = new Date(harness.clock.now() - DAY_MS).toISOString();
  const { answer, documents } = await costOf(() =>
    listDeliveries(context, scope.team_id, filter({ created_from }), { limit: 25, cursor: null }),
  );
  expect(answer.rows).toHaveLength(YOUNG);
  expect(documents).toBeLessThanOrEqual(YOUNG);
});

it('an endpoint with a long history recovers failed and skipped deliveries by reading only those since the given time', async () => {
  const [now, yesterday] = [new Date(harness.clock.now()), new Date(harness.clock.now() - DAY_MS)];
  for (const status of ['failed', 'skipped'] as const) {
    const { answer, documents } = await costOf(() => store.resume(scope, status, yesterday, now));
    expect([answer, documents]).toEqual([0, 0]);
    const all = await costOf(() => store.resume(scope, status, new Date(0), now));
    expect(all.answer).toBe(RARE);
    expect(all.documents).toBeLessThanOrEqual(RARE);
  }
});

it('an endpoint with a long history searches for missed events only since the given time', async () => {
  const since = new Date(harness.clock.now() - DAY_MS);
  const wanted = { types: ['payment.succeeded' as const], since, after: '', limit: SAMPLE };
  const { answer, documents } = await costOf(() => eventStore.listWanted(owner, wanted));
  expect(answer).toHaveLength(YOUNG);
  expect(documents).toBeLessThanOrEqual(YOUNG);
});

it('an endpoint with a long history ends pending deliveries by reading pending ones only', async () => {
  const { documents } = await costOf(() => store.endPending(scope, 'skipped'));
  expect(documents).toBeLessThanOrEqual(YOUNG + 2 * RARE);
  expect(await store.countPending(scope)).toBe(0);
});
