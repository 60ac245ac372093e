import { rejection } from '@tollgate/bus/test/rejection';
import { HOUR_MS, MINUTE_MS } from '@tollgate/contracts/durations';
import { newId } from '@tollgate/contracts/ids';
import type { MessagePreview } from '@tollgate/contracts/message-template';
import * as contract from '@tollgate/contracts/rpc/accounts';
import type { ReceivedMail } from '@tollgate/local-servers/mail-inbox/received-mail';
import { type MailInbox, startMailInbox } from '@tollgate/local-servers/mail-inbox/start-mail-inbox';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT_ACTIONS } from '../src/mail/letters/account-letter.ts';
import { DIGEST_ACTIONS } from '../src/notices/digest-notice.ts';
import { storeMessages } from '../src/notices/store-messages.ts';
import { TEAM_ACTIONS } from '../src/notices/team-notice.ts';
import { SAMPLE_ADDRESS, SAMPLE_COUNT, SAMPLE_TOKEN, type Sample } from '../src/previews/sample.ts';
import { accountSampleEntry, teamSampleEntry } from '../src/previews/sample-entries.ts';
import { type ChatReceiver, startChatReceiver } from './chat-receiver.ts';
import {
  createTeamWithOwner,
  type Harness,
  ORIGIN,
  type Person,
  type Service,
  startHarness,
} from './harness.ts';

const DASHBOARD_URL = 'https://pay.example.com';

let harness: Harness;
let inbox: MailInbox;
let chat: ChatReceiver;
let service: Service;
/** The owner of a team with a chat. */
let owner: Person;

beforeAll(async () => {
  harness = await startHarness();
  inbox = await startMailInbox({ smtp: 0, http: 0 });
  chat = await startChatReceiver();
  service = await harness.startService({
    env: {
      SMTP_URL: inbox.smtpUrl,
      MAIL_FROM: 'tollgate@example.com',
      CHAT_ALLOW_PRIVATE_NETWORKS: 'true',
      DASHBOARD_URL,
    },
  });
  owner = await createTeamWithOwner(harness);
  await harness.call(owner.actor, contract.setTeamChat, { url: chat.url });
});
beforeEach(() => {
  // A notice would be combined with one of an earlier test, and a sign-in would be the first one of the account.
  harness.clock.advance(2 * HOUR_MS);
});
afterAll(async () => {
  await harness.stop();
  await inbox.stop();
  await chat.stop();
});

/** The data of previews for the owner. */
async function sample(): Promise<Sample> {
  const { context } = service.app;
  const team = await context.teams.find(owner.actor.team_id);
  const member = await context.members.find(owner.actor.team_id, owner.id);
  if (!team || !member) throw new Error('The team or its owner is missing.');
  return { team, member, now: new Date(harness.clock.now()), links: context.links };
}

const preview = (templateId: string) =>
  harness.call(owner.actor, contract.previewMessage, { template_id: templateId });

async function mailTo(email: string, subject: string): Promise<ReceivedMail> {
  const find = () => inbox.list().find((mail) => mail.to.includes(email) && mail.subject === subject);
  await service.app.sendMails();
  await eventually(`"${subject}" to ${email}`, () => find() !== undefined);
  return find() as ReceivedMail;
}

/** Line ends are those of SMTP on the way. */
const asSent = (text: string) => text.replaceAll('\r\n', '\n').trimEnd();

function expectSameMail(
  mail: ReceivedMail,
  { subject, text, html }: MessagePreview,
  token = SAMPLE_TOKEN,
): void {
  expect(mail.subject).toBe(subject);
  expect(asSent(mail.text)).toBe(asSent(text.replaceAll(SAMPLE_TOKEN, token)));
  expect(asSent(mail.html)).toBe(asSent(html.replaceAll(SAMPLE_TOKEN, token)));
}

async function expectPosted({ chat_text }: MessagePreview): Promise<void> {
  await service.app.sendChatMessages();
  await eventually('the message is posted', () => chat.posted.includes(chat_text ?? ''));
}

function tokenIn({ text }: ReceivedMail): string {
  return new RegExp(`${DASHBOARD_URL}/(?:join|reset)/([\\w-]+)`).exec(text)?.[1] ?? '';
}

describe('a preview has the words of the message that is sent', () => {
  it('of an invitation', async () => {
    const email = 'new.member@example.com';
    await harness.call(owner.actor, contract.createInvitation, { email, role: 'developer' });
    const shown = await preview('invitation');
    const mail = await mailTo(email, shown.subject);
    expectSameMail(mail, shown, tokenIn(mail));
    expect(shown.chat_text).toBeNull();
  });

  it('of a requested reset link', async () => {
    const from = { ...ORIGIN, address: SAMPLE_ADDRESS };
    await harness.callAnonymously(contract.requestResetLink, { email: owner.email, ...from });
    const shown = await preview('password_reset');
    const mail = await mailTo(owner.email, shown.subject);
    expectSameMail(mail, shown, tokenIn(mail));
    expect(shown.chat_text).toBeNull();
  });

  it.each(ACCOUNT_ACTIONS)('about the own account: %s', async (action) => {
    const entry = { ...accountSampleEntry(action, await sample()), id: newId('audit') };
    await storeMessages(service.app.context, entry);
    const shown = await preview(action);
    expectSameMail(await mailTo(owner.email, shown.subject), shown);
    expect(shown.chat_text).toBeNull();
  });

  it.each(TEAM_ACTIONS)('about the team: %s', async (action) => {
    const entry = { ...teamSampleEntry(action, await sample()), id: newId('audit') };
    await storeMessages(service.app.context, entry);
    const shown = await preview(action);
    expectSameMail(await mailTo(owner.email, shown.subject), shown);
    await expectPosted(shown);
  });

  it.each(DIGEST_ACTIONS)('that combines several: %s', async (action) => {
    const entry = teamSampleEntry(action, await sample());
    const shown = await preview(`${action}.digest`);
    for (let count = 0; count <= SAMPLE_COUNT; count++)
      await storeMessages(service.app.context, { ...entry, id: newId('audit') });
    harness.clock.advance(10 * MINUTE_MS);
    expectSameMail(await mailTo(owner.email, shown.subject), shown);
    await expectPosted(shown);
  });
});

describe('a preview', () => {
  it('is listed with the subject that it has', async () => {
    const { data } = await harness.call(owner.actor, contract.listMessageTemplates, {});
    for (const template of data) expect(await preview(template.id)).toMatchObject(template);
  });

  it('escapes the name of the team, as a mail does', async () => {
    const { team_id } = owner.actor;
    await harness.call(owner.actor, contract.renameTeam, { team_id, name: '<b>Bold</b>' });
    const { html, text } = await preview('invitation');
    expect(html).toContain('&lt;b&gt;Bold&lt;/b&gt;');
    expect(html).not.toContain('<b>');
    expect(text).toContain('<b>Bold</b>');
  });

  it('sends and stores nothing', async () => {
    const [mails, posts] = [inbox.list().length, chat.posted.length];
    const before = await service.connection.collection('mails').countDocuments();
    await preview('webhook_endpoint.failing');
    await service.app.sendMails();
    await service.app.sendChatMessages();
    expect(await service.connection.collection('mails').countDocuments()).toBe(before);
    expect([inbox.list().length, chat.posted.length]).toEqual([mails, posts]);
  });

  it.each(['nothing', 'member.removed', '__proto__', 'log.verification_failed.digest'])(
    'of the unknown template %s is not found',
    async (templateId) => {
      expect(await rejection(preview(templateId))).toMatchObject({ code: 'not-found' });
    },
  );
});
