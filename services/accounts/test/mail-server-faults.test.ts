import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import { eventually } from '@tollgate/test-kit/eventually';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { memberAuditEntry } from '../src/audit-entry.ts';
import { createMailTransport, MAX_CONNECTIONS } from '../src/mail/mail-transport.ts';
import { parseSmtpUrl } from '../src/mail/smtp-server.ts';
import { type Origin, provenAuthor } from '../src/origin.ts';
import { requestResetLink } from '../src/passwords/request-reset-link.ts';
import { findResetLink } from '../src/passwords/reset-link.ts';
import { resetPassword } from '../src/passwords/reset-password.ts';
import {
  addMember,
  createTeamWithOwner,
  type Harness,
  newEmail,
  type Person,
  type Service,
  startHarness,
} from './harness.ts';
import { MAIL_CERTIFICATE, MAIL_CERTIFICATE_KEY } from './mail-certificate.ts';
import { storedMessages } from './stored-messages.ts';

const MAILS = 200;
const KILLS = 3;
const ORIGIN: Origin = { address: null, user_agent: null, request_id: null };

let harness: Harness;
let owner: Person;
/** Sends only when a test calls `sendMails`. */
let service: Service | null = null;
let server: SMTPServer | null = null;
/** Message-IDs of the mails that the server accepted. */
let accepted: string[] = [];

beforeAll(async () => {
  harness = await startHarness();
  const serving = await harness.startService();
  owner = await createTeamWithOwner(harness);
  await serving.stop();
});
afterEach(async () => {
  await service?.stop();
  await stopServer();
  accepted = [];
  await harness.database.collection('mails').deleteMany({});
});
afterAll(() => harness.stop());

async function startServer(
  options: SMTPServerOptions = {},
  at = { host: '127.0.0.1', port: 0 },
): Promise<string> {
  const started = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      text(stream).then((source) => {
        accepted.push(/^Message-ID: <(.+)>/im.exec(source)?.[1] ?? '');
        done();
      }, done);
    },
    ...options,
  });
  started.on('error', () => undefined);
  started.listen(at.port, at.host);
  await once(started.server, 'listening');
  server = started;
  return `smtp://${at.host}:${portOf(started)}`;
}

function portOf(of: SMTPServer): number {
  return (of.server.address() as AddressInfo).port;
}

async function stopServer(): Promise<void> {
  const stopping = server;
  server = null;
  if (!stopping) return;
  for (const connection of stopping.connections) connection.close();
  await new Promise<void>((resolve) => stopping.close(() => resolve()));
}

async function startSender(smtpUrl: string): Promise<Service> {
  const env = { SMTP_URL: smtpUrl, MAIL_FROM: 'tollgate@example.com' };
  service = await harness.startService({ env, isStarted: false });
  return service;
}

/** Stores a mail to the owner. */
async function storeMail({ app }: Service): Promise<string> {
  const id = newId('mail');
  const { id: member_id, actor } = owner;
  const created_at = new Date(harness.clock.now());
  const author = provenAuthor({ _id: member_id, name: actor.name }, ORIGIN);
  const member = { _id: member_id, name: actor.name, team_id: actor.team_id };
  const entry = memberAuditEntry('member.password_changed', author, member, created_at);
  const topic = { type: 'audit-entry' as const, entry, member_id };
  await app.context.mails.insert({ _id: id, team_id: entry.team_id, topic, created_at });
  return id;
}

/** The sum over all due mails. */
async function countAttempts(): Promise<number> {
  const mails = await storedMessages(harness, 'mails');
  return mails.filter(({ status }) => status === 'due').reduce((sum, { attempts }) => sum + attempts, 0);
}

async function stored(id: string) {
  return (await storedMessages(harness, 'mails')).find(({ _id }) => _id === id);
}

