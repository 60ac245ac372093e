import { afterAWhile } from '@tollgate/bus/test/member';
import { streamBodies } from '@tollgate/bus/test/stream-bodies';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Principal } from '@tollgate/contracts/applications/principal';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import type { Role } from '@tollgate/contracts/platform/roles';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { erasePayment } from '../src/erasure/erase-payment.ts';
import type { RetentionStore } from '../src/retention/data-retention.ts';
import { setDataRetention } from '../src/retention/set-data-retention.ts';
import {
  anActor,
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';

const PURPOSE = 'Order of Ada Lovelace';

let payments: PaymentsUnderTest;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
}, START_TIMEOUT_MS);
afterAll(() => payments.stop());

const rejection = (code: string) => ({ details: expect.objectContaining({ code }) });

function setPeriod(
  principal: Principal,
  days: number | null,
  {
    role = 'admin',
    ifVersion,
    retention = payments.app.retention,
  }: { role?: Role; ifVersion?: number; retention?: RetentionStore } = {},
) {
  const { app, audit, clock } = payments;
  return setDataRetention({ ...app, retention, audit, clock }, anActor(principal, role), {
    days,
    ...(ifVersion && { if_version: ifVersion }),
  });
}

const settings = () =>
  payments.connection.collection<{ _id: string; outbox: object[] }>('retention_settings');
const pass = () => payments.app.tasks.eraseByRetention();

async function aSucceededPayment(principal: Principal): Promise<string> {
  const { id } = await payments.create(principal, { purpose: PURPOSE, payment_method: 'pm_succeed' });
  await payments.settleAfter(5_000);
  return id;
}

async function purposesOf(principal: Principal, ids: readonly string[]): Promise<(string | null)[]> {
  return Promise.all(ids.map(async (id) => (await payments.read(principal, id)).purpose));
}

test('the retention period of a team is not shortened without a recent authentication, and can be made longer', async () => {
  const { app, audit, clock } = payments;
  const member = anActor(aPrincipal(), 'admin');
  const later = afterAWhile(member, clock.now());
  const change = (actor: Actor, days: number | null) =>
    setDataRetention({ ...app, audit, clock }, actor, { days });

  await expect(change(later, 90)).rejects.toMatchObject(rejection('reauthentication-required'));
  await change(member, 90);
  await expect(change(later, 60)).rejects.toMatchObject(rejection('reauthentication-required'));
  expect(await change(later, 120)).toMatchObject({ days: 120 });
  expect(await change(later, null)).toMatchObject({ days: null });
});

test('the retention period of a team erases payments that ended before it, and keeps later ones and those of other teams', async () => {
  const [principal, other] = [aPrincipal(), aPrincipal()];
  const old = await aSucceededPayment(principal);
  const oldOfOther = await aSucceededPayment(other);
  payments.clock.advance(DAY_MS);
  const young = await aSucceededPayment(principal);
  await setPeriod(principal, 30);
  payments.clock.advance(30 * DAY_MS - 60_000);

  await pass();

  expect(await purposesOf(principal, [old, young])).toEqual([null, PURPOSE]);
  expect(await purposesOf(other, [oldOfOther])).toEqual([PURPOSE]);
  await setPeriod(principal, null);
});

test('the retention period of a team erases as a member does, with the retention period as the cause', async () => {
  const principal = aPrincipal();
  const id = await aSucceededPayment(principal);
  await setPeriod(principal, 30);
  payments.clock.advance(31 * DAY_MS);
  await pass();

  const stored = await payments.stored(principal, id);
  expect(stored.history.at(-1)).toMatchObject({
    is_erasure: true,
    cause: { type: 'retention', id: null },
    request_id: null,
  });
  expect(payments.app.verified.isVerified(stored)).toBe(true);
  await payments.app.outbox.drain();
  await payments.app.tasks.purgeStreams();
  const messages = (await streamBodies(payments.bus, 'EVENTS')).map((body) => JSON.parse(body));
  const typesOfPayment = messages.filter(({ data }) => data.id === id).map(({ type }) => type);
  expect(typesOfPayment).toEqual(['payment.erased']);
  await setPeriod(principal, null);
});

