import { rejection } from '@tollgate/bus/test/rejection';
import type { ApiTokenRole } from '@tollgate/contracts/accounts/api-token';
import { API_TOKEN_LIMITS } from '@tollgate/contracts/accounts/api-token';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { digestApiToken } from '@tollgate/security/api-token';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ADDRESS,
  addMember,
  createResetLink,
  createTeamWithOwner,
  FOR_GET_ME,
  GET_ME,
  type Harness,
  ORIGIN,
  type Person,
  type Service,
  signedIn,
  startHarness,
} from './harness.ts';

let harness: Harness;
let service: Service;
let owner: Person;
let developer: Person;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
  owner = await createTeamWithOwner(harness);
  developer = await addMember(harness, owner, 'developer');
});
afterAll(() => harness.stop());

const start = (client_name = 'tollgate on laptop') =>
  harness.callAnonymously(contract.createDeviceAuthorization, { client_name, ...ORIGIN });

const poll = (device_code: string) =>
  harness.callAnonymously(contract.exchangeDeviceCode, { device_code, ...ORIGIN });

const read = (person: Person, user_code: string) =>
  harness.call(person.actor, contract.getDeviceAuthorization, { user_code });

/** Approves in a new session of the person. Returns the person with it. */
async function approve(
  person: Person,
  user_code: string,
  {
    role = 'developer',
    environments = null,
  }: { role?: ApiTokenRole; environments?: Environment[] | null } = {},
): Promise<Person> {
  const member = await signedIn(harness, person);
  await harness.call(member.actor, contract.approveDeviceAuthorization, { user_code, role, environments });
  return member;
}

const listPending = async (person: Person) =>
  (await harness.call(person.actor, contract.listDeviceAuthorizations, {})).data;

const deny = (person: Person, user_code: string) =>
  harness.call(person.actor, contract.denyDeviceAuthorization, { user_code });

/** Completes a login of the person, who approves it in a new session. */
async function logIn(person: Person, fields: Parameters<typeof approve>[2] = {}) {
  const { device_code, user_code } = await start();
  const approver = await approve(person, user_code, fields);
  const { token, api_token } = await poll(device_code);
  if (!token || !api_token) throw new Error('The login returned no token.');
  return { token, apiToken: api_token, approver };
}

const exchange = (credential: string) =>
  harness.callAnonymously(contract.issueTokenActor, { credential, ...ORIGIN }, FOR_GET_ME);

async function codeOf(call: Promise<unknown>): Promise<string> {
  return (await rejection(call)).code;
}

it('a login of a program starts with a code of consonants and a secret of which only the digest is stored', async () => {
  const started = await start();
  expect(started).toEqual({
    device_code: expect.stringMatching(/^[\w-]{43}$/),
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    expires_in: 600,
    interval: 5,
  });
  const stored = await service.connection.collection('device_authorizations').find().toArray();
  expect(JSON.stringify(stored)).not.toContain(started.device_code);
});

it.each([
  ['as shown', (code: string) => code],
  ['in lower case', (code: string) => code.toLowerCase()],
  ['without the dash', (code: string) => code.replace('-', '')],
  ['with spaces', (code: string) => ` ${code.replace('-', ' ')} `],
])('a login of a program is found by its code %s', async (_name, entered) => {
  const { user_code } = await start();
  expect(await read(developer, entered(user_code))).toEqual({
    user_code,
    client_name: 'tollgate on laptop',
    address: ADDRESS,
    requested_at: new Date(harness.clock.now()).toISOString(),
    expires_at: new Date(harness.clock.now() + 10 * MINUTE_MS).toISOString(),
  });
});

it('a login of a program rejects a name that is blank or has characters that are hidden or reorder it', async () => {
  expect(await codeOf(start(' '))).toBe('invalid-request');
  for (const name of ['tollgate\u001b[2J', 'tollgate\u202e', 'tollgate\u200b on laptop'])
    expect(await codeOf(start(name))).toBe('invalid-request');
});

it('a login of a program is pending until a member decides, and slows down a program that polls too often', async () => {
  const { device_code } = await start();
  expect(await poll(device_code)).toEqual({ status: 'authorization_pending', interval: 5 });
  harness.clock.advance(5 * SECOND_MS);
  expect(await poll(device_code)).toEqual({ status: 'authorization_pending', interval: 5 });
  harness.clock.advance(5 * SECOND_MS - 1);
  expect(await poll(device_code)).toEqual({ status: 'slow_down', interval: 10 });
  harness.clock.advance(10 * SECOND_MS - 1);
  expect(await poll(device_code)).toEqual({ status: 'slow_down', interval: 15 });
  harness.clock.advance(15 * SECOND_MS);
  expect(await poll(device_code)).toEqual({ status: 'authorization_pending', interval: 15 });
});