it('the accounts service retries while the mail server is down, with one Message-ID', async () => {
  const smtpUrl = await startServer();
  const port = Number(new URL(smtpUrl).port);
  await stopServer();
  const sender = await startSender(smtpUrl);
  const id = await storeMail(sender);
  await sender.app.sendMails();
  expect(await stored(id)).toMatchObject({
    status: 'due',
    attempts: 1,
    reason: expect.stringContaining('ECONNREFUSED'),
  });

  await startServer({}, { host: '127.0.0.1', port });
  await sender.app.sendMails();
  expect(accepted).toEqual([]);
  harness.clock.advance(MINUTE_MS);
  await sender.app.sendMails();
  expect(accepted).toEqual([`${id}@example.com`]);
  expect(await stored(id)).toMatchObject({ status: 'sent', attempts: 2 });
});

it('the accounts service retries a temporary rejection for a day, then gives up with the reason of the server', async () => {
  const temporary = Object.assign(new Error('Mailbox busy'), { responseCode: 450 });
  const sender = await startSender(await startServer({ onRcptTo: (_to, _session, done) => done(temporary) }));
  const id = await storeMail(sender);
  for (let attempt = 0; attempt < 5; attempt++) {
    await sender.app.sendMails();
    harness.clock.advance(6 * HOUR_MS);
  }
  expect(await stored(id)).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('Mailbox busy'),
  });
});

/** Stores the mail of a reset link for the owner. */
async function storeResetMail({ app }: Service): Promise<string> {
  const id = newId('mail');
  const topic = { type: 'password-reset' as const, email: owner.email, origin: ORIGIN };
  await app.context.mails.insert({
    _id: id,
    team_id: null,
    topic,
    created_at: new Date(harness.clock.now()),
  });
  return id;
}

it.each([
  { what: 'a reset link', maxAge: 'an hour', store: storeResetMail, maxAgeMs: HOUR_MS },
  { what: 'a notice', maxAge: 'a day', store: storeMail, maxAgeMs: DAY_MS },
])(
  'the accounts service sends $what until $maxAge after its creation, and not later',
  async ({ store, maxAgeMs }) => {
    const sender = await startSender(await startServer());
    const tooOld = await store(sender);
    harness.clock.advance(1);
    const inTime = await store(sender);
    harness.clock.advance(maxAgeMs);
    await sender.app.sendMails();
    expect(accepted).toEqual([`${inTime}@example.com`]);
    expect(await stored(tooOld)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('maximum age'),
    });
  },
);

it('the accounts service gives up at once when the server rejects the recipient permanently', async () => {
  const permanent = Object.assign(new Error('No such mailbox'), { responseCode: 550 });
  const sender = await startSender(await startServer({ onRcptTo: (_to, _session, done) => done(permanent) }));
  const id = await storeMail(sender);
  await sender.app.sendMails();
  expect(await stored(id)).toMatchObject({
    status: 'failed',
    attempts: 1,
    reason: expect.stringContaining('No such mailbox'),
  });
});

it('the accounts service shows the owner why the mail of an invitation was rejected, and sends it again', async () => {
  const permanent = Object.assign(new Error('No such mailbox'), { responseCode: 550 });
  let isRejected = true;
  const onRcptTo: SMTPServerOptions['onRcptTo'] = (_to, _session, done) =>
    done(isRejected ? permanent : undefined);
  const env = { SMTP_URL: await startServer({ onRcptTo }), MAIL_FROM: 'tollgate@example.com' };
  service = await harness.startService({ env });
  const email = newEmail();
  const { id } = await harness.call(owner.actor, contract.createInvitation, { email, role: 'viewer' });
  const mailOf = async (person: Person) =>
    (await harness.call(person.actor, contract.listInvitations, {})).data.find((open) => open.id === id)
      ?.mail;
  await eventually('the mail is rejected', async () => (await mailOf(owner))?.status === 'failed');
  expect((await mailOf(owner))?.reason).toContain('No such mailbox');
  expect(await mailOf(await addMember(harness, owner, 'admin'))).toBeNull();
  isRejected = false;
  await harness.call(owner.actor, contract.resendInvitation, { invitation_id: id });
  await eventually('the mail is sent', async () => (await mailOf(owner))?.status === 'sent');
});

