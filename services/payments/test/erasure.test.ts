import { openBucket } from '@tollgate/bus/kv';
import { deleteBucket } from '@tollgate/bus/test/delete-bucket';
import { streamBodies } from '@tollgate/bus/test/stream-bodies';
import type { Principal } from '@tollgate/contracts/applications/principal';
import { ERASURE_PROGRESS_COLLECTION, NO_ERASURES_APPLIED } from '@tollgate/contracts/audit/restore';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import type { Role } from '@tollgate/contracts/platform/roles';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { erasePayment } from '../src/erasure/erase-payment.ts';
import { purgeStreams } from '../src/erasure/purge-streams.ts';
import { paymentEvent } from '../src/outbox/payment-event.ts';
import { settlePayment } from '../src/settlement/settle-payment.ts';
import {
  anActor,
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';

/** Part of every text that a caller sends. */
const SECRET = 'Lovelace';
const PERSONAL = {
  purpose: `Order of Ada ${SECRET}`,
  reference: `order-${SECRET}`,
  payer: { name: `Ada ${SECRET}`, account: `DE00-${SECRET}`, email: `ada@${SECRET}.example` },
  payee: { name: `Shop of ${SECRET}`, account: null, email: null },
  payment_method: `tok_${SECRET}`,
  return_url: `https://shop.example/${SECRET}`,
  metadata: { [`key_${SECRET}`]: `value ${SECRET}` },
};

let payments: PaymentsUnderTest;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
}, START_TIMEOUT_MS);
afterAll(() => payments.stop());

const rejection = (code: string) => ({ details: expect.objectContaining({ code }) });

function erase(principal: Principal, paymentId: string, role: Role = 'admin') {
  const actor = anActor(principal, role);
  return erasePayment(payments.app, actor, { payment_id: paymentId }, newId('request'));
}

async function aSucceededPayment(principal: Principal, key = newId('request')): Promise<string> {
  const body = { amount: 1_000, currency: 'EUR', ...PERSONAL };
  const response = await payments.send(principal, { method: 'POST', path: '/v1/payments', key, body });
  await payments.settleAfter(5_000);
  return response.json().id;
}

test('an erased payment keeps amount, times, and status, and nothing that the caller sent', async () => {
  const principal = aPrincipal();
  const id = await aSucceededPayment(principal);
  const before = await payments.read(principal, id);
  payments.clock.advance(60_000);

  const erased = await erase(principal, id);

  const erasedAt = new Date(payments.clock.now()).toISOString();
  expect(await payments.read(principal, id)).toEqual({
    ...before,
    ...{ purpose: null, reference: null, payer: null, payee: null, payment_method: null },
    ...{ metadata: null, return_url: null, next_action: null },
    version: before.version + 1,
    updated_at: erasedAt,
    erased_at: erasedAt,
  });
  expect(erased).toMatchObject({ id, erased_at: erasedAt, status: 'succeeded' });
  // The keys of the search are in lower case.
  const stored = JSON.stringify(await payments.stored(principal, id)).toLowerCase();
  expect(stored).not.toContain(SECRET.toLowerCase());
});

test('an erased payment has a valid history, and events of every version without the data', async () => {
  const principal = aPrincipal();
  const id = await aSucceededPayment(principal);
  await erase(principal, id);
  const stored = await payments.stored(principal, id);
  expect(payments.app.verified.isVerified(stored)).toBe(true);
  const events = stored.history.map((entry) => paymentEvent(stored, entry));
  expect(events.map(({ type, data }) => [type, data.version, data.status])).toEqual([
    ['payment.created', 1, 'pending'],
    ['payment.processing', 2, 'processing'],
    ['payment.succeeded', 3, 'succeeded'],
    ['payment.erased', 4, 'succeeded'],
  ]);
  expect(JSON.stringify(events)).not.toContain(SECRET);
});

