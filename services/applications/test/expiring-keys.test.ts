import { type ConsumedMessage, consume } from '@tollgate/bus/consumer';
import { member } from '@tollgate/bus/test/member';
import * as contract from '@tollgate/contracts/applications/rpc';
import { AuditEntry } from '@tollgate/contracts/audit/audit';
import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { notifyExpiringKeys } from '../src/keys/notify-expiring-keys.ts';
import { createApplication, createKey, type Harness, type Service, startHarness } from './harness.ts';

let harness: Harness;
let instances: Service[];
let consumer: { stop(): Promise<void> };
const messages: ConsumedMessage<AuditEntry>[] = [];

beforeAll(async () => {
  harness = await startHarness();
  instances = [await harness.startService(), await harness.startService({ isStarted: false })];
  consumer = consume(harness.client, {
    stream: 'AUDIT',
    durable: 'expiry-test',
    logger: harness.logger,
    schema: AuditEntry,
    handle: async (message) => void messages.push(message),
  });
});
afterAll(async () => {
  await consumer?.stop();
  await harness.stop();
});

const inDays = (days: number) => new Date(harness.clock.now() + days * DAY_MS).toISOString();

async function expiringKey(days: number) {
  const actor = member('admin');
  const application = await createApplication(harness, actor);
  const key = await createKey(harness, actor, application, { expires_at: inDays(days) });
  return { actor, key };
}

/** Every instance looks for expiring keys at the same time. */
async function notify(): Promise<void> {
  await Promise.all(instances.map(({ app }) => notifyExpiringKeys(app.context)));
}

/** Notices of the key, once there are this many. */
async function notices(keyId: string, count: number): Promise<AuditEntry[]> {
  const found = () =>
    [...new Map(messages.map(({ body }) => [body.id, body])).values()].filter(
      ({ action, target }) => action === 'key.expiring' && target.id === keyId,
    );
  await eventually(`${count} notices`, () => found().length >= count);
  expect(found()).toHaveLength(count);
  return found();
}

it('members are notified seven days and one day before a key expires, once each, by several instances', async () => {
  const { key } = await expiringKey(30);
  await notify();
  await notices(key.id, 0);
  harness.clock.advance(23 * DAY_MS);
  await notify();
  await notify();
  const [first] = await notices(key.id, 1);
  expect(first).toMatchObject({
    actor: { type: 'system' },
    application_id: key.application_id,
    target: { type: 'key', id: key.id, name: key.name },
    changes: { expires_at: { after: key.expires_at } },
  });
  harness.clock.advance(6 * DAY_MS);
  await notify();
  await notify();
  await notices(key.id, 2);
  harness.clock.advance(DAY_MS);
  await notify();
  await notices(key.id, 2);
});

it('members are not notified of a key that is revoked, rotated, or was created for less than a day', async () => {
  const [revoked, rotated, short] = [await expiringKey(20), await expiringKey(20), await expiringKey(0.9)];
  await harness.call(revoked.actor, contract.revokeKey, { key_id: revoked.key.id });
  await harness.call(rotated.actor, contract.rotateKey, { key_id: rotated.key.id, overlap_s: 60 });
  harness.clock.advance(HOUR_MS);
  await notify();
  harness.clock.advance(14 * DAY_MS);
  await notify();
  const control = await expiringKey(8);
  harness.clock.advance(2 * DAY_MS);
  await notify();
  await notices(control.key.id, 1);
  for (const { key } of [revoked, rotated, short]) await notices(key.id, 0);
});

it('a changed expiry is noticed again', async () => {
  const { actor, key } = await expiringKey(10);
  harness.clock.advance(4 * DAY_MS);
  await notify();
  await notices(key.id, 1);
  await harness.call(actor, contract.updateKey, { key_id: key.id, expires_at: inDays(20) });
  await notify();
  harness.clock.advance(14 * DAY_MS);
  await notify();
  await notices(key.id, 2);
});