it('the accounts service keeps mails when the server rejects the password of the platform', async () => {
  const smtpUrl = await startServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(new Error('Invalid password')),
  });
  const sender = await startSender(smtpUrl.replace('//', '//user:a-wrong-password@'));
  const id = await storeMail(sender);
  await sender.app.sendMails();
  expect(await stored(id)).toMatchObject({ status: 'due', attempts: 1 });
  expect(harness.logLines.join('')).not.toContain('a-wrong-password');
});

it('the accounts service sends nothing over an unencrypted connection to another machine', async () => {
  let attempts = 0;
  const smtpUrl = await startServer(
    {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth(_auth, _session, done) {
        attempts += 1;
        done(null, { user: 'user' });
      },
    },
    { host: '127.0.0.2', port: 0 },
  );
  const sender = await startSender(smtpUrl.replace('//', '//user:password@'));
  const id = await storeMail(sender);
  await sender.app.sendMails();
  expect(await stored(id)).toMatchObject({ status: 'due', attempts: 1 });
  expect({ attempts, accepted }).toEqual({ attempts: 0, accepted: [] });
});

it('the accounts service sends nothing to a server whose certificate is not trusted', async () => {
  const smtpUrl = await startServer({ disabledCommands: [] }, { host: '127.0.0.2', port: 0 });
  const sender = await startSender(smtpUrl);
  const id = await storeMail(sender);
  await sender.app.sendMails();
  expect(await stored(id)).toMatchObject({ status: 'due', reason: expect.stringContaining('certificate') });
  expect(accepted).toEqual([]);
});

it.each(['smtp', 'smtps'])(
  'the accounts service sends over %s to a server whose certificate is trusted',
  async (protocol) => {
    setDefaultCACertificates([...getCACertificates('default'), MAIL_CERTIFICATE]);
    const certificate = { cert: MAIL_CERTIFICATE, key: MAIL_CERTIFICATE_KEY };
    const at = { host: '127.0.0.2', port: 0 };
    const smtpUrl = await startServer(
      { ...certificate, secure: protocol === 'smtps', disabledCommands: [] },
      at,
    );
    const sender = await startSender(smtpUrl.replace('smtp:', `${protocol}:`));
    const id = await storeMail(sender);
    await sender.app.sendMails();
    expect(accepted).toEqual([`${id}@example.com`]);
  },
);

it('the accounts service tries a server that never responds with a few mails, and later with one at a time', async () => {
  const smtp = parseSmtpUrl(await startServer({ onConnect: () => undefined }));
  const mail = createMailTransport({ smtp, from: 'tollgate@example.com', connectTimeoutMs: 200 });
  service = await harness.startService({ deps: { mail }, isStarted: false });
  const sender = service;
  const id = await storeMail(sender);
  for (let mail = 0; mail < 20; mail++) await storeMail(sender);
  await sender.app.sendMails();
  expect(await stored(id)).toMatchObject({ status: 'due', reason: expect.stringContaining('Greeting') });
  expect(await countAttempts()).toBe(MAX_CONNECTIONS);
  await sender.app.sendMails();
  expect(await countAttempts()).toBe(MAX_CONNECTIONS);
  harness.clock.advance(MINUTE_MS);
  await sender.app.sendMails();
  expect(await countAttempts()).toBe(MAX_CONNECTIONS + 1);
});

