import { randomBytes } from 'node:crypto';
import { createPublisher } from '@tollgate/bus/publisher';
import { rejection } from '@tollgate/bus/test/rejection';
import { NOTICE_TOPICS } from '@tollgate/contracts/accounts/notice-topics';
import * as contract from '@tollgate/contracts/accounts/rpc';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import { RPC_DEADLINE_MS } from '@tollgate/contracts/platform/rpc-contract';
import { auditSubject } from '@tollgate/contracts/platform/streams';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHAT_DEADLINE_MS, createChatTransport } from '../src/chat/chat-transport.ts';
import { newChatWebhook } from '../src/chat/chat-webhook.ts';
import { storeMessages } from '../src/notices/store-messages.ts';
import { newTeam } from '../src/teams/team.ts';
import { type ChatReceiver, startChatReceiver } from './chat-receiver.ts';
import { createTeamWithOwner, type Harness, type Person, type Service, startHarness } from './harness.ts';
import { storedMessages } from './stored-messages.ts';

const ENV = { CHAT_ALLOW_PRIVATE_NETWORKS: 'true', DASHBOARD_URL: 'https://pay.example.com' };
/** More than the workers of one instance. */
const HANGING_CHATS = 12;
const SHORT_DEADLINE_MS = 300;
/** A second at a time, so that no lease expires while a message is in flight. */
const SLOWLY = { timeoutMs: 30_000, intervalMs: 200 };
const KILLS = 3;
const MESSAGES_PER_KILL = 15;
/** More than the delay after a first failure. */
const RETRIED_AFTER_MS = 6 * SECOND_MS;

let harness: Harness;
/** Without a mail server. */
let service: Service;
let owner: Person;
let chat: ChatReceiver;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService({ env: ENV });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  chat = await startChatReceiver();
  owner = await createTeamWithOwner(harness);
  await harness.call(owner.actor, contract.setTeamChat, { url: chat.url });
});
afterEach(async () => {
  await chat.stop().catch(() => undefined);
  await harness.database.collection('chat_messages').deleteMany({});
});

const teamChat = () => harness.call(owner.actor, contract.getTeamChat, {});

function failingEndpoint(name = 'https://shop.example.com/hooks'): AuditEntry {
  return {
    id: newId('audit'),
    occurred_at: new Date(harness.clock.now()).toISOString(),
    team_id: owner.actor.team_id,
    environment: 'live',
    application_id: newId('application'),
    action: 'webhook_endpoint.failing',
    ...SYSTEM_AUTHOR,
    target: { type: 'webhook_endpoint', id: newId('webhookEndpoint'), name },
    changes: {},
  };
}

/** Publishes an entry as webhooks does. */
async function publish(entry: AuditEntry): Promise<void> {
  const message = signAuditEntry(harness.issuerKeys.signers.webhooks, entry);
  // Without an id, so that NATS also stores a repeated message.
  await createPublisher(harness.client).publish(auditSubject(entry.action), message, {
    messageId: newId('audit'),
  });
}

/** The messages of the owner's team. */
async function stored() {
  const messages = await storedMessages(harness, 'chat_messages');
  return messages.filter(({ team_id }) => team_id === owner.actor.team_id);
}

/** Stores notices about endpoints `https://<first>.example.com` and so on. Returns their ids, in order. */
async function storeNotices(count: number, first = 0): Promise<string[]> {
  const teamId = owner.actor.team_id;
  const nowMs = harness.clock.now();
  const entries = Array.from({ length: count }, (_, index) =>
    failingEndpoint(`https://${first + index}.example.com`),
  );
  for (const [index, entry] of entries.entries()) {
    const created_at = new Date(nowMs - count + index);
    await service.app.context.chatMessages.insert({
      _id: entry.id,
      team_id: teamId,
      topic: { entry },
      created_at,
    });
  }
  return entries.map(({ id }) => id);
}

/** The number in the name of an endpoint. */
const numberIn = (text: string) => Number(/https:\/\/(\d+)\.example/.exec(text)?.[1]);

