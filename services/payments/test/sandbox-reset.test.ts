import { serveRpc } from '@tollgate/bus/rpc';
import type { Principal } from '@tollgate/contracts/applications/principal';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Role } from '@tollgate/contracts/platform/roles';
import { deleteSandboxData } from '@tollgate/contracts/webhooks/rpc';
import { createSignatureVerifier } from '@tollgate/security/signature';
import { parseSignerPublicKeys } from '@tollgate/security/signing-keys';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { getReset, requestReset } from '../src/sandbox-reset/request-reset.ts';
import {
  anActor,
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';

const LEASE_MS = 30_000;
const rejection = (code: string) => ({ details: expect.objectContaining({ code }) });

let payments: PaymentsUnderTest;
/** The orders that webhooks received. */
let orders: unknown[];
let isWebhooksDown: boolean;
let webhooks: { stop(): Promise<void> };

beforeAll(async () => {
  payments = await startPaymentsUnderTest();
  const respond = async (order: unknown) => {
    orders.push(order);
    if (isWebhooksDown) throw new Problem('unavailable', 'Webhooks has no database.');
    return { deleted: 0, is_complete: true };
  };
  webhooks = serveRpc(payments.bus, deleteSandboxData, respond, { logger: payments.logger });
}, START_TIMEOUT_MS);
afterAll(async () => {
  await webhooks.stop();
  await payments.stop();
});
beforeEach(() => {
  orders = [];
  isWebhooksDown = false;
});

const deps = () => ({
  ...payments.app,
  audit: payments.audit,
  signer: payments.config.signer,
  clock: payments.clock,
});
const request = (principal: Principal, role: Role = 'admin') =>
  requestReset(deps(), anActor(principal, role), null);
const stateOf = (principal: Principal) => getReset(deps(), anActor(principal, 'viewer'));

async function createPayments(principal: Principal, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await payments.create(principal);
  await payments.app.outbox.drain();
}

/** A team with a sandbox and a live key. */
function aTeam(): { sandbox: Principal; live: Principal } {
  const sandbox = aPrincipal();
  return { sandbox, live: { ...sandbox, environment: 'live' } };
}

async function countOf({ team_id, environment }: Principal): Promise<number> {
  return payments.collection.countDocuments({ team_id, environment });
}

test('a reset of the sandbox deletes the sandbox payments of the team from before, and nothing else', async () => {
  const { sandbox, live } = aTeam();
  const other = aPrincipal();
  await createPayments(sandbox, 3);
  await createPayments(live, 2);
  await createPayments(other, 2);
  payments.clock.advance(1);
  const reset = await request(sandbox);
  const later = await payments.create(sandbox);

  await payments.app.tasks.carryOutResets();

  expect(await stateOf(sandbox)).toEqual({
    ...reset,
    status: 'completed',
    completed_at: new Date(payments.clock.now()).toISOString(),
  });
  expect(await countOf(sandbox)).toBe(1);
  expect((await payments.read(sandbox, later.id)).id).toBe(later.id);
  expect(await countOf(live)).toBe(2);
  expect(await countOf(other)).toBe(2);
});

test('a reset of the sandbox tells webhooks in a signed order without an environment, after the payments are deleted', async () => {
  const { sandbox } = aTeam();
  await createPayments(sandbox, 1);
  payments.clock.advance(1);
  const { requested_at } = await request(sandbox);
  await payments.app.tasks.carryOutResets();
  expect(orders).toEqual([
    { team_id: sandbox.team_id, created_before: requested_at, signature: expect.anything() },
  ]);
  const findPublicKey = parseSignerPublicKeys(payments.issuerKeys.publicKeys);
  const verifier = createSignatureVerifier(findPublicKey);
  expect(verifier.check('sandbox_reset', orders[0])).toEqual({ issuer: 'payments', fault: null });
});

test('a reset of the sandbox frees the idempotency keys of the deleted payments', async () => {
  const { sandbox } = aTeam();
  const create = () =>
    payments.send(sandbox, {
      method: 'POST',
      path: '/v1/payments',
      key: 'order-1',
      body: { amount: 100, currency: 'EUR' },
    });
  const first = (await create()).json();
  await payments.app.outbox.drain();
  payments.clock.advance(1);
  await request(sandbox);
  await payments.app.tasks.carryOutResets();
  const second = await create();
  expect(second.statusCode).toBe(201);
  expect(second.json().id).not.toBe(first.id);
});

test('a reset of the sandbox is continued by another instance, in batches, after a crash in the middle', async () => {
  const { sandbox } = aTeam();
  await createPayments(sandbox, 5);
  payments.clock.advance(1);
  await request(sandbox);
  const other = await payments.anotherInstance();
  const { resets, sandboxPayments } = payments.app;
  const claimed = await resets.claimDue(payments.clock);
  const scope = { teamId: sandbox.team_id, createdBefore: claimed?.requested_at ?? new Date(0) };
  expect(await sandboxPayments.deleteBatch(scope, 2)).toEqual({ found: 2, deleted: 2 });

  // The first worker crashed. Its lease keeps the other one away until it ends.
  await other.app.tasks.carryOutResets();
  expect(await countOf(sandbox)).toBe(3);
  payments.clock.advance(LEASE_MS);
  await other.app.tasks.carryOutResets();

  expect(await countOf(sandbox)).toBe(0);
  expect(await stateOf(sandbox)).toMatchObject({ status: 'completed' });
  await other.stop();
});

test('a reset of the sandbox stays in progress while webhooks is unreachable, and completes later', async () => {
  const { sandbox } = aTeam();
  payments.clock.advance(1);
  await request(sandbox);
  isWebhooksDown = true;
  await expect(payments.app.tasks.carryOutResets()).rejects.toMatchObject(rejection('unavailable'));
  expect(await stateOf(sandbox)).toMatchObject({ status: 'in_progress', completed_at: null });
  isWebhooksDown = false;
  payments.clock.advance(LEASE_MS);
  await payments.app.tasks.carryOutResets();
  expect(await stateOf(sandbox)).toMatchObject({ status: 'completed' });
});

test('a reset of the sandbox is carried out by two instances at once', async () => {
  const teams = [aTeam(), aTeam(), aTeam()].map(({ sandbox }) => sandbox);
  for (const team of teams) await createPayments(team, 4);
  payments.clock.advance(1);
  for (const team of teams) await request(team);
  const other = await payments.anotherInstance();
  await Promise.all([payments.app, other.app].map(({ tasks }) => tasks.carryOutResets()));
  for (const team of teams) {
    expect(await countOf(team)).toBe(0);
    expect(await stateOf(team)).toMatchObject({ status: 'completed' });
  }
  await other.stop();
});

test('a reset of the sandbox waits for the events of a payment, and deletes one that fails verification', async () => {
  const { sandbox } = aTeam();
  const { id } = await payments.create(sandbox);
  const forged = await payments.create(sandbox);
  await payments.app.outbox.drain();
  await payments.collection.updateOne({ _id: id as never }, { $set: { 'history.0.published_at': null } });
  await payments.collection.updateOne(
    { _id: forged.id as never },
    { $set: { amount: 1, 'history.0.published_at': null } },
  );
  payments.clock.advance(1);
  await request(sandbox);
  await payments.app.tasks.carryOutResets();
  expect((await payments.collection.find({ team_id: sandbox.team_id }).toArray()).map(idOf)).toEqual([id]);

  payments.clock.advance(5_001);
  await payments.app.outbox.sweep();
  await payments.app.tasks.carryOutResets();
  expect(await countOf(sandbox)).toBe(0);
});

test('a reset of the sandbox is repeated once, for a payment that was being created when it was requested', async () => {
  const { sandbox } = aTeam();
  const late = await payments.create(sandbox);
  await payments.app.outbox.drain();
  const stored = await payments.stored(sandbox, late.id);
  await payments.collection.deleteOne({ _id: late.id as never });
  payments.clock.advance(1);
  const reset = await request(sandbox);
  await payments.app.tasks.carryOutResets();
  await payments.collection.insertOne(stored as never);
  payments.clock.advance(60_000);
  await payments.app.tasks.carryOutResets();
  expect(await countOf(sandbox)).toBe(0);
  const { completed_at } = await stateOf(sandbox);
  expect(completed_at).toBe(reset.requested_at);
});

test('the request for a reset returns the reset in progress, and starts another one after that', async () => {
  const { sandbox } = aTeam();
  const first = await request(sandbox);
  payments.clock.advance(1);
  expect(await request(sandbox, 'owner')).toEqual(first);
  await payments.app.tasks.carryOutResets();
  const second = await request(sandbox);
  expect(second.id).not.toBe(first.id);
  expect(await stateOf(sandbox)).toEqual(second);
});

test('the request for a reset has one audit entry for each reset', async () => {
  const { sandbox } = aTeam();
  await request(sandbox);
  await request(sandbox);
  const stored = await payments.connection
    .collection('sandbox_resets')
    .find({ team_id: sandbox.team_id })
    .toArray();
  expect(stored.flatMap(({ outbox }) => outbox)).toMatchObject([
    {
      action: 'sandbox.reset',
      environment: 'sandbox',
      target: { type: 'team', id: sandbox.team_id, name: null },
    },
  ]);
});

test('the request for a reset returns the same reset for the same idempotency key, also when it has completed', async () => {
  const { sandbox } = aTeam();
  const actor = anActor(sandbox, 'admin');
  let replays = 0;
  const call = {
    key: newId('request'),
    operation: 'reset',
    request: {},
    markReplayed() {
      replays += 1;
    },
  };
  const first = await requestReset(deps(), actor, call);
  payments.clock.advance(1);
  await payments.app.tasks.carryOutResets();
  expect(await requestReset(deps(), actor, call)).toMatchObject({ id: first.id, status: 'completed' });
  expect(replays).toBe(1);
});

test.each(['viewer', 'developer'] as const)('the request for a reset is forbidden for a %s', async (role) => {
  await expect(request(aPrincipal(), role)).rejects.toMatchObject(rejection('forbidden'));
});

test('the request for a reset is not found by a team that never reset its sandbox', async () => {
  await expect(stateOf(aPrincipal())).rejects.toMatchObject(rejection('not-found'));
});

function idOf({ _id }: { _id: unknown }): unknown {
  return _id;
}