describe('the mail of a reset link whose acceptance was not received', () => {
  /** Breaks the connection after it has read the first mail. Collects the token of each mail. */
  async function startBreakingServer(tokens: string[]): Promise<string> {
    return startServer({
      onData(stream, _session, done) {
        text(stream).then((source) => {
          tokens.push(tokenIn(source));
          if (tokens.length > 1) return done();
          for (const connection of server?.connections ?? []) connection.close();
        }, done);
      },
    });
  }

  function tokenIn(source: string): string {
    // RFC 2045 §6.7: a soft line break is no part of the text.
    return /\/reset\/([\w-]+)/.exec(source.replace(/=\r?\n/g, ''))?.[1] ?? '';
  }

  it('the mail of a reset link whose acceptance was not received is sent again with a token of its own, and each token works until one is used', async () => {
    const tokens: string[] = [];
    const sender = await startSender(await startBreakingServer(tokens));
    const { context } = sender.app;
    await requestResetLink(context, { email: owner.email, ...ORIGIN });
    await sender.app.sendMails();
    harness.clock.advance(MINUTE_MS);
    await sender.app.sendMails();
    const [first, second] = tokens as [string, string];
    expect(new Set(tokens).size).toBe(2);
    expect((await findResetLink(context, second)).link).toEqual((await findResetLink(context, first)).link);
    const members = await harness.database.collection('members').find().toArray();
    for (const token of tokens) expect(JSON.stringify(members)).not.toContain(token);

    await resetPassword(context, { token: first, password: 'another correct password', ...ORIGIN });
    for (const token of tokens)
      expect(await rejection(findResetLink(context, token))).toMatchObject({ code: 'not-found' });
  });

  it('the mail of a reset link whose acceptance was not received is not sent again when the mail of a later request was sent, whose link keeps working', async () => {
    const tokens: string[] = [];
    const sender = await startSender(await startBreakingServer(tokens));
    const { context } = sender.app;
    await requestResetLink(context, { email: owner.email, ...ORIGIN });
    await sender.app.sendMails();
    harness.clock.advance(SECOND_MS);
    await requestResetLink(context, { email: owner.email, ...ORIGIN });
    harness.clock.advance(MINUTE_MS);
    await sender.app.sendMails();
    expect(tokens).toHaveLength(2);
    await findResetLink(context, tokens[1] as string);
    expect(await rejection(findResetLink(context, tokens[0] as string))).toMatchObject({ code: 'not-found' });
  });
});

it('the accounts service takes over the mails of an instance that died in an attempt', async () => {
  const sender = await startSender(await startServer());
  const id = await storeMail(sender);
  const { mails } = sender.app.context;
  const leasedUntil = new Date(harness.clock.now() + 5 * MINUTE_MS);
  const taken = await mails.claim(new Date(harness.clock.now()), leasedUntil);
  expect(taken?._id).toBe(id);
  await sender.app.sendMails();
  expect(accepted).toEqual([]);

  harness.clock.set(leasedUntil.getTime());
  await sender.app.sendMails();
  expect(accepted).toEqual([`${id}@example.com`]);
  if (taken) await mails.settle(taken, 'failed', 'The instance that died reports its attempt too late.');
  expect(await stored(id)).toMatchObject({ status: 'sent' });
});

it(`the accounts service loses none of ${MAILS} mails while the mail server is killed ${KILLS} times`, async () => {
  const smtpUrl = await startServer();
  const port = Number(new URL(smtpUrl).port);
  const sender = await startSender(smtpUrl);
  const ids = await Promise.all(Array.from({ length: MAILS }, () => storeMail(sender)));

  for (let kill = 1; kill <= KILLS; kill++) {
    const sending = sender.app.sendMails();
    const enough = (kill * MAILS) / (KILLS + 1);
    await eventually('more are accepted', () => accepted.length >= enough, { intervalMs: 1 });
    await stopServer();
    await sending;
    await startServer({}, { host: '127.0.0.1', port });
    harness.clock.advance(HOUR_MS);
  }
  await sender.app.sendMails();

  const received = new Set(accepted);
  expect(ids.filter((id) => !received.has(`${id}@example.com`))).toEqual([]);
  process.stdout.write(
    `measured: ${MAILS} mails, ${KILLS} kills: 0 lost, ${accepted.length - received.size} duplicates\n`,
  );
});