/** Publishes a notice, and resolves once the first attempt to post it has ended. */
async function publishAndAttempt(entry = failingEndpoint()): Promise<AuditEntry> {
  await publish(entry);
  await eventually('the message was attempted', async () => {
    await service.app.sendChatMessages();
    return (await stored()).some(
      ({ _id, reason, status }) => _id === entry.id && (reason !== null || status !== 'due'),
    );
  });
  return entry;
}

/** Posts what is due, until so many messages have arrived. */
async function untilPosted(count: number, to = chat): Promise<void> {
  await eventually(`${count} messages are posted`, async () => {
    await service.app.sendChatMessages();
    return to.posted.length === count;
  });
}

/** Posts what is due, until the attempts to post this message have ended. */
async function untilSettled(id: string, outcome: 'failed' | 'dropped'): Promise<void> {
  await eventually(`the message is ${outcome}`, async () => {
    await service.app.sendChatMessages();
    return (await stored()).some(({ _id, status }) => _id === id && status === outcome);
  });
}

it('the chat of a team gets notices with escaped names and a link, also without a mail server', async () => {
  const entry = failingEndpoint('https://shop.example.com/?a=1&b=<!channel>');
  await publish(entry);
  await eventually('the service posts it by itself', () => chat.posted.length === 1);
  expect(chat.posted[0]).toBe(
    [
      '*Webhook endpoint failing: https://shop.example.com/?a=1&amp;b=&lt;!channel&gt;*',
      'Deliveries to https://shop.example.com/?a=1&amp;b=&lt;!channel&gt; are failing. If they continue to fail, Tollgate disables the endpoint.',
      'Team: Shop',
      `<https://pay.example.com/live/webhooks/endpoints/${entry.target.id}|Open the endpoint>`,
    ].join('\n'),
  );
  await eventually('the page says so', async () => (await teamChat()).last_message?.status === 'sent');
});

it('the chat of a team gets a notice once when its audit entry arrives twice', async () => {
  const entry = failingEndpoint();
  await publish(entry);
  await publish(entry);
  await publishAndAttempt({ ...failingEndpoint('https://later.example.com'), environment: 'sandbox' });
  await untilPosted(2);
  expect(chat.posted.filter((text) => text.includes('shop.example.com'))).toHaveLength(1);
});

it('the chat of a team gets only the topics that the team chose', async () => {
  const set = await harness.call(owner.actor, contract.setTeamChat, { topics: ['credentials'] });
  expect(set.webhook?.topics).toEqual(['credentials']);
  const { id } = await publishAndAttempt();
  await untilSettled(id, 'dropped');
  expect(chat.posted).toEqual([]);
});

it('the chat of a team gets no notice of another team', async () => {
  const other = await createTeamWithOwner(harness);
  await publish({ ...failingEndpoint(), team_id: other.actor.team_id });
  await publishAndAttempt();
  await untilPosted(1);
  expect(await stored()).toHaveLength(1);
});

it('the chat of a team gets nothing more once the webhook is removed', async () => {
  await chat.stop();
  const { id } = await publishAndAttempt();
  await harness.call(owner.actor, contract.removeTeamChat, {});
  harness.clock.advance(MINUTE_MS);
  await untilSettled(id, 'dropped');
  expect(await teamChat()).toEqual({ webhook: null, last_message: null });
  await chat.start();
});

it('the URL of the webhook is shown only as its host and its last four characters, and stored encrypted', async () => {
  expect((await teamChat()).webhook).toMatchObject({
    host: new URL(chat.url).host,
    last_four: 'chat',
    topics: NOTICE_TOPICS,
  });
  await publishAndAttempt();
  const documents = [await harness.database.collection('teams').find().toArray(), await stored()];
  expect(JSON.stringify(documents)).not.toContain('secret-of-the-chat');
  expect(harness.logLines.join('')).not.toContain('secret-of-the-chat');
});