it('a login of a program returns a token that acts for the member and expires after 90 days', async () => {
  const { device_code, user_code } = await start();
  await approve(developer, user_code, { role: 'developer', environments: ['sandbox'] });
  const { token, ...rest } = await poll(device_code);
  expect(rest).toMatchObject({
    status: 'approved',
    team: { id: owner.actor.team_id, name: 'Shop' },
    api_token: {
      name: 'tollgate on laptop',
      role: 'developer',
      environments: ['sandbox'],
      status: 'active',
      created_by: developer.id,
      acts_for: developer.id,
      expires_at: new Date(harness.clock.now() + 90 * DAY_MS).toISOString(),
    },
  });
  const { actor_token } = await exchange(token ?? '');
  expect(await harness.verifyActor(actor_token, GET_ME)).toMatchObject({
    type: 'token',
    role: 'developer',
    environments: ['sandbox'],
  });
  harness.clock.advance(90 * DAY_MS);
  expect(await codeOf(exchange(token ?? ''))).toBe('invalid-api-token');
});

it('a login of a program creates one token when polls arrive together, and none later', async () => {
  const { device_code, user_code } = await start();
  await approve(developer, user_code);
  const states = await Promise.all([poll(device_code), poll(device_code), poll(device_code)]);
  expect(states.map(({ status }) => status).toSorted()).toEqual([
    'approved',
    'expired_token',
    'expired_token',
  ]);
  expect(await poll(device_code)).toEqual({ status: 'expired_token', interval: 5 });
});

it('a login of a program ends with access_denied when the member denies it', async () => {
  const { device_code, user_code } = await start();
  await deny(developer, user_code);
  expect(await poll(device_code)).toEqual({ status: 'access_denied', interval: 5 });
  expect(await codeOf(approve(developer, user_code))).toBe('conflict');
});

it('a login of a program is decided once, also when two members decide together', async () => {
  const { user_code } = await start();
  const decisions = await Promise.allSettled([approve(owner, user_code), deny(developer, user_code)]);
  expect(decisions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await codeOf(read(developer, user_code))).toBe('conflict');
});

it('a login of a program expires after ten minutes, also when it was approved before', async () => {
  const [pending, approved] = [await start(), await start()];
  await approve(developer, approved.user_code);
  harness.clock.advance(10 * MINUTE_MS);
  for (const { device_code } of [pending, approved])
    expect((await poll(device_code)).status).toBe('expired_token');
  expect(await rejection(approve(developer, pending.user_code))).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('expired'),
  });
});

it('a login of a program is deleted an hour after it expired', async () => {
  const { user_code } = await start();
  const count = () =>
    service.connection
      .collection('device_authorizations')
      .countDocuments({ user_code: user_code.replace('-', '') });
  harness.clock.advance(10 * MINUTE_MS + HOUR_MS);
  await service.app.forgetExpired();
  expect(await count()).toBe(1);
  harness.clock.advance(1);
  await service.app.forgetExpired();
  expect(await count()).toBe(0);
});

const NEW_PASSWORD = 'another correct horse battery';

/** Each way in which a member recovers an account that someone else may use. */
const RECOVERIES: [string, (member: Person) => Promise<unknown>][] = [
  ['signed out everywhere', (member) => harness.call(member.actor, contract.revokeAllSessions, {})],
  [
    'changed the password',
    async (member) => {
      const passwords = { current_password: member.password, new_password: NEW_PASSWORD };
      await harness.call(member.actor, contract.changePassword, passwords);
    },
  ],
  [
    'reset the password',
    async (member) => {
      const token = await createResetLink(harness, owner, member.id);
      await harness.callAnonymously(contract.resetPassword, { token, password: NEW_PASSWORD, ...ORIGIN });
    },
  ],
  [
    'was signed out everywhere by an owner',
    (member) => harness.call(owner.actor, contract.endMemberSessions, { member_id: member.id }),
  ],
];

