import { createLogger } from '@tollgate/runtime/logger';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { startMongoDB } from '@tollgate/test-kit/mongodb';
import type { TestServer } from '@tollgate/test-kit/test-server';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createLeases, leaseTimes } from './lease.ts';
import { connectMongoDB } from './mongodb.ts';

interface Task {
  _id: string;
  team_id: string;
  status: 'open' | 'done';
  due_at?: Date;
  turn?: { token: string; until: Date } | null;
  attempts: number;
  steps: string[];
}

const LEASE_MS = 30_000;
const TEAM = 'team_1';

let server: TestServer;
let connection: Connection;
const clock = createFakeClock();
const tasks = () => connection.collection<Task>('tasks');
const times = () => leaseTimes(clock, LEASE_MS);
const later = (ms: number) => new Date(clock.now() + ms);

beforeAll(async () => {
  server = await startMongoDB();
  const logger = createLogger({ service: 'test', level: 'silent' });
  connection = await connectMongoDB({ url: server.url, database: 'leases', appName: 'test', logger });
});
afterAll(async () => {
  await connection.close();
  await server.dispose();
});
beforeEach(async () => {
  await tasks().deleteMany({});
});

async function insert(fields: Partial<Task> = {}): Promise<Task> {
  const task: Task = {
    _id: 'task_1',
    team_id: TEAM,
    status: 'open',
    due_at: later(0),
    attempts: 0,
    steps: [],
    ...fields,
  };
  await tasks().insertOne(task);
  return task;
}
const stored = () => tasks().findOne({ _id: 'task_1' });
const byEnd = () => createLeases<Task>(tasks(), { until: 'due_at', where: { status: 'open' } });
const byFence = () => createLeases<Task>(tasks(), { until: 'due_at', token: 'attempts' });
const nextAttempt = { update: { $inc: { attempts: 1 } } };

it('a lease is acquired by one of many that compete for it', async () => {
  await insert();
  const acquired = await Promise.all(Array.from({ length: 10 }, () => byEnd().acquire({}, times())));
  expect(acquired.filter((task) => task !== null)).toEqual([
    expect.objectContaining({ due_at: later(LEASE_MS) }),
  ]);
});

it('a lease is acquired by another holder once it has expired, and the first one writes nothing more', async () => {
  await insert();
  const first = (await byEnd().acquire({}, times())) as Task;
  clock.advance(LEASE_MS - 1);
  expect(await byEnd().acquire({}, times())).toBeNull();
  clock.advance(1);
  const second = await byEnd().acquire({}, times());
  expect(second).not.toBeNull();
  const late = { $push: { steps: 'late' } };
  expect(await byEnd().renew(first, later(LEASE_MS), late)).toBeNull();
  expect(await byEnd().release(first, later(0), late)).toBeNull();
  expect(await stored()).toEqual(second);
});

it('a lease that its holder renews stays with this holder, and what it did is stored in the same write', async () => {
  await insert();
  let held = (await byEnd().acquire({}, times())) as Task;
  for (const step of ['one', 'two']) {
    clock.advance(LEASE_MS - 1);
    held = (await byEnd().renew(held, later(LEASE_MS), { $push: { steps: step } })) as Task;
    expect(await byEnd().acquire({}, times())).toBeNull();
  }
  expect(await stored()).toMatchObject({ due_at: later(LEASE_MS), steps: ['one', 'two'] });
});

it('a released document can be acquired from the given time on, and never if no work is left', async () => {
  await insert();
  const first = (await byEnd().acquire({}, times())) as Task;
  await byEnd().release(first, later(5_000));
  expect(await byEnd().acquire({}, times())).toBeNull();
  clock.advance(5_000);
  const second = (await byEnd().acquire({}, times())) as Task;
  await byEnd().release(second, null, { $set: { status: 'done' } });
  expect(await stored()).toMatchObject({ status: 'done' });
  expect(await stored()).not.toHaveProperty('due_at');
  clock.advance(LEASE_MS);
  expect(await byEnd().acquire({}, times())).toBeNull();
});

it('a lease ends with the work that its document needs', async () => {
  await insert();
  const held = (await byEnd().acquire({}, times())) as Task;
  await tasks().updateOne({ _id: held._id }, { $set: { status: 'done' } });
  expect(await byEnd().renew(held, later(LEASE_MS))).toBeNull();
  clock.advance(LEASE_MS);
  expect(await byEnd().acquire({}, times())).toBeNull();
});

it('a lease with a fence is lost when the fence is raised', async () => {
  await insert();
  const held = (await byFence().acquire({}, times(), nextAttempt)) as Task;
  expect(held.attempts).toBe(1);
  expect(await byFence().renew(held, later(1))).toMatchObject({ attempts: 1, due_at: later(1) });
  await tasks().updateOne({ _id: held._id }, { $inc: { attempts: 1 } });
  expect(await byFence().release(held, later(0))).toBeNull();
});

it('a lease of a document of another team is not changed', async () => {
  await insert();
  const held = (await byEnd().acquire({ team_id: TEAM }, times())) as Task;
  expect(await byEnd().acquire({ team_id: 'team_2' }, times())).toBeNull();
  expect(await byEnd().renew({ ...held, team_id: 'team_2' }, later(1))).toBeNull();
});

it('leases are acquired in the order that is asked for', async () => {
  await insert({ _id: 'task_2', due_at: later(-1) });
  await insert({ _id: 'task_3', due_at: later(-2) });
  expect(await byEnd().acquire({}, times(), { sort: { due_at: 1 } })).toMatchObject({ _id: 'task_3' });
});

it('a lease on a document that does not exist inserts it, once for holders that compete', async () => {
  const insertion = { insert: { team_id: TEAM, attempts: 0, steps: [] } };
  const acquire = () => byEnd().acquire({ _id: 'task_1' }, times(), insertion);
  const acquired = await Promise.all([acquire(), acquire(), acquire()]);
  expect(acquired.filter((task) => task !== null)).toHaveLength(1);
  expect(await tasks().find({}).toArray()).toEqual([
    { _id: 'task_1', team_id: TEAM, status: 'open', attempts: 0, steps: [], due_at: later(LEASE_MS) },
  ]);
});

it('a lease that is nested is acquired while it is null, acquired again by its holder, and released to null', async () => {
  await insert({ turn: null });
  const turns = createLeases<Task>(tasks(), {
    until: 'turn.until',
    token: 'turn.token',
    isFreeWithoutEnd: true,
  });
  const acquire = (token: string) => {
    const { now, until } = times();
    const update = { $set: { turn: { token, until } } };
    return turns.acquire({ _id: 'task_1' }, { now, until }, { update, own: { 'turn.token': token } });
  };
  expect(await acquire('a')).toMatchObject({ turn: { token: 'a' } });
  expect(await acquire('b')).toBeNull();
  clock.advance(1);
  const held = (await acquire('a')) as Task;
  expect(held.turn?.until).toEqual(later(LEASE_MS));
  await turns.release(held, later(0), { $set: { turn: null } });
  expect(await acquire('b')).toMatchObject({ turn: { token: 'b' } });
});