test('an erased payment is rejected without its erasure, or with an erasure that this service did not write', async () => {
  const principal = aPrincipal();
  const erasedId = await aSucceededPayment(principal);
  await erase(principal, erasedId);
  const erased = await payments.stored(principal, erasedId);
  const [last] = erased.history.slice(-1);
  const { is_erasure: _, ...ending } = last ?? {};
  const altered = [
    { ...erased, version: 3, history: erased.history.slice(0, 3), purpose: 'forged' },
    { ...erased, history: [...erased.history.slice(0, 3), ending] },
    {
      ...erased,
      version: 5,
      history: [...erased.history, { ...last, version: 5, event_id: newId('event') }],
    },
  ];
  const unverified = altered.map((payment) => payments.app.seals.verify(payment as never));
  expect(unverified).toEqual(['altered', 'altered', 'altered']);
});

test('an erased payment stays as it is when the erasure is repeated', async () => {
  const principal = aPrincipal();
  const id = await aSucceededPayment(principal);
  const first = await erase(principal, id);
  payments.clock.advance(60_000);
  expect(await erase(principal, id)).toEqual(first);
});

test('an erased payment that failed keeps the code of the failure without the message, and no decision', async () => {
  const principal = aPrincipal({ environment: 'live' });
  const { id } = await payments.create(principal, { purpose: PERSONAL.purpose });
  const failure = { code: 'rejected', message: `The bank of Ada ${SECRET} rejected.` };
  await settlePayment(
    { ...payments.app, audit: payments.audit, clock: payments.clock },
    anActor(principal, 'admin'),
    { payment_id: id, outcome: { status: 'failed', failure } },
    null,
  );
  expect(await erase(principal, id)).toMatchObject({ failure: { code: 'rejected', message: 'Erased' } });
  const stored = await payments.stored(principal, id);
  expect(JSON.stringify(stored)).not.toContain(SECRET);
  expect(payments.app.verified.isVerified(stored)).toBe(true);
});

test('an erased payment cannot be found by reference or payer', async () => {
  const principal = aPrincipal();
  const id = await aSucceededPayment(principal);
  const filters = [{ reference: PERSONAL.reference }, { payer: PERSONAL.payer.email }];
  const count = async (filter: object) =>
    (await payments.collection.find({ team_id: principal.team_id, ...filter }).toArray()).length;
  expect(await count({ reference: filters[0]?.reference })).toBe(1);
  await erase(principal, id);
  expect(await count({ reference: filters[0]?.reference })).toBe(0);
  expect(await count({ 'payer.email': filters[1]?.payer })).toBe(0);
});

test('an erased payment is returned to a repeated creation with the same amount, and not charged again', async () => {
  const principal = aPrincipal();
  const key = newId('request');
  const id = await aSucceededPayment(principal, key);
  await erase(principal, id);
  const repeat = (amount: number) =>
    payments.send(principal, {
      method: 'POST',
      path: '/v1/payments',
      key,
      body: { amount, currency: 'eur', ...PERSONAL },
    });
  const repeated = await repeat(1_000);
  expect(repeated.statusCode).toBe(201);
  expect(repeated.headers['idempotent-replayed']).toBe('true');
  expect(repeated.json()).toMatchObject({ id, payer: null, version: 1, erased_at: expect.any(String) });
  expect((await repeat(1_001)).json()).toMatchObject({ code: 'idempotency-key-reused' });
  expect(await payments.storedCount(principal)).toBe(1);
});

test('the replay of a cancellation shows the payment as it was after it, without the data', async () => {
  const principal = aPrincipal();
  const { id } = await payments.create(principal, PERSONAL);
  const request = { method: 'POST', path: `/v1/payments/${id}/cancel`, key: newId('request') } as const;
  const canceled = (await payments.send(principal, request)).json();
  payments.clock.advance(MINUTE_MS);
  await erase(principal, id);
  const { version, updated_at, canceled_at } = canceled;
  expect((await payments.send(principal, request)).json()).toMatchObject({
    ...{ status: 'canceled', version, updated_at, canceled_at },
    payer: null,
  });
});

test('an erasure is rejected while the payment can still change', async () => {
  const principal = aPrincipal();
  const { id } = await payments.create(principal, PERSONAL);
  await expect(erase(principal, id)).rejects.toMatchObject(rejection('conflict'));
  expect(await payments.read(principal, id)).toMatchObject({ purpose: PERSONAL.purpose, version: 1 });
});

