import { createPublisher } from '@tollgate/bus/publisher';
import { rejection } from '@tollgate/bus/test/rejection';
import type { NoticeTopic } from '@tollgate/contracts/accounts/notice-topics';
import * as contract from '@tollgate/contracts/accounts/rpc';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import { auditSubject } from '@tollgate/contracts/platform/streams';
import type { ReceivedMail } from '@tollgate/local-servers/mail-inbox/received-mail';
import { type MailInbox, startMailInbox } from '@tollgate/local-servers/mail-inbox/start-mail-inbox';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { eventually } from '@tollgate/test-kit/eventually';
import { createSoftwareAuthenticator } from '@tollgate/test-kit/software-authenticator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestResetLink as requestResetLinkOf } from '../src/passwords/request-reset-link.ts';
import {
  addMember,
  createResetLink,
  createTeamWithOwner,
  currentTotp,
  type Harness,
  invite,
  newEmail,
  ORIGIN,
  PASSWORD,
  type Person,
  type Service,
  setUpFounder,
  signedIn,
  signIn,
  startHarness,
} from './harness.ts';
import { storedMessages } from './stored-messages.ts';

const DASHBOARD_URL = 'https://pay.example.com';
const NEW_PASSWORD = 'another correct password';
const INVITED = 'Join Shop on Tollgate';
const RESET = 'Reset your Tollgate password';
const SIGNED_IN = 'New sign-in to your Tollgate account';

let harness: Harness;
let inbox: MailInbox;
let service: Service;
let founder: Person;
let owner: Person;

beforeAll(async () => {
  harness = await startHarness();
  inbox = await startMailInbox({ smtp: 0, http: 0 });
  service = await harness.startService({ env: mailEnv(inbox.smtpUrl) });
  founder = await setUpFounder(harness);
  owner = await createTeamWithOwner(harness);
});
afterAll(async () => {
  await harness.stop();
  await inbox.stop();
});

function mailEnv(smtpUrl: string): Record<string, string> {
  return { SMTP_URL: smtpUrl, MAIL_FROM: 'Tollgate <tollgate@example.com>', DASHBOARD_URL };
}

/** The newest first. */
function mailsTo(email: string, subject: string): ReceivedMail[] {
  return inbox.list().filter((mail) => mail.to.includes(email) && mail.subject === subject);
}

/** The newest mail with the subject, once there are this many. */
async function nextMailTo(email: string, subject: string, count = 1): Promise<ReceivedMail> {
  await eventually(`${count} × "${subject}" to ${email}`, async () => {
    await service.app.sendMails();
    return mailsTo(email, subject).length >= count;
  });
  expect(mailsTo(email, subject)).toHaveLength(count);
  return mailsTo(email, subject)[0] as ReceivedMail;
}

/** Resolves when every mail so far has been sent or dropped. */
async function everyMailSettled(): Promise<void> {
  await eventually('no mail is due', async () => {
    await service.app.sendMails();
    return (await storedMails()).every(({ status }) => status !== 'due');
  });
}

const storedMails = () => storedMessages(harness, 'mails');

/** The tokens of the links to this page of the dashboard. */
function tokensIn({ text }: ReceivedMail, page: 'join' | 'reset'): string[] {
  return [...text.matchAll(new RegExp(`${DASHBOARD_URL}/${page}/([\\w-]+)`, 'g'))].map(
    ([, token]) => token ?? '',
  );
}

function tokenIn(mail: ReceivedMail, page: 'join' | 'reset'): string {
  const [token, ...others] = tokensIn(mail, page);
  expect(others).toEqual([]);
  return token ?? '';
}

const requestResetLink = (email: string) =>
  harness.callAnonymously(contract.requestResetLink, { email, ...ORIGIN });

it('an invitation is mailed with a link that is accepted', async () => {
  const email = newEmail();
  await harness.call(owner.actor, contract.createInvitation, { email, role: 'developer' });
  await eventually('the service mails it by itself', () => mailsTo(email, INVITED).length === 1);
  const mail = await nextMailTo(email, INVITED);
  expect(mail.from).toBe('tollgate@example.com');
  expect(mail.text).toContain(`${owner.actor.name} invited you to the team Shop as a developer.`);
  expect(mail.html).toContain(tokenIn(mail, 'join'));
  const accepted = { token: tokenIn(mail, 'join'), name: 'Ada', password: PASSWORD, ...ORIGIN };
  expect(await harness.callAnonymously(contract.acceptInvitation, accepted)).toMatchObject({ email });
});