it('the URL of the webhook must be https, and outside of private networks', async () => {
  const strict = await harness.startService({ isStarted: false });
  const rejectionOf = (url: string) => strict.app.context.chat.rejectionOf(url);
  expect(await rejectionOf('http://1.1.1.1/hook')).toBe(
    'Posting to this URL is not allowed: it must use https.',
  );
  expect(await rejectionOf('https://1.1.1.1:6379/hook')).toContain('it must use port 443 or 8443');
  expect(await rejectionOf('hooks.example.com')).toContain('a complete URL that starts with https://');
  expect(await rejectionOf('https://user:pass@1.1.1.1/')).toContain('a user or password');
  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[::ffff:10.0.0.1]',
    '2130706433',
  ])
    expect(await rejectionOf(`https://${address}/hook`)).toContain('is not allowed');
  expect(await rejectionOf('https://1.1.1.1/hook')).toBeNull();
  await strict.stop();
});

it('the URL of the webhook is not connected to when its address is no longer allowed', async () => {
  await service.stop();
  service = await harness.startService({ env: { DASHBOARD_URL: ENV.DASHBOARD_URL } });
  const entry = await publishAndAttempt();
  await untilSettled(entry.id, 'failed');
  expect((await teamChat()).last_message?.reason).toContain('is not allowed');
  expect(chat.posted).toEqual([]);
  await service.stop();
  service = await harness.startService({ env: ENV });
});

it('the URL of the webhook that cannot be decrypted shows no detail of the installation', async () => {
  await service.stop();
  const ACCOUNTS_ENCRYPTION_KEYS = `2:${randomBytes(32).toString('base64')}`;
  service = await harness.startService({ env: { ...ENV, ACCOUNTS_ENCRYPTION_KEYS } });
  await publishAndAttempt();
  expect((await teamChat()).last_message).toMatchObject({
    status: 'waiting',
    reason: 'Tollgate could not send this message. Ask the operator.',
  });
  await service.stop();
  service = await harness.startService({ env: ENV });
  harness.clock.advance(RETRIED_AFTER_MS);
  await untilPosted(1);
});

it('the URL of the webhook is rejected with the field', async () => {
  const problem = await rejection(harness.call(owner.actor, contract.setTeamChat, { url: 'ftp://x' }));
  expect(problem).toMatchObject({ code: 'invalid-request' });
  expect(JSON.stringify(problem)).toContain('/url');
});

it('the URL of the webhook is needed before topics are chosen, and before a test message', async () => {
  await harness.call(owner.actor, contract.removeTeamChat, {});
  const set = harness.call(owner.actor, contract.setTeamChat, { topics: [] });
  expect(await rejection(set)).toMatchObject({ code: 'conflict' });
  expect(await harness.call(owner.actor, contract.testTeamChat, {})).toEqual({
    is_delivered: false,
    reason: 'The team has no chat webhook. Set its URL first.',
  });
});

it('a test message is posted at once', async () => {
  expect(await harness.call(owner.actor, contract.testTeamChat, {})).toEqual({
    is_delivered: true,
    reason: null,
  });
  expect(chat.posted).toEqual([
    `${owner.actor.name} sent this test message from Tollgate. Notices about the team Shop are posted here.`,
  ]);
});

it.each([
  [
    { status: 404, body: 'no_service' },
    'The chat responded with 404 (no_service). The webhook was removed there. Set a new URL.',
  ],
  [{ status: 500, body: '<html>Something else' }, 'The chat responded with 500.'],
  [
    { status: 302, headers: { location: 'http://127.0.0.1:1/elsewhere' } },
    'The chat responded with 302. Redirects are not followed.',
  ],
])('a test message returns why it was not delivered: %j', async (response, reason) => {
  chat.respondWith = response;
  expect(await harness.call(owner.actor, contract.testTeamChat, {})).toEqual({
    is_delivered: false,
    reason,
  });
  expect(chat.posted).toHaveLength(1);
});