test('the retention period of a team starts at the end of a payment, not at its creation', async () => {
  const principal = aPrincipal();
  const { id } = await payments.create(principal, { purpose: PURPOSE, payment_method: 'pm_hold' });
  await setPeriod(principal, 30);
  payments.clock.advance(40 * DAY_MS);
  await pass();
  expect(await payments.read(principal, id)).toMatchObject({ status: 'pending', purpose: PURPOSE });

  await payments.app.tasks.expirePayments();
  await pass();
  expect(await payments.read(principal, id)).toMatchObject({ status: 'canceled', purpose: PURPOSE });

  payments.clock.advance(30 * DAY_MS + 1);
  await pass();
  expect(await payments.read(principal, id)).toMatchObject({ status: 'canceled', purpose: null });
  await setPeriod(principal, null);
});

test('the retention period of a team erases each payment once when several instances work at the same time', async () => {
  const principal = aPrincipal();
  const ids = [];
  for (let count = 0; count < 5; count += 1) ids.push(await aSucceededPayment(principal));
  await setPeriod(principal, 30);
  payments.clock.advance(31 * DAY_MS);
  const another = await payments.anotherInstance();

  await Promise.all([pass(), another.app.tasks.eraseByRetention()]);

  const stored = await Promise.all(ids.map((id) => payments.stored(principal, id)));
  expect(stored.map(({ version, history }) => [version, history.length])).toEqual(ids.map(() => [4, 4]));
  expect(await purposesOf(principal, ids)).toEqual(ids.map(() => null));
  await another.app.outbox.drain();
  await another.stop();
  await setPeriod(principal, null);
});

test('the retention period of a team is continued by the next instance when one ends in the middle', async () => {
  const principal = aPrincipal();
  const ids = [await aSucceededPayment(principal), await aSucceededPayment(principal)];
  await setPeriod(principal, 30);
  payments.clock.advance(31 * DAY_MS);
  const crashed = await payments.anotherInstance();
  const { erase } = crashed.app.store;
  let calls = 0;
  crashed.app.store.erase = async (...request) => {
    calls += 1;
    if (calls > 1) throw new Error('the process ends');
    return erase(...request);
  };
  await expect(crashed.app.tasks.eraseByRetention()).rejects.toThrow('the process ends');
  await crashed.stop();
  expect((await purposesOf(principal, ids)).filter((purpose) => purpose === null)).toHaveLength(1);

  await pass();
  expect(await purposesOf(principal, ids)).toEqual([null, null]);
  // The sweep publishes the event of the erasure in place of the instance that ended.
  payments.clock.advance(60_000);
  await payments.app.tasks.sweepOutbox();
  const [stored] = await Promise.all(ids.map((id) => payments.stored(principal, id)));
  expect(stored?.history.at(-1)?.published_at).not.toBeNull();
  await setPeriod(principal, null);
});

test('the retention period of a team erases nothing at an instance with a wrong clock, until the clock is right', async () => {
  const principal = aPrincipal();
  const id = await aSucceededPayment(principal);
  await setPeriod(principal, 30);
  const { clock, stop, app } = await payments.instanceAhead(40 * DAY_MS);

  await app.tasks.eraseByRetention();
  expect(await purposesOf(principal, [id])).toEqual([PURPOSE]);

  payments.clock.set(clock.now());
  await app.tasks.eraseByRetention();
  expect(await purposesOf(principal, [id])).toEqual([null]);
  await app.outbox.drain();
  await stop();
  await setPeriod(principal, null);
});

test('the retention period of a team erases nothing more once it is removed', async () => {
  const principal = aPrincipal();
  const id = await aSucceededPayment(principal);
  await setPeriod(principal, 30);
  payments.clock.advance(31 * DAY_MS);
  await setPeriod(principal, null);
  await pass();
  expect(await purposesOf(principal, [id])).toEqual([PURPOSE]);
});