it('an invitation is mailed to the first owner of a new team', async () => {
  const email = newEmail();
  await harness.call(founder.actor, contract.createTeam, { name: 'Books', owner_email: email });
  await nextMailTo(email, 'Join Books on Tollgate');
});

it('an invitation escapes names in HTML', async () => {
  const email = newEmail();
  await harness.call(founder.actor, contract.createTeam, { name: '<b>Bold</b>', owner_email: email });
  const mail = await nextMailTo(email, 'Join <b>Bold</b> on Tollgate');
  expect(mail.html).toContain('&lt;b&gt;Bold&lt;/b&gt;');
  expect(mail.html).not.toContain('<b>');
});

it('a requested reset link is mailed, and sets a new password', async () => {
  const member = await addMember(harness, owner, 'viewer');
  await requestResetLink(` ${member.email.toUpperCase()} `);
  const token = tokenIn(await nextMailTo(member.email, RESET), 'reset');
  await harness.callAnonymously(contract.resetPassword, { token, password: NEW_PASSWORD, ...ORIGIN });
  await signIn(harness, { ...member, password: NEW_PASSWORD });
});

it('a requested reset link does not turn off the second factor', async () => {
  const member = await signedIn(harness, await addMember(harness, owner, 'viewer'));
  const { secret } = await harness.call(member.actor, contract.startTotp, { current_password: PASSWORD });
  await harness.call(member.actor, contract.confirmTotp, { totp: currentTotp(harness, secret) });
  await requestResetLink(member.email);
  const token = tokenIn(await nextMailTo(member.email, RESET), 'reset');
  await harness.callAnonymously(contract.resetPassword, { token, password: NEW_PASSWORD, ...ORIGIN });
  expect(await rejection(signIn(harness, { ...member, password: NEW_PASSWORD }))).toMatchObject({
    code: 'second-factor-required',
  });
});

it('a requested reset link is mailed once with a link for each team of the email', async () => {
  const member = await addMember(harness, owner, 'viewer');
  const { team, invitation } = await harness.call(founder.actor, contract.createTeam, {
    name: 'Second team',
    owner_email: member.email,
  });
  const accepted = { token: invitation?.token ?? '', name: 'Ada', password: PASSWORD, ...ORIGIN };
  await harness.callAnonymously(contract.acceptInvitation, accepted);
  await requestResetLink(member.email);
  const mail = await nextMailTo(member.email, RESET);
  expect(mail.text).toContain(`Set a new password for ${team.name}:`);
  expect(mail.text).toContain('Set a new password for Shop:');
  expect(new Set(tokensIn(mail, 'reset')).size).toBe(2);
});

it('a requested reset link gets the same reply, and sends nothing, when no account has the email', async () => {
  const email = newEmail();
  expect(await requestResetLink(email)).toEqual({});
  await everyMailSettled();
  expect(mailsTo(email, RESET)).toEqual([]);
});

it('a requested reset link is not mailed to a member who has left', async () => {
  const member = await addMember(harness, owner, 'viewer');
  await harness.call(owner.actor, contract.removeMember, { member_id: member.id });
  await requestResetLink(member.email);
  await everyMailSettled();
  expect(mailsTo(member.email, RESET)).toEqual([]);
});

it.each([
  [
    'an owner',
    (member: Person) => harness.call(owner.actor, contract.createResetLink, { member_id: member.id }),
  ],
  [
    'the operator',
    ({ email }: Person) =>
      harness.callAnonymously(contract.resetOwner, { email, team_id: null, removes_totp: true }),
  ],
])('a requested reset link does not replace an open link that %s created', async (_creator, create) => {
  const member = await addMember(harness, owner, 'owner');
  const { token } = await create(member);
  await requestResetLink(member.email);
  await everyMailSettled();
  expect(mailsTo(member.email, RESET)).toEqual([]);
  const used = { token: token ?? '', password: NEW_PASSWORD, ...ORIGIN };
  await harness.callAnonymously(contract.resetPassword, used);
  await signIn(harness, { ...member, password: NEW_PASSWORD });
});

it('a requested reset link replaces an expired link that an owner created', async () => {
  const member = await addMember(harness, owner, 'viewer');
  await createResetLink(harness, owner, member.id);
  await everyMailSettled();
  harness.clock.advance(DAY_MS);
  await requestResetLink(member.email);
  const token = tokenIn(await nextMailTo(member.email, RESET), 'reset');
  await harness.callAnonymously(contract.resetPassword, { token, password: NEW_PASSWORD, ...ORIGIN });
});

