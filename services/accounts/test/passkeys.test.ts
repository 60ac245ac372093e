import { consume } from '@tollgate/bus/consumer';
import { rejection } from '@tollgate/bus/test/rejection';
import type { PasskeyAssertion } from '@tollgate/contracts/accounts/passkey';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { AuditEntry } from '@tollgate/contracts/audit/audit';
import { eventually } from '@tollgate/test-kit/eventually';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '@tollgate/test-kit/software-authenticator';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  ADDRESS,
  actorOf,
  addMember,
  createTeamWithOwner,
  currentTotp,
  type Harness,
  ORIGIN,
  PASSWORD,
  type Person,
  type Service,
  signedIn,
  signIn,
  startHarness,
} from './harness.ts';

/** Default of DASHBOARD_URL. */
const DASHBOARD = 'http://localhost:3000';
const MINUTE_MS = 60_000;

let harness: Harness;
let service: Service;
let owner: Person;
let member: Person;
let consumer: { stop(): Promise<void> };
const entries: AuditEntry[] = [];

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
  consumer = consume(harness.client, {
    stream: 'AUDIT',
    durable: 'passkeys-test',
    logger: harness.logger,
    schema: AuditEntry,
    handle: async ({ body }) => void entries.push(body),
  });
  owner = await createTeamWithOwner(harness);
});
beforeEach(async () => {
  member = await signedIn(harness, await addMember(harness, owner, 'viewer'));
});
afterAll(async () => {
  await consumer?.stop();
  await harness.stop();
});

const password = { current_password: PASSWORD };
const aDevice = () => createSoftwareAuthenticator(DASHBOARD);

async function startRegistration(person = member): Promise<object> {
  return (await harness.call(person.actor, contract.startPasskey, password)).options;
}

/** Adds a passkey for the member. */
async function register(name = 'Laptop', device = aDevice(), person = member) {
  const credential = device.create(await startRegistration(person));
  const { passkey, recovery_codes: recoveryCodes } = await harness.call(
    person.actor,
    contract.createPasskey,
    { name, credential },
  );
  return { device, passkey, recoveryCodes };
}

async function challenge(): Promise<object> {
  return (await harness.callAnonymously(contract.createPasskeyChallenge, {})).options;
}

function signInWith(passkey: PasskeyAssertion, deviceTokens: string[] = [], address = ADDRESS) {
  return harness.callAnonymously(contract.signInWithPasskey, {
    passkey,
    device_tokens: deviceTokens,
    ...ORIGIN,
    address,
  });
}

const use = async (device: SoftwareAuthenticator) => device.sign(await challenge());
const listOf = async (person = member) => (await harness.call(person.actor, contract.listPasskeys, {})).data;
const passwordAndPasskey = (person: Person, passkey: PasskeyAssertion) =>
  harness.callAnonymously(contract.signIn, {
    email: person.email,
    password: person.password,
    passkey,
    ...ORIGIN,
  });

it('adding a passkey asks for one that verifies its user, is found without an email, and is for the host of the dashboard', async () => {
  expect(await startRegistration()).toMatchObject({
    rp: { id: 'localhost', name: 'Tollgate' },
    user: { id: Buffer.from(member.id).toString('base64url'), name: member.email },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  });
});

it('adding a passkey requires the password', async () => {
  const attempt = harness.call(member.actor, contract.startPasskey, { current_password: 'wrong' });
  expect(await rejection(attempt)).toMatchObject({
    code: 'invalid-request',
    errors: [{ pointer: '/current_password' }],
  });
});

it('adding a passkey returns recovery codes with the first second factor, and none with a further one', async () => {
  const { recoveryCodes } = await register();
  expect(new Set(recoveryCodes)).toHaveLength(10);
  expect((await register('Phone')).recoveryCodes).toEqual([]);
  expect(await harness.call(member.actor, contract.getMe, {})).toMatchObject({
    totp_enabled: false,
    passkey_count: 2,
    recovery_codes_left: 10,
  });
  expect((await listOf()).map(({ name, last_used_at }) => ({ name, last_used_at }))).toEqual([
    { name: 'Laptop', last_used_at: null },
    { name: 'Phone', last_used_at: null },
  ]);
});

it('adding a passkey accepts a challenge once, within five minutes, and from the member who started', async () => {
  const create = (person: Person, credential: ReturnType<SoftwareAuthenticator['create']>) =>
    rejection(harness.call(person.actor, contract.createPasskey, { name: 'Laptop', credential }));

  const used = aDevice().create(await startRegistration());
  await harness.call(member.actor, contract.createPasskey, { name: 'Laptop', credential: used });
  expect(await create(member, used)).toMatchObject({ code: 'conflict' });

  const foreign = aDevice().create(await startRegistration());
  expect(await create(owner, foreign)).toMatchObject({ code: 'conflict' });

  const late = aDevice().create(await startRegistration());
  harness.clock.advance(5 * MINUTE_MS);
  expect(await create(member, late)).toMatchObject({ code: 'conflict' });

  const forSignIn = aDevice().create({ ...(await startRegistration()), ...(await challenge()) });
  expect(await create(member, forSignIn)).toMatchObject({ code: 'conflict' });
});