it('the accounts service queues no more than 1,000 notices of a team, and those of other teams', async () => {
  await chat.stop();
  await storeNotices(1_000);
  await storeMessages(service.app.context, failingEndpoint());
  expect(await stored()).toHaveLength(1_000);

  const full = owner;
  owner = await createTeamWithOwner(harness);
  await harness.call(owner.actor, contract.setTeamChat, { url: chat.url });
  await storeMessages(service.app.context, failingEndpoint());
  expect(await stored()).toHaveLength(1);

  owner = full;
  const collection = harness.database.collection('chat_messages');
  await collection.updateOne({ team_id: owner.actor.team_id }, { $set: { status: 'sent' } });
  await storeMessages(service.app.context, failingEndpoint());
  expect(await stored()).toHaveLength(1_001);
  await chat.start();
});

it.each([404, 410, 403])(
  'a notice is dropped with the reason when the chat responds with %i',
  async (status) => {
    chat.respondWith = { status, body: 'channel_is_archived' };
    await publishAndAttempt();
    await eventually('the page says why', async () => (await teamChat()).last_message?.status === 'failed');
    expect((await teamChat()).last_message?.reason).toContain(`${status} (channel_is_archived)`);
    harness.clock.advance(HOUR_MS);
    await service.app.sendChatMessages();
    expect(chat.posted).toHaveLength(1);
  },
);

it('a rejected notice is posted after the time that the chat asks to wait', async () => {
  chat.respondWith = { status: 429, headers: { 'retry-after': '120' } };
  await publishAndAttempt();
  await eventually('the page says why', async () => (await teamChat()).last_message?.reason != null);
  expect(await teamChat()).toMatchObject({ last_message: { status: 'waiting' } });
  chat.respondWith = { status: 200 };
  harness.clock.advance(119 * SECOND_MS);
  await service.app.sendChatMessages();
  expect(chat.posted).toHaveLength(1);
  harness.clock.advance(2 * SECOND_MS);
  await untilPosted(2);
});

it('a failed notice is posted when the chat is back, and dropped after a day', async () => {
  await chat.stop();
  await publishAndAttempt();
  await chat.start();
  harness.clock.advance(MINUTE_MS);
  await untilPosted(1);
  await chat.stop();
  const { id } = await publishAndAttempt({ ...failingEndpoint(), environment: 'sandbox' });
  harness.clock.advance(DAY_MS);
  await untilSettled(id, 'failed');
  await chat.start();
});

it('the accounts service does not post a notice that is older than a day when the chat is back', async () => {
  await chat.stop();
  const { id } = await publishAndAttempt();
  await chat.start();
  harness.clock.advance(DAY_MS + 1);
  await untilSettled(id, 'failed');
  expect(chat.posted).toEqual([]);
  expect((await teamChat()).last_message?.reason).toContain('maximum age');
});

describe('a new URL of a chat that fails', () => {
  let replacement: ChatReceiver;

  beforeEach(async () => {
    replacement = await startChatReceiver();
  });
  afterEach(() => replacement.stop());

  const setReplacement = () => harness.call(owner.actor, contract.setTeamChat, { url: replacement.url });

  it('a new URL of a chat that fails gets the notices that wait for a retry at once, in order', async () => {
    chat.respondWith = { status: 503, headers: { 'retry-after': '600' } };
    await storeNotices(3);
    await eventually('an attempt ends', async () => (await stored()).some(({ reason }) => reason !== null));

    await setReplacement();
    // The clock stands still, so no delay ends.
    await untilPosted(3, replacement);
    expect(replacement.posted.map(numberIn)).toEqual([0, 1, 2]);
  });

  it('a new URL of a chat that fails gets the notice of which a retry to the previous URL is in flight, once', async () => {
    chat.respondWith = { status: 503 };
    await storeNotices(1);
    await eventually('an attempt ends', async () => (await stored()).some(({ reason }) => reason !== null));
    chat.respondWith = 'hang';
    harness.clock.advance(RETRIED_AFTER_MS);
    await eventually('the retry is in flight', () => chat.open === 1);

    await setReplacement();
    await eventually('the notice is posted', () => replacement.posted.length === 1);
    await chat.stop();
    await service.app.sendChatMessages();
    expect(await stored()).toMatchObject([{ status: 'sent' }]);
    expect(replacement.posted).toHaveLength(1);
  });
});