it('a requested reset link is throttled for each email, whether or not it has an account', async () => {
  const email = newEmail();
  for (let request = 0; request < 4; request++) await requestResetLink(email);
  expect(await rejection(requestResetLink(email))).toMatchObject({ code: 'too-many-attempts' });
  await requestResetLink(newEmail());
});

it('a requested reset link is rejected while no mail server is configured', async () => {
  const { app, stop } = await harness.startService({ isStarted: false });
  const request = { email: owner.email, address: null, user_agent: null, request_id: null };
  expect(await rejection(requestResetLinkOf(app.context, request))).toMatchObject({ code: 'conflict' });
  await stop();
});

describe('a member is notified', () => {
  let member: Person & { token: string };

  beforeAll(async () => {
    member = await signedIn(harness, await addMember(harness, owner, 'viewer'));
    await requestResetLink(member.email);
    await nextMailTo(member.email, RESET);
    harness.clock.advance(2 * HOUR_MS);
  });

  it('a member is notified not about the first sign-in, which follows the acceptance of the invitation', async () => {
    await everyMailSettled();
    expect(mailsTo(member.email, SIGNED_IN)).toEqual([]);
  });

  it('a member is notified about a sign-in on a new device, and not about one on a known device', async () => {
    const { device_token } = await signIn(harness, member);
    const mail = await nextMailTo(member.email, SIGNED_IN);
    expect(mail.text).toContain(`IP address: ${ORIGIN.address}\nBrowser: ${ORIGIN.user_agent}`);
    await signIn(harness, member, { device_token: device_token ?? '' });
    await signIn(harness, member);
    await nextMailTo(member.email, SIGNED_IN, 2);
  });

  it('a member is notified about a passkey that is added or removed', async () => {
    const password = { current_password: PASSWORD };
    const { options } = await harness.call(member.actor, contract.startPasskey, password);
    const credential = createSoftwareAuthenticator(DASHBOARD_URL).create(options);
    const { passkey } = await harness.call(member.actor, contract.createPasskey, { name: 'Key', credential });
    await nextMailTo(member.email, 'A passkey was added to your Tollgate account');
    await harness.call(member.actor, contract.deletePasskey, { passkey_id: passkey.id, ...password });
    await nextMailTo(member.email, 'A passkey was removed from your Tollgate account');
  });

  it('a member is notified about a changed password', async () => {
    const { actor } = await signedIn(harness, member);
    const passwords = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    await harness.call(actor, contract.changePassword, passwords);
    await nextMailTo(member.email, 'Your Tollgate password was changed');
  });

  it('a member is notified about a changed email, at the earlier address', async () => {
    const { actor } = await signedIn(harness, { ...member, password: NEW_PASSWORD });
    const email = newEmail();
    await harness.call(actor, contract.changeEmail, { current_password: NEW_PASSWORD, email });
    const subject = 'The email of your Tollgate account was changed';
    await nextMailTo(member.email, subject);
    expect(mailsTo(email, subject)).toEqual([]);
  });
});