describe.each(RECOVERIES)('after a member %s', (_name, recover) => {
  it('an approval that they gave before is exchanged for no token', async () => {
    const member = await addMember(harness, owner, 'developer');
    const { device_code, user_code } = await start();
    const approved = await approve(member, user_code);
    expect(await listPending(approved)).toHaveLength(1);
    await recover(approved);
    expect(await listPending(approved)).toEqual([]);
    expect((await poll(device_code)).status).toBe('access_denied');
  });

  it('the tokens of their logins are revoked, and those of others are not', async () => {
    const member = await addMember(harness, owner, 'developer');
    const { token, apiToken, approver } = await logIn(member);
    const other = await logIn(developer);
    await recover(approver);
    expect(await codeOf(exchange(token))).toBe('invalid-api-token');
    const read = await harness.call(owner.actor, contract.getToken, { token_id: apiToken.id });
    expect(read).toMatchObject({ status: 'revoked' });
    const { data } = await harness.call(owner.actor, contract.listTokens, { acts_for: member.id });
    expect(data.map(({ status }) => status)).toEqual(['revoked']);
    await exchange(other.token);
  });
});

it('a pending approval is listed for its member alone until the program fetches its token', async () => {
  const member = await addMember(harness, owner, 'developer');
  const { device_code, user_code } = await start();
  const approved = await approve(member, user_code, { environments: ['sandbox'] });
  expect(await listPending(approved)).toEqual([
    {
      user_code,
      client_name: 'tollgate on laptop',
      address: ADDRESS,
      requested_at: new Date(harness.clock.now()).toISOString(),
      expires_at: new Date(harness.clock.now() + 10 * MINUTE_MS).toISOString(),
      role: 'developer',
      environments: ['sandbox'],
    },
  ]);
  expect(await listPending(owner)).toEqual([]);
  await poll(device_code);
  expect(await listPending(approved)).toEqual([]);
});

it('a pending approval ends with the session in which it was given', async () => {
  const { device_code, user_code } = await start();
  const approved = await approve(developer, user_code);
  await harness.call(approved.actor, contract.revokeSession, { session_id: approved.actor.session_id });
  expect(await listPending(approved)).toEqual([]);
  expect((await poll(device_code)).status).toBe('access_denied');
});

it('a pending approval can be withdrawn by its member, and by nobody else', async () => {
  const { device_code, user_code } = await start();
  const approved = await approve(developer, user_code);
  expect(await codeOf(deny(owner, user_code))).toBe('conflict');
  await deny(approved, user_code);
  expect((await poll(device_code)).status).toBe('access_denied');
  expect(await codeOf(deny(approved, user_code))).toBe('conflict');
});

it('a pending approval cannot be withdrawn after its exchange', async () => {
  const { device_code, user_code } = await start();
  const approved = await approve(developer, user_code);
  await poll(device_code);
  expect(await codeOf(deny(approved, user_code))).toBe('conflict');
});

it('a member approves with at most their own role', async () => {
  const { device_code, user_code } = await start();
  expect(await codeOf(approve(developer, user_code, { role: 'admin' }))).toBe('forbidden');
  expect((await poll(device_code)).status).toBe('authorization_pending');
  await approve(owner, user_code, { role: 'admin' });
  expect(await poll(device_code)).toMatchObject({ status: 'approved', api_token: { role: 'admin' } });
});

it('a member must wait after five wrong codes, and a correct code does not reset the count', async () => {
  const guesser = await addMember(harness, owner, 'viewer');
  const { user_code } = await start();
  for (let guess = 0; guess < 6; guess++) {
    expect(await codeOf(read(guesser, 'BBBB-BBBB'))).toBe('not-found');
    if (guess < 5) expect((await read(guesser, user_code)).user_code).toBe(user_code);
  }
  expect(await codeOf(read(guesser, user_code))).toBe('too-many-attempts');
  expect(await codeOf(approve(guesser, user_code, { role: 'viewer' }))).toBe('too-many-attempts');
  expect((await read(developer, user_code)).user_code).toBe(user_code);
});

it('a member has at most 20 active logins, of which pending approvals are a part', async () => {
  const busy = await addMember(harness, owner, 'viewer');
  const first = await logIn(busy, { role: 'viewer' });
  for (let more = 2; more < API_TOKEN_LIMITS.activeLoginTokensPerMember; more++)
    await logIn(busy, { role: 'viewer' });
  await approve(busy, (await start()).user_code, { role: 'viewer' });
  const { user_code } = await start();
  expect(await codeOf(approve(busy, user_code, { role: 'viewer' }))).toBe('conflict');
  await harness.call(busy.actor, contract.revokeToken, { token_id: first.apiToken.id });
  await approve(busy, user_code, { role: 'viewer' });
});

