import { newId } from '@tollgate/contracts/platform/ids';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhooks/webhook';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anEvent, type Harness, type Service, startHarness, type TestApplication } from './harness.ts';
import type { Receiver } from './receiver.ts';

const { endpointsPerTeam: MAX, deletedEndpointsPerTeam: MAX_DELETED, url: MAX_URL } = WEBHOOK_LIMITS;

let harness: Harness;
let service: Service;
let receiver: Receiver;
let application: TestApplication;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
  receiver = await harness.startReceiver();
});
beforeEach(async () => {
  application = await harness.anApplication();
});
afterAll(async () => {
  await receiver.stop();
  await harness.stop();
});

interface StoredEndpoint {
  _id: string;
  team_id: string;
  application_id: string;
  slot: number;
  deleted_at: Date | null;
  outbox: unknown[];
}
const stored = () => service.connection.collection<StoredEndpoint>('endpoints');
const create = () => harness.anEndpoint(application, receiver.url);
const remove = (endpointId: string) =>
  harness.call(application.developer, contract.deleteEndpoint, { endpoint_id: endpointId });

/** Stores copies of an endpoint for other applications of the team. */
async function store(count: number, of: (index: number) => Partial<StoredEndpoint> = () => ({})) {
  const { id } = await create();
  const document = await stored().findOne({ _id: id });
  if (!document) throw new Error('The endpoint is not stored.');
  await stored().deleteOne({ _id: id });
  const documents = Array.from({ length: count }, (_, index) => ({
    ...document,
    _id: newId('webhookEndpoint'),
    application_id: newId('application'),
    slot: index + 1,
    outbox: [],
    ...of(index),
  }));
  await stored().insertMany(documents);
  return documents;
}

it('the limit of endpoints of a team is exact for concurrent creations, and a deletion makes room', async () => {
  const [one] = await store(MAX - 1);
  const results = await Promise.allSettled(Array.from({ length: 5 }, create));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const teamId = one?.team_id ?? '';
  expect(await stored().countDocuments({ team_id: teamId, deleted_at: null })).toBe(MAX);
  await expect(create()).rejects.toMatchObject({
    details: { code: 'conflict', detail: expect.stringContaining(`limit of ${MAX} webhook endpoints`) },
  });
  await remove(one?._id ?? '');
  expect((await create()).id).toEqual(expect.any(String));
});

describe('the limit of deleted endpoints of a team', () => {
  const deleted = (index: number) => ({ deleted_at: new Date(harness.clock.now() - 1_000_000 + index) });

  it('the limit of deleted endpoints of a team removes the oldest without deliveries when another endpoint is created', async () => {
    const [oldest] = await store(MAX_DELETED, deleted);
    expect((await create()).id).toEqual(expect.any(String));
    expect(await stored().findOne({ _id: oldest?._id ?? '' })).toBeNull();
  });

  it('the limit of deleted endpoints of a team rejects a creation while deliveries show the oldest', async () => {
    const { id } = await create();
    await service.app.fanOut(anEvent(application));
    const deliveries = service.connection.collection<{ _id: string; endpoint_id: string }>('deliveries');
    const delivery = await deliveries.findOne({ endpoint_id: id });
    if (!delivery) throw new Error('The delivery is not stored.');
    const documents = await store(MAX_DELETED, deleted);
    await deliveries.insertMany(
      documents.map(({ _id }) => ({ ...delivery, _id: newId('delivery'), endpoint_id: _id, outbox: [] })),
    );
    await expect(create()).rejects.toMatchObject({
      details: { code: 'conflict', detail: expect.stringContaining('deliveries are still stored') },
    });
    expect(await stored().countDocuments({ team_id: documents[0]?.team_id ?? '' })).toBe(MAX_DELETED + 1);
    await remove(id);
  });
});

describe('the limit of a URL', () => {
  const urlOf = (character: string, length: number) =>
    receiver.url.padEnd(receiver.url.length + length, character);
  const tooLong = {
    details: {
      code: 'invalid-request',
      errors: [{ pointer: '/url', detail: expect.stringContaining(`longer than ${MAX_URL} characters`) }],
    },
  };

  it('the limit of a URL applies to its normal form, in which one character can be nine', async () => {
    await expect(harness.anEndpoint(application, urlOf('€', 2_000))).rejects.toMatchObject(tooLong);
    const fits = Math.floor((MAX_URL - receiver.url.length - 1) / '%E2%82%AC'.length);
    const endpoint = await harness.anEndpoint(application, `${receiver.url}/${'€'.repeat(fits)}`);
    expect(endpoint.url.length).toBeGreaterThan(MAX_URL - 10);
  });

  it('the limit of a URL applies to a change', async () => {
    const { id: endpoint_id, version: if_version } = await create();
    const change = { endpoint_id, if_version, url: urlOf('€', 2_000) };
    await expect(harness.call(application.developer, contract.updateEndpoint, change)).rejects.toMatchObject(
      tooLong,
    );
  });
});