it.each([
  { what: 'of another site', ceremony: { origin: 'https://evil.example' } },
  { what: 'for another host', ceremony: { rpId: 'evil.example' } },
  { what: 'whose device did not verify its user', ceremony: { isUserVerified: false } },
])('adding a passkey rejects a passkey $what', async ({ ceremony }) => {
  const credential = aDevice().create(await startRegistration(), ceremony);
  const attempt = harness.call(member.actor, contract.createPasskey, { name: 'Laptop', credential });
  expect(await rejection(attempt)).toMatchObject({ code: 'invalid-request' });
  expect(await listOf()).toEqual([]);
});

it('adding a passkey rejects a passkey that a member already has', async () => {
  const { device } = await register();
  for (const person of [member, await signedIn(harness, await addMember(harness, owner, 'viewer'))]) {
    const credential = device.create(await startRegistration(person));
    const again = harness.call(person.actor, contract.createPasskey, { name: 'Again', credential });
    expect(await rejection(again)).toMatchObject({ code: 'conflict' });
  }
});

it('adding a passkey is limited to ten', async () => {
  for (let count = 0; count < 10; count++) await register(`Device ${count}`);
  const eleventh = harness.call(member.actor, contract.startPasskey, password);
  expect(await rejection(eleventh)).toMatchObject({ code: 'conflict' });
});

it('a sign-in with a passkey needs neither email nor password, and records the use', async () => {
  const { device, passkey } = await register();
  harness.clock.advance(MINUTE_MS);
  const { token, member: found } = await signInWith(await use(device));
  expect(found.id).toBe(member.id);
  expect((await actorOf(harness, token)).member_id).toBe(member.id);
  const [used] = await listOf();
  expect(used).toEqual({ ...passkey, last_used_at: new Date(harness.clock.now()).toISOString() });
});

it('a sign-in with a passkey knows the device from earlier sign-ins, among those of other members', async () => {
  const { device } = await register();
  const { device_token } = await signInWith(await use(device));
  await signInWith(await use(device), ['of another member', device_token as string]);
  const signIns = () =>
    entries.filter(({ action, actor }) => action === 'member.signed_in' && actor.id === member.id);
  await eventually('the sign-ins are published', () => signIns().length === 3);
  const byPasskey = { method: { before: null, after: 'passkey' } };
  const isNew = { new_device: { before: null, after: true } };
  expect(signIns().map(({ changes }) => changes)).toEqual([
    { method: { before: null, after: 'password' }, ...isNew },
    { ...byPasskey, ...isNew },
    byPasskey,
  ]);
});

it('a sign-in with a passkey is rejected after the passkey was removed', async () => {
  const { device, passkey } = await register();
  await harness.call(member.actor, contract.deletePasskey, { passkey_id: passkey.id, ...password });
  expect(await rejection(signInWith(await use(device)))).toMatchObject({ code: 'sign-in-failed' });
});

it('a sign-in with a passkey is rejected after the member left the team', async () => {
  const { device } = await register();
  await harness.call(owner.actor, contract.removeMember, { member_id: member.id });
  expect(await rejection(signInWith(await use(device)))).toMatchObject({ code: 'sign-in-failed' });
});

it('a sign-in with a passkey is rejected without a session when the sign-in names another member', async () => {
  const { device } = await register();
  const signInTo = async (memberId: string) =>
    harness.callAnonymously(contract.signInWithPasskey, {
      passkey: await use(device),
      member_id: memberId,
      ...ORIGIN,
    });
  const sessions = await service.connection.collection('sessions').countDocuments();
  expect(await rejection(signInTo(owner.id))).toMatchObject({ code: 'sign-in-failed' });
  expect(await service.connection.collection('sessions').countDocuments()).toBe(sessions);
  expect((await signInTo(member.id)).member.id).toBe(member.id);
});

it('a sign-in with a passkey succeeds at a blocked address on a device on which the member signed in before, and on no other', async () => {
  const { device } = await register();
  const { device_token: known } = await signInWith(await use(device));
  const { device_token: ofOther } = await signIn(harness, await addMember(harness, owner, 'viewer'));
  const address = '203.0.113.30';
  const { throttle } = service.app.context;
  for (let guess = 0; guess < 51; guess++)
    await throttle.begin({ kind: 'account', name: `account ${guess}` }, address);
  for (const tokens of [[], ['invented', ofOther as string]]) {
    const attempt = signInWith(await use(device), tokens, address);
    expect(await rejection(attempt)).toMatchObject({ code: 'too-many-attempts' });
  }
  const signedInAgain = await signInWith(await use(device), ['invented', known as string], address);
  expect(signedInAgain.member.id).toBe(member.id);
});

