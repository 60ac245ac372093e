import { type Connection, createConnection, type mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDelivery } from '../src/deliveries/delivery.ts';
import { toDocument } from '../src/deliveries/delivery-document.ts';
import {
  createDeliveryStore,
  type DeliveryStore,
  type EndpointScope,
} from '../src/deliveries/delivery-store.ts';
import type { Endpoint } from '../src/endpoints/endpoint.ts';
import { anEvent, type Harness, startHarness } from './harness.ts';

const DAY_MS = 24 * 3_600_000;
const LONG = 2_000;
/** Of the last day; the one half is pending. */
const YOUNG = 10;
const SAMPLE = 100;

let harness: Harness;
let connection: Connection;
let store: DeliveryStore;
let scope: EndpointScope;
const commands: mongo.CommandStartedEvent[] = [];

beforeAll(async () => {
  harness = await startHarness();
  const service = await harness.startService({ isStarted: false });
  const registering = await harness.startService();
  const application = await harness.anApplication();
  const { id } = await harness.anEndpoint(application, 'http://127.0.0.1:9/');
  await registering.stop();
  scope = { teamId: application.teamId, endpointId: id };
  connection = createConnection(harness.infra.mongodbUrl, {
    dbName: 'tollgate_webhooks',
    monitorCommands: true,
    autoIndex: false,
  });
  await connection.asPromise();
  connection.getClient().on('commandStarted', (command) => commands.push(command));
  store = await createDeliveryStore(connection);
  const endpoint = (await service.app.context.endpoints.find(scope.teamId, id)) as Endpoint;
  const now = harness.clock.now();
  function documentAt(createdAt: number) {
    const { id: eventId, type, data } = anEvent(application);
    const event = { id: eventId, type, paymentId: data.id };
    return toDocument(newDelivery(event, endpoint, new Date(createdAt)));
  }
  const ended = { status: 'succeeded', next_attempt_at: null } as const;
  const deliveries = connection.collection('deliveries') as unknown as mongo.Collection<{ _id: string }>;
  await deliveries.insertMany(
    Array.from({ length: LONG }, () => ({ ...documentAt(now - 10 * DAY_MS), ...ended })),
  );
  await deliveries.insertMany(
    Array.from({ length: YOUNG }, (_, index) => ({ ...documentAt(now), ...(index % 2 === 0 && ended) })),
  );
});
afterAll(async () => {
  await connection.close();
  await harness.stop();
});

/** What it answers, and the documents that MongoDB looks at for it, by its own account. */
async function costOf<Answer>(run: () => Promise<Answer>): Promise<{ answer: Answer; documents: number }> {
  commands.length = 0;
  const answer = await run();
  let documents = 0;
  for (const { command } of [...commands]) {
    const { lsid: _, $db: __, txnNumber: ___, writeConcern: ____, ...explained } = command;
    const plan = await connection.db?.command({ explain: explained, verbosity: 'executionStats' });
    documents += documentsIn(plan ?? {});
  }
  return { answer, documents };
}

/** Of an aggregation the account is further within. */
function documentsIn(plan: Record<string, unknown>): number {
  const found = /"totalDocsExamined":(\d+)/.exec(JSON.stringify(plan))?.[1];
  if (found === undefined) throw new Error(`The plan says nothing of documents: ${JSON.stringify(plan)}`);
  return Number(found);
}

describe('of an endpoint with a long history', () => {
  it('what is pending is counted by what is pending alone', async () => {
    const { answer, documents } = await costOf(() => store.countPending(scope));
    expect(answer).toBe(YOUNG / 2);
    expect(documents).toBeLessThanOrEqual(YOUNG);
  });

  it('the health of a day looks at no more deliveries than it samples', async () => {
    const since = new Date(harness.clock.now() - DAY_MS);
    const { answer, documents } = await costOf(() => store.sampleAttempts(scope, since, SAMPLE));
    expect(answer).toHaveLength(YOUNG);
    expect(documents).toBeLessThanOrEqual(SAMPLE);
  });

  it('what is pending is ended by looking at what is pending alone', async () => {
    const { documents } = await costOf(() => store.endPending(scope, 'skipped'));
    expect(documents).toBeLessThanOrEqual(YOUNG);
    expect(await store.countPending(scope)).toBe(0);
  });
});