test('the retention period of a team leaves erased payments and payments that fail verification as they are', async () => {
  const principal = aPrincipal();
  const [altered, erased, old] = [
    await aSucceededPayment(principal),
    await aSucceededPayment(principal),
    await aSucceededPayment(principal),
  ];
  await payments.collection.updateOne({ _id: altered as never }, { $set: { amount: 999_999 } });
  await erasePayment(
    { ...payments.app, clock: payments.clock },
    anActor(principal, 'admin'),
    { payment_id: erased },
    newId('request'),
  );
  await setPeriod(principal, 30);
  payments.clock.advance(31 * DAY_MS);
  await pass();
  const stored = await Promise.all([altered, erased, old].map((id) => payments.stored(principal, id)));
  expect(stored.map(({ purpose, version }) => [purpose, version])).toEqual([
    [PURPOSE, 3],
    [null, 4],
    [null, 4],
  ]);
  await setPeriod(principal, null);
});

test('the retention period of a team examines no payment again that it has erased', async () => {
  const principal = aPrincipal();
  for (let count = 0; count < 3; count += 1) await aSucceededPayment(principal);
  const examined = async () => {
    const { executionStats } = await payments.collection
      .find({ team_id: principal.team_id, erased_at: null, updated_at: { $lt: new Date('2100-01-01') } })
      .hint('retention')
      .explain('executionStats');
    return [executionStats.totalKeysExamined, executionStats.totalDocsExamined];
  };
  expect(await examined()).toEqual([3, 3]);
  await setPeriod(principal, 30);
  payments.clock.advance(31 * DAY_MS);
  await pass();
  expect(await examined()).toEqual([0, 0]);
  await setPeriod(principal, null);
});

test('a change of the retention period requires the admin role and the version that was read, and is audited with numbers only', async () => {
  const principal = aPrincipal();
  await expect(setPeriod(principal, 90, { role: 'developer' })).rejects.toMatchObject(rejection('forbidden'));
  expect(await setPeriod(principal, 90, { ifVersion: 1 })).toEqual({ days: 90, version: 2 });
  await expect(setPeriod(principal, 60, { ifVersion: 1 })).rejects.toMatchObject(
    rejection('precondition-failed'),
  );
  expect(await setPeriod(principal, 90)).toEqual({ days: 90, version: 2 });
  expect(await setPeriod(principal, null, { ifVersion: 2 })).toEqual({ days: null, version: 3 });

  const stored = await settings().findOne({ _id: principal.team_id });
  expect(stored?.outbox).toMatchObject([
    {
      action: 'team.data_retention_changed',
      target: { type: 'team', id: principal.team_id, name: null },
      changes: { data_retention_days: { before: null, after: 90 } },
    },
    { changes: { data_retention_days: { before: 90, after: null } } },
  ]);
});

test.each([
  { change: 'the first change', daysBefore: null },
  { change: 'a later change', daysBefore: 10 },
])(
  'a change of the retention period is rejected when another request made $change after it was read',
  async ({ daysBefore }) => {
    const principal = aPrincipal();
    await setPeriod(principal, daysBefore);
    const stored = payments.app.retention;
    const { version: ifVersion } = await stored.find(principal.team_id);
    const findOne = (filter: object) => ({
      async lean() {
        const read = await stored.model.findOne(filter).lean();
        await setPeriod(principal, 50);
        return read;
      },
    });
    const model = new Proxy(stored.model, {
      get: (target, name) => (name === 'findOne' ? findOne : Reflect.get(target, name)),
    });
    await expect(
      setPeriod(principal, 40, { ifVersion, retention: { ...stored, model } }),
    ).rejects.toMatchObject(rejection('precondition-failed'));
    expect(await stored.find(principal.team_id)).toMatchObject({ days: 50 });
    await setPeriod(principal, null);
  },
);