it.each(['a known', 'an unknown'])(
  'a sign-in with a passkey throttles invalid responses of one passkey on %s device',
  async (kind) => {
    const { device } = await register();
    const { device_token: token } = await signInWith(await use(device));
    const tokens = kind === 'a known' ? [token as string] : [];
    const codes: string[] = [];
    for (let guess = 0; guess < 8 && codes.at(-1) !== 'too-many-attempts'; guess++) {
      const forged = device.sign(await challenge(), { origin: 'https://evil.example' });
      codes.push((await rejection(signInWith(forged, tokens))).code);
    }
    expect(codes.at(-1)).toBe('too-many-attempts');
  },
);

it('a passkey as the second factor is required besides the password, and its absence is reported only after a correct password', async () => {
  const { device } = await register();
  expect(await rejection(signIn(harness, member))).toMatchObject({
    code: 'second-factor-required',
    extensions: { factors: ['passkey', 'recovery_code'] },
  });
  const wrong = signIn(harness, { ...member, password: 'wrong' });
  expect(await rejection(wrong)).toMatchObject({ code: 'sign-in-failed' });
  await passwordAndPasskey(member, await use(device));
});

it('a passkey as the second factor can be replaced by a recovery code, once', async () => {
  const { recoveryCodes } = await register();
  const [code] = recoveryCodes as [string];
  await signIn(harness, member, { recovery_code: code });
  expect(await rejection(signIn(harness, member, { recovery_code: code }))).toMatchObject({
    code: 'sign-in-failed',
  });
});

it('a passkey as the second factor keeps the recovery codes when an authenticator app is added and removed', async () => {
  const { recoveryCodes } = await register();
  const { secret } = await harness.call(member.actor, contract.startTotp, password);
  const totp = currentTotp(harness, secret);
  expect((await harness.call(member.actor, contract.confirmTotp, { totp })).recovery_codes).toEqual([]);
  expect(await rejection(signIn(harness, member))).toMatchObject({
    extensions: { factors: ['passkey', 'totp', 'recovery_code'] },
  });
  await signIn(harness, member, { recovery_code: recoveryCodes[0] as string });
  await harness.call(member.actor, contract.disableTotp, password);
  await signIn(harness, member, { recovery_code: recoveryCodes[1] as string });
  expect(await rejection(signIn(harness, member))).toMatchObject({ code: 'second-factor-required' });
});

it('managing passkeys renames one', async () => {
  const { passkey } = await register();
  const renamed = await harness.call(member.actor, contract.renamePasskey, {
    passkey_id: passkey.id,
    name: 'Key ring',
  });
  expect(renamed).toEqual({ ...passkey, name: 'Key ring' });
  expect(await listOf()).toEqual([renamed]);
});

it('managing passkeys removes one with the password; after the last one, the password suffices to sign in', async () => {
  const { passkey } = await register();
  const remove = (current_password: string) =>
    harness.call(member.actor, contract.deletePasskey, { passkey_id: passkey.id, current_password });
  expect(await rejection(remove('wrong'))).toMatchObject({ code: 'invalid-request' });
  await remove(PASSWORD);
  expect(await listOf()).toEqual([]);
  expect((await signIn(harness, member)).member.passkey_count).toBe(0);
  expect(await rejection(remove(PASSWORD))).toMatchObject({ code: 'not-found' });
});

it('managing passkeys does not concern the passkeys of another member', async () => {
  const { passkey } = await register();
  const { id: passkey_id } = passkey;
  const rename = harness.call(owner.actor, contract.renamePasskey, { passkey_id, name: 'Mine' });
  expect(await rejection(rename)).toMatchObject({ code: 'not-found' });
  const remove = harness.call(owner.actor, contract.deletePasskey, { passkey_id, ...password });
  expect(await rejection(remove)).toMatchObject({ code: 'not-found' });
  expect(await listOf()).toEqual([passkey]);
});

it('a reset link of the operator removes passkeys; another one does not', async () => {
  const person = await signedIn(harness, await createTeamWithOwner(harness));
  const { device } = await register('Laptop', aDevice(), person);
  const next = 'another long password';
  const reset = async (removes_totp: boolean) => {
    const link = await harness.callAnonymously(contract.resetOwner, {
      email: person.email,
      team_id: null,
      removes_totp,
    });
    expect(link.passkey_count).toBe(1);
    await harness.callAnonymously(contract.resetPassword, { token: link.token, password: next, ...ORIGIN });
  };
  await reset(false);
  expect(await rejection(signIn(harness, { ...person, password: next }))).toMatchObject({
    code: 'second-factor-required',
  });
  await reset(true);
  await signIn(harness, { ...person, password: next });
  expect(await rejection(signInWith(await use(device)))).toMatchObject({ code: 'sign-in-failed' });
});

it('expired challenges are deleted', async () => {
  await challenge();
  harness.clock.advance(5 * MINUTE_MS + 1);
  await service.app.forgetExpired();
  expect(await service.connection.collection('passkey_challenges').countDocuments()).toBe(0);
});
