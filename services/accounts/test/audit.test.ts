import { type ConsumedMessage, consume } from '@tollgate/bus/consumer';
import { rejection } from '@tollgate/bus/test/rejection';
import { NOTICE_TOPICS } from '@tollgate/contracts/accounts/notice-topics';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { AUDIT_ACTIONS, AuditEntry } from '@tollgate/contracts/audit/audit';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { eventually } from '@tollgate/test-kit/eventually';
import { startIdentityProvider } from '@tollgate/test-kit/identity-provider/identity-provider';
import { createSoftwareAuthenticator } from '@tollgate/test-kit/software-authenticator';
import Value from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { resendInvitation } from '../src/invitations/manage-invitation.ts';
import { renameTeam } from '../src/teams/change-team.ts';
import {
  ADDRESS,
  accept,
  acceptWithEmail,
  actorOf,
  createResetLink,
  createTeamWithOwner,
  currentTotp,
  decodeBase32,
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
  USER_AGENT,
} from './harness.ts';

/**
 * Without leaks and the expiry of tokens, which the platform records, and what other services own: policies for leaked keys, data retention, and
 * the approval policy.
 */
const OWN_ACTIONS = Object.keys(AUDIT_ACTIONS).filter(
  (action) =>
    /^(team|invitation|member|session|token|login)\./.test(action) &&
    !action.includes('.leaked') &&
    !action.endsWith('.expiring') &&
    !action.includes('.data_retention') &&
    !action.includes('.approval_policy'),
);

let harness: Harness;
let service: Service;
let founder: Person;
/** TXT records by name. */
const records = new Map<string, string[]>();
let consumer: { stop(): Promise<void> };
const messages: ConsumedMessage<AuditEntry>[] = [];
/** Nothing listens there. */
const CHAT_URL = 'http://127.0.0.1:9/hooks/secret';
/** Every secret that was sent or returned. None of them may appear anywhere. */
const secrets: string[] = [
  PASSWORD,
  'another long password',
  'yet another password',
  'wrong password!',
  CHAT_URL,
];

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService({
    env: { CHAT_ALLOW_PRIVATE_NETWORKS: 'true', SSO_ALLOW_PRIVATE_NETWORKS: 'true' },
    deps: {
      domainProofs: {
        lookUpTxt: async (name) => records.get(name) ?? [],
        operatorDomains: new Map(),
      },
    },
  });
  consumer = consume(harness.client, {
    stream: 'AUDIT',
    durable: 'audit-test',
    logger: harness.logger,
    schema: AuditEntry,
    handle: async (message) => void messages.push(message),
  });
  founder = await setUpFounder(harness);
});
afterAll(async () => {
  await consumer.stop();
  await harness.stop();
});

function entriesOf(teamId: string): AuditEntry[] {
  return messages.map(({ body }) => body as AuditEntry).filter((entry) => entry.team_id === teamId);
}

