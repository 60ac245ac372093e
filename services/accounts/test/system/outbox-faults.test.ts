import { HOUR_MS, MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import { type MailInbox, startMailInbox } from '@tollgate/local-servers/mail-inbox/start-mail-inbox';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { eventually } from '@tollgate/test-kit/eventually';
import { type ProcessUnderTest, startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memberAuditEntry } from '../../src/audit-entry.ts';
import { MAX_CHATS_AT_ONCE } from '../../src/chat/chat-sender.ts';
import { newChatWebhook } from '../../src/chat/chat-webhook.ts';
import { MAX_CONNECTIONS } from '../../src/mail/mail-transport.ts';
import { provenAuthor } from '../../src/origin.ts';
import { newTeam } from '../../src/teams/team.ts';
import { type ChatReceiver, startChatReceiver } from '../chat-receiver.ts';
import { createTeamWithOwner, type Harness, type Person, type Service, startHarness } from '../harness.ts';
import { storedMessages } from '../stored-messages.ts';

const MAIN = new URL('../../src/main.ts', import.meta.url);

const TEAMS = 250;
const NOTICES_PER_TEAM = 2;
const NOTICES = TEAMS * NOTICES_PER_TEAM;
const MAILS = 250;
const CHAT_KILLS = 4;
const PROCESS_KILLS = 2;
/** Time for a machine under any load. */
const PATIENTLY = { timeoutMs: 60_000 };
/** At least so many messages arrive between two kills. */
const PROGRESS = 20;
/** At least so many posts have no response when something is killed. */
const IN_FLIGHT = 8;

let harness: Harness;
/** Stores the messages, and sends only when the test calls it. Its clock is ahead of that of the processes at the end. */
let service: Service;
let owner: Person;
let chat: ChatReceiver;
let inbox: MailInbox;
let env: Record<string, string>;

beforeAll(async () => {
  harness = await startHarness();
  const serving = await harness.startService();
  owner = await createTeamWithOwner(harness);
  await serving.stop();
  // The processes have the clock of the system.
  harness.clock.set(Date.now());
  chat = await startChatReceiver();
  inbox = await startMailInbox({ smtp: 0, http: 0 });
  env = {
    CHAT_ALLOW_PRIVATE_NETWORKS: 'true',
    SMTP_URL: inbox.smtpUrl,
    MAIL_FROM: 'tollgate@example.com',
  };
  service = await harness.startService({ env, isStarted: false });
});
afterAll(async () => {
  await harness.stop();
  await chat.stop();
  await inbox.stop();
});

/** Stores teams with a chat, and the notices of each. Returns the names in the notices, by team. */
async function storeNotices(): Promise<string[][]> {
  const { teams, chatMessages, encryption } = service.app.context;
  const now = new Date(harness.clock.now());
  return Promise.all(
    Array.from({ length: TEAMS }, async (_, index) => {
      const team = newTeam({ name: `Team ${index}`, members: [], invitations: [] }, now);
      const webhook = newChatWebhook(encryption, { team_id: team._id, url: chat.url, muted_topics: [] }, now);
      await teams.insertOnce({ ...team, chat: webhook });
      const names = Array.from(
        { length: NOTICES_PER_TEAM },
        (_, notice) => `https://${index}-${notice}.test`,
      );
      for (const [position, name] of names.entries()) {
        const created_at = new Date(now.getTime() + position);
        const entry = failingEndpoint(team._id, name, created_at);
        await chatMessages.insert({ _id: entry.id, team_id: team._id, topic: { entry }, created_at });
      }
      return names;
    }),
  );
}

function failingEndpoint(teamId: string, name: string, at: Date) {
  return {
    id: newId('audit'),
    occurred_at: at.toISOString(),
    team_id: teamId,
    environment: 'live' as const,
    application_id: newId('application'),
    action: 'webhook_endpoint.failing' as const,
    ...SYSTEM_AUTHOR,
    target: { type: 'webhook_endpoint' as const, id: newId('webhookEndpoint'), name },
    changes: {},
  };
}

/** Stores mails to the owner. Returns their ids. */
async function storeMails(): Promise<string[]> {
  const { id: member_id, actor } = owner;
  const created_at = new Date(harness.clock.now());
  const author = provenAuthor(
    { _id: member_id, name: actor.name },
    { address: null, user_agent: null, request_id: null },
  );
  const member = { _id: member_id, name: actor.name, team_id: actor.team_id };
  const entry = memberAuditEntry('member.password_changed', author, member, created_at);
  const topic = { type: 'audit-entry' as const, entry, member_id };
  const ids = Array.from({ length: MAILS }, () => newId('mail'));
  const stored = { team_id: actor.team_id, topic, created_at };
  await Promise.all(ids.map((id) => service.app.context.mails.insert({ _id: id, ...stored })));
  return ids;
}

async function startProcess(): Promise<ProcessUnderTest> {
  const running = startProcessUnderTest(MAIN, { ...harness.processEnv, ...env });
  await eventually('accounts has started', () => running.opsUrl() !== '', PATIENTLY);
  await running.ready();
  return running;
}

/** Resolves once more messages have arrived, and then while posts to the chat have no response. Returns how many. */
async function untilInFlight(arrived: () => number): Promise<number> {
  const before = arrived();
  await eventually('more messages arrive', () => arrived() >= before + PROGRESS, PATIENTLY);
  chat.respondWith = 'hang';
  await eventually('posts are in flight', () => chat.open >= IN_FLIGHT, PATIENTLY);
  return chat.open;
}

function resumeChat(): void {
  chat.respondWith = { status: 200 };
}

async function unsettled(): Promise<number> {
  const messages = [
    ...(await storedMessages(harness, 'chat_messages')),
    ...(await storedMessages(harness, 'mails')),
  ];
  return messages.filter(({ status }) => status === 'due').length;
}

/** Sends what is left, also what the killed processes had leased. */
async function sendRest(): Promise<void> {
  harness.clock.set(Date.now() + HOUR_MS);
  const isEverySettled = async () => {
    harness.clock.advance(MINUTE_MS);
    await Promise.all([service.app.sendChatMessages(), service.app.sendMails()]);
    return (await unsettled()) === 0;
  };
  await eventually('every message is settled', isEverySettled, PATIENTLY);
}

const nameIn = (text: string) => /https:\/\/[\d-]+\.test/.exec(text)?.[0] ?? '';
const postedNames = () => chat.posted.map(nameIn);
const mailIds = () => inbox.list().map(({ messageId }) => /mail_\w+/.exec(messageId)?.[0] ?? '');

it(`the accounts service loses none of ${NOTICES} chat notices and ${MAILS} mails while accounts is killed ${PROCESS_KILLS} times with SIGKILL, and the chat ${CHAT_KILLS} times`, async () => {
  const notices = await storeNotices();
  const mails = await storeMails();

  let running = await startProcess();
  let inFlightAtKills = 0;
  for (let kill = 0; kill < PROCESS_KILLS; kill++) {
    inFlightAtKills += await untilInFlight(() => Math.min(chat.posted.length, inbox.list().length));
    await running.end('SIGKILL');
    resumeChat();
    running = await startProcess();
  }
  let inFlightAtChatKills = 0;
  for (let kill = 0; kill < CHAT_KILLS; kill++) {
    inFlightAtChatKills += await untilInFlight(() => chat.posted.length);
    await chat.stop();
    resumeChat();
    await chat.start();
  }
  expect(await running.end('SIGTERM')).toEqual([0, null]);
  await sendRest();

  const posted = postedNames();
  expect(new Set(posted)).toEqual(new Set(notices.flat()));
  for (const [first, second] of notices as [string, string][])
    expect(posted.indexOf(first)).toBeLessThan(posted.indexOf(second));
  expect(new Set(mailIds())).toEqual(new Set(mails));
  const repeatedNotices = posted.length - NOTICES;
  const repeatedMails = mailIds().length - MAILS;
  process.stdout.write(
    `measured: ${PROCESS_KILLS} kills of accounts with ${inFlightAtKills} posts in flight, ${CHAT_KILLS} kills of the chat with ${inFlightAtChatKills}: 0 of ${NOTICES} notices and ${MAILS} mails lost, ${repeatedNotices} notices and ${repeatedMails} mails repeated\n`,
  );
  // A crash repeats what was in flight: what the receiver may have accepted and no one had recorded.
  expect(repeatedNotices).toBeLessThanOrEqual(PROCESS_KILLS * MAX_CHATS_AT_ONCE + inFlightAtChatKills);
  expect(repeatedMails).toBeLessThanOrEqual(PROCESS_KILLS * MAX_CONNECTIONS);
}, 180_000);