it('chats that hang delay no notice of another team', async () => {
  const { teams, encryption } = service.app.context;
  const hanging = await startChatReceiver();
  hanging.respondWith = 'hang';
  for (let count = 0; count < HANGING_CHATS; count++) {
    const now = new Date(harness.clock.now());
    const team = newTeam({ name: 'Shop', members: [], invitations: [] }, now);
    const webhook = { team_id: team._id, url: hanging.url, muted_topics: [] };
    await teams.insertOnce({ ...team, chat: newChatWebhook(encryption, webhook, now) });
    await publish({ ...failingEndpoint(), team_id: team._id });
  }
  await eventually('every post hangs', () => hanging.open === HANGING_CHATS);
  await publish(failingEndpoint());
  await eventually('the own notice is posted', () => chat.posted.length === 1);
  expect(hanging.open).toBe(HANGING_CHATS);
  await hanging.stop();
});

describe('a chat that hangs', () => {
  beforeAll(async () => {
    await service.stop();
    const allowed = { allowsPrivate: true, networks: [], platformPorts: [] };
    service = await harness.startService({
      env: ENV,
      deps: { chat: createChatTransport(allowed, harness.clock, { deadlineMs: SHORT_DEADLINE_MS }) },
    });
  });
  afterAll(async () => {
    await service.stop();
    service = await harness.startService({ env: ENV });
  });
  beforeEach(() => {
    chat.respondWith = 'hang';
  });

  it('a chat that hangs fails a test message before the caller gives up', async () => {
    expect(await harness.call(owner.actor, contract.testTeamChat, {})).toEqual({
      is_delivered: false,
      reason: 'No complete response was received within 0.3 s.',
    });
    expect(CHAT_DEADLINE_MS).toBeLessThan(RPC_DEADLINE_MS);
  });

  it('a chat that hangs is tried with one message, and gets the others in order afterwards', async () => {
    const [first, ...others] = await storeNotices(5);
    await service.app.sendChatMessages();
    await service.app.sendChatMessages();
    const attempts = new Map((await stored()).map((message) => [message._id, message.attempts]));
    expect([first, ...others].map((id) => attempts.get(id as string))).toEqual([1, 0, 0, 0, 0]);
    expect(chat.posted.map(numberIn)).toEqual([0]);

    chat.respondWith = { status: 200 };
    harness.clock.advance(MINUTE_MS);
    await untilPosted(6);
    expect(chat.posted.map(numberIn)).toEqual([0, 0, 1, 2, 3, 4]);
  });
});

it('the accounts service posts every notice in order, one at a time, when instances and the chat stop in between', async () => {
  const instances = await Promise.all([1, 2].map(() => harness.startService({ env: ENV })));
  for (let kill = 0; kill < KILLS; kill++) {
    chat.respondWith = 'hang';
    await storeNotices(MESSAGES_PER_KILL, kill * MESSAGES_PER_KILL);
    await eventually(
      'a post is in flight',
      () => {
        harness.clock.advance(SECOND_MS);
        return chat.open === 1;
      },
      SLOWLY,
    );
    await chat.stop();
    chat.respondWith = { status: 200, body: 'ok' };
    await chat.start();
    const stopping = instances[kill % 2] as Service;
    instances[kill % 2] = await harness.startService({ env: ENV });
    await stopping.stop();
    harness.clock.advance(RETRIED_AFTER_MS);
  }
  const all = KILLS * MESSAGES_PER_KILL;
  await eventually(
    'every message is posted',
    async () => {
      harness.clock.advance(SECOND_MS);
      const messages = await stored();
      return messages.length === all && messages.every(({ status }) => status === 'sent');
    },
    SLOWLY,
  );
  expect([...new Set(chat.posted.map(numberIn))]).toEqual(Array.from({ length: all }, (_, index) => index));
  expect(chat.mostOpen).toBe(1);
  // The post in flight when the chat stopped.
  expect(chat.posted.length - all).toBe(KILLS);
  await Promise.all(instances.map((instance) => instance.stop()));
});