async function waitingEntries(): Promise<number> {
  const counts = [
    'teams',
    'members',
    'sessions',
    'api_tokens',
    'device_authorizations',
    'failed_sign_ins',
    'sso_settings',
  ].map((name) => service.connection.collection(name).countDocuments({ 'outbox.0': { $exists: true } }));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Performs each audited action once. Returns the team's owner and the member that the actions affected. */
async function doEverything(): Promise<{ owner: Person; member: Person }> {
  const call = harness.call;
  const { team, invitation } = await call(founder.actor, contract.createTeam, {
    name: 'Shop',
    owner_email: newEmail(),
  });
  const owner = await accept(harness, team.id, invitation);
  const member = await acceptWithEmail(harness, owner, { email: newEmail(), role: 'viewer' });
  const { id, token: link } = await invite(harness, owner, {
    email: newEmail(),
    role: 'admin',
  });
  await call(owner.actor, contract.revealInvitationLink, { invitation_id: id });
  await resendInvitation({ ...service.app.context, sendsMail: true }, owner.actor, { invitation_id: id });
  await call(owner.actor, contract.revokeInvitation, { invitation_id: id });
  await call(owner.actor, contract.renameTeam, { team_id: owner.actor.team_id, name: 'Renamed' });
  await call(owner.actor, contract.changeRole, { member_id: member.id, role: 'developer' });
  await call(owner.actor, contract.setTeamChat, { url: CHAT_URL });
  await call(owner.actor, contract.testTeamChat, {});
  await call(owner.actor, contract.removeTeamChat, {});

  await rejection(signIn(harness, { ...member, password: 'wrong password!' }));
  const session = await signedIn(harness, member);
  await call(session.actor, contract.updateProfile, { name: 'Grace', team_mail_topics: ['audit'] });
  await call(session.actor, contract.reauthenticate, { current_password: PASSWORD });
  const { secret } = await call(session.actor, contract.startTotp, { current_password: PASSWORD });
  const totp = currentTotp(harness, secret);
  const { recovery_codes: codes } = await call(session.actor, contract.confirmTotp, { totp });
  const { token: second } = await signIn(harness, member, { recovery_code: codes[0] as string });
  const { session_id } = await actorOf(harness, second);
  await call(session.actor, contract.revokeSession, { session_id: session_id as string });
  const { recovery_codes: newCodes } = await call(session.actor, contract.replaceRecoveryCodes, {
    current_password: PASSWORD,
  });
  await call(session.actor, contract.disableTotp, { current_password: PASSWORD });
  await managePasskeys(owner);
  await call(session.actor, contract.changeEmail, { current_password: PASSWORD, email: newEmail() });
  await call(session.actor, contract.changePassword, {
    current_password: PASSWORD,
    new_password: 'another long password',
  });
  await call(session.actor, contract.revokeAllSessions, {});
  const resetToken = await createResetLink(harness, owner, member.id);
  await harness.callAnonymously(contract.resetPassword, {
    token: resetToken,
    password: 'yet another password',
    ...ORIGIN,
  });
  const created = await call(owner.actor, contract.createToken, { name: 'Deployment', role: 'admin' });
  const apiToken = { id: created.id, secret: shownOnce(created.secret) };
  const successor = await call(owner.actor, contract.rotateToken, { token_id: apiToken.id, overlap_s: 60 });
  await call(owner.actor, contract.revokeToken, { token_id: apiToken.id });
  const loginToken = await logIn(owner);
  await useSingleSignOn(owner);
  await call(owner.actor, contract.removeMember, { member_id: member.id });
  secrets.push(
    loginToken,
    apiToken.secret,
    shownOnce(successor.secret),
    link,
    session.token,
    secret,
    ...codes,
    second,
    ...newCodes,
    resetToken,
  );
  return { owner, member };
}

/** Adds, renames, and removes a passkey. In between, the owner requires a second factor, and no longer requires one. */
async function managePasskeys({ actor }: Person): Promise<void> {
  const current = { current_password: PASSWORD };
  const { options } = await harness.call(actor, contract.startPasskey, current);
  const credential = createSoftwareAuthenticator('http://localhost:3000').create(options);
  const { passkey, recovery_codes } = await harness.call(actor, contract.createPasskey, {
    name: 'Laptop',
    credential,
  });
  const passkey_id = passkey.id;
  await harness.call(actor, contract.renamePasskey, { passkey_id, name: 'Old laptop' });
  for (const grace_period_days of [30, null] as const) {
    await harness.call(actor, contract.setSecondFactorPolicy, { team_id: actor.team_id, grace_period_days });
  }
  await harness.call(actor, contract.deletePasskey, { passkey_id, ...current });
  secrets.push(...recovery_codes);
}

/** Configures single sign-on, links a member by a sign-in, replays its response, and removes the settings. */
async function useSingleSignOn(owner: Person): Promise<void> {
  const call = harness.call;
  const { redirect_uri } = await call(owner.actor, contract.getSingleSignOn, {});
  const provider = await startIdentityProvider({ redirectUris: [redirect_uri], claimsInIdToken: true });
  // Tokens of the provider have the time of the machine.
  harness.clock.set(Date.now());
  await call(owner.actor, contract.setSingleSignOn, {
    issuer: provider.issuer,
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
    role_claim: null,
    role_rules: [],
    default_role: null,
    is_required: false,
  });
  const [domain, another] = ['company.example', 'another.example'] as const;
  const { domains } = await call(owner.actor, contract.addSingleSignOnDomain, { domain });
  records.set(`_tollgate.${domain}`, [domains[0]?.record_value ?? '']);
  await call(owner.actor, contract.verifySingleSignOnDomain, { domain });
  await call(owner.actor, contract.addSingleSignOnDomain, { domain: another });
  await call(owner.actor, contract.removeSingleSignOnDomain, { domain: another });
  const invited = { email: `linked@${domain}`, role: 'viewer' as const };
  const linked = await acceptWithEmail(harness, owner, invited);
  provider.addPerson({ sub: 'linked', email: linked.email, email_verified: true });
  const started = await harness.callAnonymously(contract.startSingleSignOn, {
    email: linked.email,
    ...ORIGIN,
  });
  const callback = await provider.signIn(started.authorization_url, 'linked');
  const response = {
    team_id: owner.actor.team_id,
    browser_token: started.browser_token,
    response: callback.search.slice(1),
    ...ORIGIN,
  };
  const finished = await harness.callAnonymously(contract.finishSingleSignOn, response);
  await rejection(harness.callAnonymously(contract.finishSingleSignOn, response));
  await call(owner.actor, contract.removeSingleSignOn, {});
  await provider.stop();
  secrets.push(provider.clientSecret, started.browser_token, finished.token);
  for (const name of ['code', 'state']) secrets.push(callback.searchParams.get(name) as string);
}

/** Denies one login of a program, and approves another. Returns its token. */
async function logIn(owner: Person): Promise<string> {
  const start = () =>
    harness.callAnonymously(contract.createDeviceAuthorization, { client_name: 'tollgate', ...ORIGIN });
  const [denied, approved] = [await start(), await start()];
  await harness.call(owner.actor, contract.denyDeviceAuthorization, { user_code: denied.user_code });
  const request = { user_code: approved.user_code, role: 'admin' as const };
  const { actor } = await signedIn(harness, owner);
  await harness.call(actor, contract.approveDeviceAuthorization, request);
  const { device_code } = approved;
  const { token } = await harness.callAnonymously(contract.exchangeDeviceCode, { device_code, ...ORIGIN });
  secrets.push(denied.device_code, device_code);
  return token ?? '';
}

it('the audit log receives an entry for each action of the catalogue', async () => {
  const { owner, member } = await doEverything();
  await eventually('every entry is published and cleared', async () => (await waitingEntries()) === 0);
  // Once this marker is consumed, everything published before it is consumed as well.
  await harness.call(owner.actor, contract.renameTeam, { team_id: owner.actor.team_id, name: 'Marker' });
  await eventually('the marker arrives', () =>
    entriesOf(owner.actor.team_id).some(({ target }) => target.name === 'Marker'),
  );
  const entries = entriesOf(owner.actor.team_id).filter(({ target }) => target.name !== 'Marker');
  expect([...new Set(entries.map(({ action }) => action))].sort()).toEqual(OWN_ACTIONS.sort());
  for (const entry of entries) {
    expect(Value.Errors(AuditEntry, entry)).toEqual([]);
    expect(entry.context).toEqual({ ip: ADDRESS, user_agent: USER_AGENT, request_id: null });
  }
  const counts = Map.groupBy(entries, ({ action }) => action);
  const more = {
    'invitation.created': 4,
    'member.joined': 3,
    'member.signed_in': 4,
    'token.created': 3,
    'team.second_factor_policy_changed': 2,
    'team.sso_domain_added': 2,
  };
  for (const [action, found] of counts) {
    expect({ action, count: found.length }).toEqual({
      action,
      count: more[action as keyof typeof more] ?? 1,
    });
  }
  const entryOf = (action: string) => entries.find((entry) => entry.action === action);
  expect(entryOf('member.role_changed')).toMatchObject({
    actor: {
      type: 'member',
      id: owner.id,
      name: `Name of ${owner.email}`,
      session_id: owner.actor.session_id,
    },
    target: { type: 'member', id: member.id },
    changes: { role: { before: 'viewer', after: 'developer' } },
  });
  expect(entryOf('member.sign_in_failed')).toMatchObject({
    actor: { type: 'system', id: null },
    target: { type: 'member', id: member.id },
  });
  expect(entryOf('member.recovery_code_used')).toMatchObject({
    changes: { recovery_codes_left: { before: 10, after: 9 } },
  });
  expect(entryOf('member.mail_changed')?.changes).toEqual({
    team_mail_topics: { before: NOTICE_TOPICS, after: ['audit'] },
  });
});

it('the audit log receives none for a request that is rejected or changes nothing', async () => {
  const owner = await createTeamWithOwner(harness);
  const before = await harness.call(owner.actor, contract.getTeam, { team_id: owner.actor.team_id });
  await harness.call(owner.actor, contract.renameTeam, { team_id: owner.actor.team_id, name: before.name });
  await harness.call(owner.actor, contract.changeRole, { member_id: owner.id, role: 'owner' });
  await rejection(harness.call(owner.actor, contract.removeMember, { member_id: owner.id }));
  await harness.call(owner.actor, contract.renameTeam, { team_id: owner.actor.team_id, name: 'Marker' });
  const teamId = owner.actor.team_id;
  await eventually('the marker arrives', () =>
    entriesOf(teamId).some(({ target }) => target.name === 'Marker'),
  );
  expect(entriesOf(teamId).map(({ action }) => action)).toEqual(['team.renamed']);
});

it('the audit log receives the entry of a change made while NATS was unavailable', async () => {
  const owner = await createTeamWithOwner(harness);
  const { context } = service.app;
  await harness.infra.nats.stop();
  await eventually('the service notices', () => !service.bus.isConnected());
  await renameTeam(context, owner.actor, {
    team_id: owner.actor.team_id,
    name: 'Offline',
  });
  await harness.infra.nats.start();
  await eventually(
    'the entry arrives',
    () => entriesOf(owner.actor.team_id).some(({ action }) => action === 'team.renamed'),
    { timeoutMs: 20_000 },
  );
});

it('secrets appear in no record, no log line, and no message', async () => {
  const { connection } = service;
  // One person with a second factor, and one who is about to enable it.
  const owner = await signedIn(harness, await createTeamWithOwner(harness));
  const current = { current_password: PASSWORD };
  const { secret } = await harness.call(owner.actor, contract.startTotp, current);
  const totp = currentTotp(harness, secret);
  const { recovery_codes } = await harness.call(owner.actor, contract.confirmTotp, { totp });
  const { secret: pending } = await harness.call(founder.actor, contract.startTotp, current);
  secrets.push(owner.token, secret, pending, ...recovery_codes);
  for (const text of [secret, pending]) secrets.push(decodeBase32(text).toString('base64url'));

  expect(secrets.length).toBeGreaterThan(25);
  const names = [
    'teams',
    'members',
    'sessions',
    'api_tokens',
    'device_authorizations',
    'failed_sign_ins',
    'passkey_challenges',
    'sso_settings',
    'sso_authorizations',
    'installation',
    'attempts',
  ];
  const stored: string[] = [];
  for (const name of names) {
    stored.push(...(await connection.collection(name).find().toArray()).map((each) => JSON.stringify(each)));
  }
  expect(stored.length).toBeGreaterThan(10);
  const everything = [...stored, ...harness.logLines, ...messages.map(({ body }) => JSON.stringify(body))];
  for (const secret of secrets) {
    for (const form of [secret, secret.replaceAll('-', ''), Buffer.from(secret).toString('base64')]) {
      expect(everything.filter((text) => text.includes(form))).toEqual([]);
    }
  }
});