it('a member leaves the tokens of the team their own limit', async () => {
  const count = () =>
    service.app.context.tokens.countActive(owner.actor.team_id, new Date(harness.clock.now()));
  const before = await count();
  await logIn(owner);
  expect(await count()).toBe(before);
});

it('a member reads and revokes the tokens of their own logins, and no others', async () => {
  const viewer = await addMember(harness, owner, 'viewer');
  const own = await logIn(viewer, { role: 'viewer' });
  const other = await logIn(owner);
  const { data } = await harness.call(viewer.actor, contract.listTokens, {});
  expect(data.map(({ id }) => id)).toEqual([own.apiToken.id]);
  const listOf = (person: Person, acts_for: string) =>
    harness.call(person.actor, contract.listTokens, { acts_for });
  expect(await codeOf(listOf(viewer, owner.id))).toBe('forbidden');
  expect((await listOf(owner, viewer.id)).data.map(({ id }) => id)).toEqual([own.apiToken.id]);
  const reference = { token_id: other.apiToken.id };
  expect(await codeOf(harness.call(viewer.actor, contract.getToken, reference))).toBe('forbidden');
  expect(await codeOf(harness.call(viewer.actor, contract.revokeToken, reference))).toBe('forbidden');
  await harness.call(viewer.actor, contract.revokeToken, { token_id: own.apiToken.id });
  expect(await codeOf(exchange(own.token))).toBe('invalid-api-token');
  const all = await harness.call(owner.actor, contract.listTokens, { limit: 100 });
  expect(all.data.map(({ id }) => id)).toContain(own.apiToken.id);
});

it('the token of a login leaves room for another one when its member ends their sessions', async () => {
  const member = await addMember(harness, owner, 'developer');
  const countOf = async () => {
    const stored = await service.app.context.members.find(owner.actor.team_id, member.id);
    if (!stored) throw new Error('The member is missing.');
    return service.app.context.tokens.countActiveLogins(stored, new Date(harness.clock.now()));
  };
  const { approver } = await logIn(member);
  expect(await countOf()).toBe(1);
  await harness.call(approver.actor, contract.revokeAllSessions, {});
  expect(await countOf()).toBe(0);
});

it('the token of a login is rejected once its member is removed', async () => {
  const leaver = await addMember(harness, owner, 'developer');
  const { token } = await logIn(leaver);
  await exchange(token);
  await harness.call(owner.actor, contract.removeMember, { member_id: leaver.id });
  expect(await codeOf(exchange(token))).toBe('invalid-api-token');
});

it('the token of a login is rejected while its member has a lower role', async () => {
  const member = await addMember(harness, owner, 'admin');
  const { token } = await logIn(member, { role: 'developer' });
  const changeRole = (role: 'viewer' | 'developer') =>
    harness.call(owner.actor, contract.changeRole, { member_id: member.id, role });
  await changeRole('viewer');
  expect(await codeOf(exchange(token))).toBe('invalid-api-token');
  await changeRole('developer');
  await exchange(token);
});

it('the token of a login is rejected by a release that knows no logins', async () => {
  const { token, apiToken } = await logIn(owner);
  const tokens = service.connection.collection<{ _id: string }>('api_tokens');
  await tokens.updateOne({ _id: apiToken.id }, { $unset: { acts_for: '' } });
  expect(await codeOf(exchange(token))).toBe('invalid-api-token');
});

it('the token of a login is revoked when a secret scanner reports it', async () => {
  const { token, apiToken } = await logIn(owner);
  const report = { lookup_id: apiToken.lookup_id, url: null, source: null };
  const digest = digestApiToken(token).toString('hex');
  const { is_known } = await harness.callAnonymously(contract.reportLeakedToken, { ...report, digest });
  expect(is_known).toBe(true);
  expect(await codeOf(exchange(token))).toBe('invalid-api-token');
});

it('the token of a login is not created when the member left after the approval', async () => {
  const leaver = await addMember(harness, owner, 'developer');
  const { device_code, user_code } = await start();
  await approve(leaver, user_code);
  await harness.call(owner.actor, contract.removeMember, { member_id: leaver.id });
  expect((await poll(device_code)).status).toBe('access_denied');
});