describe('members are notified of events that need action', () => {
  /** Publishes an entry of a live endpoint as the platform, like webhooks. */
  async function publishFailingEndpoint(teamId: string, signed: 'webhooks' | 'applications' = 'webhooks') {
    const entry: AuditEntry = {
      id: newId('audit'),
      occurred_at: new Date(harness.clock.now()).toISOString(),
      team_id: teamId,
      environment: 'live',
      application_id: newId('application'),
      action: 'webhook_endpoint.failing',
      ...SYSTEM_AUTHOR,
      target: {
        type: 'webhook_endpoint',
        id: newId('webhookEndpoint'),
        name: 'https://shop.example.com/hooks',
      },
      changes: {},
    };
    const message = signAuditEntry(harness.issuerKeys.signers[signed], entry);
    await createPublisher(harness.client).publish(auditSubject(entry.action), message, {
      messageId: entry.id,
    });
    return entry;
  }

  const subject = 'Webhook endpoint failing: https://shop.example.com/hooks';

  it('members are notified of events that need action if their role allows them to, with a link to it', async () => {
    const team = await createTeamWithOwner(harness);
    const admin = await addMember(harness, team, 'admin');
    const developer = await addMember(harness, team, 'developer');
    const { target } = await publishFailingEndpoint(team.actor.team_id);
    await nextMailTo(team.email, subject);
    expect((await nextMailTo(admin.email, subject)).text).toContain(
      `${DASHBOARD_URL}/live/webhooks/endpoints/${target.id}`,
    );
    await everyMailSettled();
    expect(mailsTo(developer.email, subject)).toEqual([]);
  });

  it('members are notified of events that need action unless they turned it off', async () => {
    const team = await createTeamWithOwner(harness);
    const admin = await addMember(harness, team, 'admin');
    const me = await harness.call(admin.actor, contract.updateProfile, { team_mail_topics: [] });
    expect(me).toMatchObject({ name: admin.actor.name, team_mail_topics: [] });
    await publishFailingEndpoint(team.actor.team_id);
    await nextMailTo(team.email, subject);
    await everyMailSettled();
    expect(mailsTo(admin.email, subject)).toEqual([]);
  });

  it('members are notified of events that need action only about the topics that they chose', async () => {
    const team = await createTeamWithOwner(harness);
    const choose = async (topic: NoticeTopic) => {
      const admin = await addMember(harness, team, 'admin');
      await harness.call(admin.actor, contract.updateProfile, { team_mail_topics: [topic] });
      return admin;
    };
    const [ofCredentials, ofWebhooks] = [await choose('credentials'), await choose('webhooks')];
    await publishFailingEndpoint(team.actor.team_id);
    await nextMailTo(ofWebhooks.email, subject);
    await everyMailSettled();
    expect(mailsTo(ofCredentials.email, subject)).toEqual([]);
  });

  it('members are notified of events that need action with a Message-ID without a colon', async () => {
    const team = await createTeamWithOwner(harness);
    await publishFailingEndpoint(team.actor.team_id);
    const { messageId } = await nextMailTo(team.email, subject);
    expect(messageId).toMatch(/^<aud_\w+\.mem_\w+@example\.com>$/);
  });

  it('members are notified of events that need action only by the service that may write the entry', async () => {
    const team = await createTeamWithOwner(harness);
    await publishFailingEndpoint(team.actor.team_id, 'applications');
    await publishFailingEndpoint(team.actor.team_id);
    await nextMailTo(team.email, subject);
    await everyMailSettled();
    expect(mailsTo(team.email, subject)).toHaveLength(1);
  });
});

it('a mail is dropped when its invitation is revoked before it is sent', async () => {
  await service.stop();
  const email = newEmail();
  const serving = await harness.startService();
  const invitation = await invite(harness, owner, { email, role: 'viewer' });
  await harness.call(owner.actor, contract.revokeInvitation, { invitation_id: invitation.id });
  await serving.stop();
  service = await harness.startService({ env: mailEnv(inbox.smtpUrl) });
  await eventually('the mail is dropped', async () =>
    (await storedMails()).some(({ status, _id }) => status === 'dropped' && _id.startsWith('aud_')),
  );
  expect(mailsTo(email, INVITED)).toEqual([]);
});

it('a mail is stored without its link', async () => {
  await requestResetLink(owner.email);
  const mail = await nextMailTo(owner.email, RESET);
  expect(JSON.stringify(await storedMails())).not.toContain(tokenIn(mail, 'reset'));
  expect(harness.logLines.join('')).not.toContain(tokenIn(mail, 'reset'));
});

it('a mail is not about what is older than a day', async () => {
  await service.stop();
  const email = newEmail();
  const serving = await harness.startService();
  await harness.call(owner.actor, contract.createInvitation, { email, role: 'viewer' });
  await serving.stop();
  harness.clock.advance(DAY_MS + 1);
  service = await harness.startService({ env: mailEnv(inbox.smtpUrl) });
  const later = newEmail();
  await harness.call(owner.actor, contract.createInvitation, { email: later, role: 'viewer' });
  await nextMailTo(later, INVITED);
  expect(mailsTo(email, INVITED)).toEqual([]);
});

it('a mail is deleted a week after it was sent', async () => {
  await everyMailSettled();
  harness.clock.advance(7 * DAY_MS + 1);
  await service.app.context.mails.insert({
    _id: newId('mail'),
    team_id: null,
    topic: {
      type: 'password-reset',
      email: newEmail(),
      origin: { address: null, user_agent: null, request_id: null },
    },
    created_at: new Date(harness.clock.now()),
  });
  await service.app.forgetExpired();
  expect(await storedMails()).toHaveLength(1);
});
