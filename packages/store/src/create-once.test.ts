import type { Actor, MemberActor, TokenActor } from '@tollgate/contracts/accounts/actor';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { createLogger } from '@tollgate/runtime/logger';
import { startMongoDB } from '@tollgate/test-kit/mongodb';
import type { TestServer } from '@tollgate/test-kit/test-server';
import type { Connection, mongo } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Creation, createOnce } from './create-once.ts';
import {
  createIdempotencyStore,
  IDEMPOTENCY_KEY_INDEXES,
  type IdempotencyStore,
} from './idempotency-store.ts';
import { connectMongoDB } from './mongodb.ts';

interface Thing {
  _id: string;
  name: string;
}

const ACTOR: MemberActor = {
  type: 'member',
  member_id: newId('member'),
  team_id: newId('team'),
  role: 'admin',
  address: null,
  session_id: newId('session'),
  authenticated_at: '2999-01-01T00:00:00.000Z',
  name: 'Ada',
  user_agent: 'test',
  request_id: null,
};

function tokenActor(): TokenActor {
  const { team_id, address, name, user_agent, request_id } = ACTOR;
  const shared = { team_id, address, name, user_agent, request_id };
  return { ...shared, type: 'token', token_id: newId('apiToken'), role: 'admin', environments: null };
}

let server: TestServer;
let connection: Connection;
let things: mongo.Collection<Thing>;
let idempotency: IdempotencyStore;
let lastId = 0;

beforeAll(async () => {
  server = await startMongoDB();
  const logger = createLogger({ service: 'test', level: 'silent' });
  connection = await connectMongoDB({ url: server.url, database: 'idempotency', appName: 'test', logger });
  idempotency = createIdempotencyStore(connection);
  things = connection.getClient().db(connection.name).collection<Thing>('things');
});
afterAll(async () => {
  await connection.close();
  await server.dispose();
});
beforeEach(async () => {
  await things.deleteMany({});
  await connection.collection('idempotency_keys').deleteMany({});
});

interface Call {
  key?: string | null;
  name?: string;
  operation?: string;
  actor?: Actor;
}

const thingNamed = (name: string): Creation<Thing> => ({
  newId: () => `thing_${++lastId}`,
  idOf: ({ _id }) => _id,
  find: (id) => things.findOne({ _id: id }),
  async create(reserveId) {
    const thing = { _id: await reserveId(), name };
    await things.insertOne(thing);
    return thing;
  },
});

async function create(
  { key = 'k', name = 'a', operation = 'create_thing', actor = ACTOR }: Call = {},
  changed: Partial<Creation<Thing>> = {},
) {
  let isReplay = false;
  const markReplayed = () => {
    isReplay = true;
  };
  const call = key === null ? null : { key, operation, request: { name }, markReplayed };
  const thing = await createOnce({ idempotency }, actor, call, { ...thingNamed(name), ...changed });
  return { id: thing._id, isReplay };
}

it('a call with an idempotency key creates one resource, however often it is repeated', async () => {
  const first = await create();
  expect(first.isReplay).toBe(false);
  expect(await create()).toEqual({ id: first.id, isReplay: true });
  expect(await things.countDocuments()).toBe(1);
});

it('a call with an idempotency key creates one resource when it is repeated concurrently', async () => {
  const results = await Promise.all(Array.from({ length: 20 }, () => create()));
  expect(new Set(results.map(({ id }) => id)).size).toBe(1);
  expect(results.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
  expect(await things.countDocuments()).toBe(1);
});

it('a call with an idempotency key is rejected if the key is bound to another request', async () => {
  await create();
  await expect(create({ name: 'b' })).rejects.toThrow('idempotency-key-reused');
  expect(await things.countDocuments()).toBe(1);
});

it('a call with an idempotency key is independent of calls of another operation, actor, or team with the same key', async () => {
  const others: Call[] = [
    {},
    { operation: 'create_other' },
    { actor: { ...ACTOR, member_id: newId('member') } },
    { actor: { ...ACTOR, team_id: newId('team') } },
    { actor: tokenActor() },
    { actor: tokenActor() },
  ];
  for (const call of others) expect((await create(call)).isReplay).toBe(false);
  expect(await things.countDocuments()).toBe(others.length);
});

it('a call with an idempotency key creates the resource with the reserved id after a crash that followed the reservation', async () => {
  let reserved = '';
  const crash = async (reserveId: () => Promise<string>) => {
    reserved = await reserveId();
    throw new Error('crashed');
  };
  await expect(create({}, { create: crash })).rejects.toThrow('crashed');
  expect(await create()).toEqual({ id: reserved, isReplay: false });
  expect((await create()).isReplay).toBe(true);
});

it('a call with an idempotency key returns the resource after a crash that followed its creation', async () => {
  const complete = idempotency.complete;
  idempotency.complete = () => Promise.reject(new Error('crashed'));
  const first = await create();
  idempotency.complete = complete;
  expect(await create()).toEqual({ id: first.id, isReplay: true });
  await things.deleteMany({});
  await expect(create()).rejects.toThrow('no longer exists');
});

it('a call with an idempotency key can be repeated with the same key and another request if it was rejected', async () => {
  const reject = async () => {
    throw new Problem('conflict', 'The limit is reached.');
  };
  await expect(create({}, { create: reject })).rejects.toThrow('The limit is reached.');
  expect((await create({ name: 'b' })).isReplay).toBe(false);
});

it('a call with an idempotency key does not create the resource again after it was deleted', async () => {
  await create();
  await things.deleteMany({});
  await expect(create()).rejects.toThrow('no longer exists');
  expect(await things.countDocuments()).toBe(0);
});

it('`createOnce` creates a resource for each call without a key', async () => {
  expect((await create({ key: null })).id).not.toBe((await create({ key: null })).id);
  expect(await connection.collection('idempotency_keys').countDocuments()).toBe(0);
});

it('`createOnce` forgets a key after 24 hours', () => {
  expect(IDEMPOTENCY_KEY_INDEXES).toContainEqual(
    expect.objectContaining({ key: { created_at: 1 }, expireAfterSeconds: 86_400 }),
  );
});