test('an erasure requires the admin role for live, the developer role for the sandbox, and a payment of the team', async () => {
  const live = aPrincipal({ environment: 'live' });
  const sandbox = aPrincipal();
  const { id } = await payments.create(live);
  await expect(erase(live, id, 'developer')).rejects.toMatchObject(rejection('forbidden'));
  const sandboxId = await aSucceededPayment(sandbox);
  await expect(erase(sandbox, sandboxId, 'viewer')).rejects.toMatchObject(rejection('forbidden'));
  await expect(erase(aPrincipal(), sandboxId, 'owner')).rejects.toMatchObject(rejection('not-found'));
  expect(await erase(sandbox, sandboxId, 'developer')).toMatchObject({ id: sandboxId, payer: null });
});

test('an erasure does not reseal a payment with an invalid history', async () => {
  const principal = aPrincipal();
  const id = await aSucceededPayment(principal);
  await payments.collection.updateOne({ _id: id as never }, { $set: { amount: 999_999 } });
  await expect(erase(principal, id)).rejects.toMatchObject(rejection('conflict'));
  expect(payments.app.verified.isVerified(await payments.stored(principal, id))).toBe(false);
});

test('an erasure deletes the earlier messages of the payment from NATS, also those that arrive late', async () => {
  const principal = aPrincipal();
  const id = await aSucceededPayment(principal);
  const otherId = await aSucceededPayment(principal);
  await payments.app.outbox.drain();
  const early = (await streamBodies(payments.bus, 'EVENTS')).find((body) => body.includes(id)) ?? '';
  await erase(principal, id);
  await payments.app.outbox.drain();
  await payments.app.tasks.purgeStreams();
  const left = await streamBodies(payments.bus, 'EVENTS');
  const typesOf = (paymentId: string) =>
    left
      .map((body) => JSON.parse(body))
      .filter(({ data }) => data.id === paymentId)
      .map(({ type }) => type);
  expect(typesOf(id)).toEqual(['payment.erased']);
  expect(typesOf(otherId)).toEqual(['payment.created', 'payment.processing', 'payment.succeeded']);

  await payments.bus.nats.request('events.payment.created', early);
  await payments.app.tasks.purgeStreams();
  payments.clock.advance(10 * 60_000);
  await payments.app.tasks.purgeStreams();
  expect((await streamBodies(payments.bus, 'EVENTS')).filter((body) => body.includes(id))).toHaveLength(1);
  expect((await payments.stored(principal, id)).purge_due_at).toBeUndefined();
});

test('an erasure deletes late messages ten minutes after the first deletion, also when NATS was down for an hour', async () => {
  const principal = aPrincipal();
  const id = await aSucceededPayment(principal);
  await payments.app.outbox.drain();
  const early = (await streamBodies(payments.bus, 'EVENTS')).find((body) => body.includes(id)) ?? '';
  await erase(principal, id);
  await payments.app.outbox.drain();
  payments.clock.advance(60 * MINUTE_MS);
  await payments.app.tasks.purgeStreams();

  await payments.bus.nats.request('events.payment.created', early);
  payments.clock.advance(10 * MINUTE_MS);
  await payments.app.tasks.purgeStreams();
  expect((await streamBodies(payments.bus, 'EVENTS')).filter((body) => body.includes(id))).toHaveLength(1);
  expect(await payments.stored(principal, id)).not.toHaveProperty('purged_at');
});

test('an erasure is still due when the service stops while it deletes messages', async () => {
  const principal = aPrincipal();
  const id = await aSucceededPayment(principal);
  await erase(principal, id);
  const erasures = { ...payments.app.erasures, record: async () => {} };
  await purgeStreams({ ...payments.app, erasures, stopping: AbortSignal.abort() });
  const stored = await payments.stored(principal, id);
  expect(stored).not.toHaveProperty('purged_at');
  expect(stored.purge_due_at?.getTime()).toBeLessThanOrEqual(payments.clock.now());
});

