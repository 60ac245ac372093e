import * as contract from '@tollgate/contracts/accounts/rpc';
import { DAY_MS, DAY_S } from '@tollgate/contracts/platform/durations';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { notifyExpiringTokens } from '../src/tokens/notify-expiring-tokens.ts';
import { type ChatReceiver, startChatReceiver } from './chat-receiver.ts';
import { createTeamWithOwner, type Harness, type Person, type Service, startHarness } from './harness.ts';

let harness: Harness;
let instances: Service[];
let owner: Person;
let chat: ChatReceiver;

beforeAll(async () => {
  harness = await startHarness();
  const env = { CHAT_ALLOW_PRIVATE_NETWORKS: 'true' };
  instances = [await harness.startService({ env }), await harness.startService({ env, isStarted: false })];
  owner = await createTeamWithOwner(harness);
  chat = await startChatReceiver();
  await harness.call(owner.actor, contract.setTeamChat, { url: chat.url });
});
afterAll(async () => {
  await harness.stop();
  await chat.stop();
});

async function notify(): Promise<void> {
  await Promise.all(instances.map(({ app }) => notifyExpiringTokens(app.context)));
}

/** Until its message is settled, too: when the clock moves, its lease ends. */
async function posted(count: number): Promise<void> {
  await eventually(`notice ${count} is posted`, () => chat.posted.length === count);
  await Promise.all(instances.map(({ app }) => app.sendChatMessages()));
}

it('members are notified seven days and one day before an API token expires, once each, by several instances', async () => {
  const expiresAt = new Date(harness.clock.now() + 30 * DAY_MS);
  await harness.call(owner.actor, contract.createToken, {
    name: 'Terraform',
    role: 'admin',
    expires_at: expiresAt.toISOString(),
  });
  const revoked = await harness.call(owner.actor, contract.createToken, {
    name: 'Revoked',
    role: 'admin',
    expires_at: expiresAt.toISOString(),
  });
  await harness.call(owner.actor, contract.revokeToken, { token_id: revoked.id });
  const rotated = await harness.call(owner.actor, contract.createToken, { name: 'Rotated', role: 'admin' });
  await harness.call(owner.actor, contract.rotateToken, { token_id: rotated.id, overlap_s: 7 * DAY_S });
  await notify();
  harness.clock.advance(23 * DAY_MS);
  await notify();
  await notify();
  await posted(1);
  expect(chat.posted[0]).toContain('The API token Terraform expires on');
  harness.clock.advance(6 * DAY_MS);
  await notify();
  await notify();
  await posted(2);
  harness.clock.advance(2 * DAY_MS);
  await notify();
  await harness.call(owner.actor, contract.testTeamChat, {});
  expect(chat.posted).toHaveLength(3);
});