test('an erasure is recorded outside of the database without the address of the member', async () => {
  const principal = aPrincipal();
  const id = await aSucceededPayment(principal);
  await erase(principal, id);
  expect((await payments.stored(principal, id)).history.at(-1)?.cause.address).toBe('203.0.113.7');
  await payments.app.tasks.purgeStreams();
  const bucket = await openBucket(payments.bus, 'erasures', { create: false });
  const records: unknown[] = [];
  for await (const { value } of bucket.readAfter(0)) records.push(value);
  expect(JSON.stringify(records)).toContain(id);
  expect(JSON.stringify(records)).not.toContain('203.0.113.7');
});

describe('a restored backup', () => {
  /** Payments does not run during a restore: nothing is left to be marked as published. */
  async function restore(backup: readonly object[]): Promise<void> {
    await payments.app.outbox.drain();
    for (const document of backup) {
      await payments.collection.replaceOne({ _id: (document as { _id: never })._id }, document);
    }
    // `mongorestore --drop` leaves a collection that the backup does not have. `tollgate restore --restored` sets it back.
    await payments.connection
      .collection(ERASURE_PROGRESS_COLLECTION)
      .updateMany({}, { $set: NO_ERASURES_APPLIED });
  }

  test('a restored backup does not restore erased data', async () => {
    const principal = aPrincipal();
    const id = await aSucceededPayment(principal);
    const keptId = await aSucceededPayment(principal);
    const backup = await payments.collection.find({ team_id: principal.team_id }).toArray();
    await erase(principal, id);
    await payments.app.tasks.purgeStreams();
    await payments.app.tasks.applyErasures();

    await restore(backup);
    expect(await payments.read(principal, id)).toMatchObject({ purpose: PERSONAL.purpose, erased_at: null });
    await payments.app.tasks.applyErasures();
    expect(await payments.read(principal, id)).toMatchObject({ purpose: null, payer: null, version: 4 });
    expect(payments.app.verified.isVerified(await payments.stored(principal, id))).toBe(true);
    expect(await payments.read(principal, keptId)).toMatchObject({ purpose: PERSONAL.purpose, version: 3 });
  });

  test('a restored backup in which the payment was open is followed by an erasure once the payment has ended again', async () => {
    const principal = aPrincipal();
    const { id } = await payments.create(principal, { ...PERSONAL, payment_method: 'pm_succeed' });
    const backup = await payments.collection.find({ team_id: principal.team_id }).toArray();
    await payments.settleAfter(5_000);
    await erase(principal, id);
    await payments.app.tasks.purgeStreams();
    await restore(backup);
    await payments.app.tasks.applyErasures();
    expect(await payments.read(principal, id)).toMatchObject({
      status: 'pending',
      purpose: PERSONAL.purpose,
    });
    await payments.settleAfter(5_000);
    await payments.app.tasks.applyErasures();
    expect(await payments.read(principal, id)).toMatchObject({ status: 'succeeded', purpose: null });
  });

  test('a restored backup after NATS lost its store does not restore data that was erased before', async () => {
    const principal = aPrincipal();
    const id = await aSucceededPayment(principal);
    const backup = await payments.collection.find({ team_id: principal.team_id }).toArray();
    await erase(principal, id);
    await payments.app.tasks.purgeStreams();
    await payments.app.tasks.applyErasures();
    await deleteBucket(payments.bus, 'erasures');
    await payments.app.tasks.applyErasures();
    await payments.app.tasks.purgeStreams();

    await restore(backup);
    await payments.app.tasks.applyErasures();
    expect(await payments.read(principal, id)).toMatchObject({ purpose: null });
  });

  test('a restored backup does not erase a payment for a record that this service did not write', async () => {
    const principal = aPrincipal();
    const id = await aSucceededPayment(principal);
    const bucket = await openBucket(payments.bus, 'erasures', { create: true });
    const { team_id, application_id, environment } = principal;
    const erased_at = new Date(payments.clock.now()).toISOString();
    const cause = { type: 'member', id: 'mem_1' };
    const forged = {
      payment_id: id,
      team_id,
      application_id,
      environment,
      erased_at,
      cause,
      request_id: null,
    };
    await bucket.create(id, { ...forged, seal: 'v1.1.forged' });
    await payments.app.tasks.applyErasures();
    expect(await payments.read(principal, id)).toMatchObject({ purpose: PERSONAL.purpose });
  });
});
