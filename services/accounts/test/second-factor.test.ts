import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { totpCode, totpStep } from '../src/second-factor/totp.ts';
import {
  addMember,
  createResetLink,
  createTeamWithOwner,
  decodeBase32,
  type Harness,
  PASSWORD,
  type Person,
  signedIn,
  signIn,
  startHarness,
} from './harness.ts';

const STEP_MS = 30_000;

let harness: Harness;
let owner: Person;
let member: Person;

beforeAll(async () => {
  harness = await startHarness();
  await harness.startService();
  owner = await createTeamWithOwner(harness);
});
beforeEach(async () => {
  member = await signedIn(harness, await addMember(harness, owner, 'viewer'));
});
afterAll(() => harness.stop());

const password = { current_password: PASSWORD };

async function start(): Promise<Buffer> {
  const { secret, uri } = await harness.call(member.actor, contract.startTotp, password);
  expect(uri).toContain(secret);
  return decodeBase32(secret);
}

/** The app's current code. */
function codeOf(secret: Buffer): string {
  return totpCode(secret, totpStep(harness.clock.now()));
}

/** A code that is not among those currently accepted. */
function wrongCode(secret: Buffer): string {
  const now = totpStep(harness.clock.now());
  const right = [-1, 0, 1].map((offset) => totpCode(secret, now + offset));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) as string;
}

/** Enables the second factor, then advances the clock by one step, so that the app shows an unused code. */
async function enrol(): Promise<{ secret: Buffer; recoveryCodes: string[] }> {
  const secret = await start();
  const { recovery_codes } = await harness.call(member.actor, contract.confirmTotp, {
    totp: codeOf(secret),
  });
  harness.clock.advance(STEP_MS);
  return { secret, recoveryCodes: recovery_codes };
}

it('the enrollment does not affect signing in until a code confirms it', async () => {
  const secret = await start();
  expect((await signIn(harness, member)).member.totp_enabled).toBe(false);
  const confirm = harness.call(member.actor, contract.confirmTotp, { totp: wrongCode(secret) });
  expect(await rejection(confirm)).toMatchObject({
    code: 'invalid-request',
    errors: [{ pointer: '/totp' }],
  });
  expect((await signIn(harness, member)).member.totp_enabled).toBe(false);
  await harness.call(member.actor, contract.confirmTotp, { totp: codeOf(secret) });
  expect(await rejection(signIn(harness, member))).toMatchObject({ code: 'second-factor-required' });
});

it('the enrollment expires after 15 minutes without a code', async () => {
  const secret = await start();
  harness.clock.advance(15 * 60_000);
  const late = harness.call(member.actor, contract.confirmTotp, { totp: codeOf(secret) });
  expect(await rejection(late)).toMatchObject({ code: 'conflict' });
  expect((await signIn(harness, member)).member.totp_enabled).toBe(false);
  await enrol();
});

it('the enrollment throttles guesses of the code', async () => {
  const secret = await start();
  const codes: string[] = [];
  for (let guess = 0; guess < 8; guess++) {
    const confirm = harness.call(member.actor, contract.confirmTotp, { totp: wrongCode(secret) });
    codes.push((await rejection(confirm)).code);
  }
  expect(codes).toEqual([...Array(6).fill('invalid-request'), ...Array(2).fill('too-many-attempts')]);
  const correct = harness.call(member.actor, contract.confirmTotp, { totp: codeOf(secret) });
  expect(await rejection(correct)).toMatchObject({ code: 'too-many-attempts' });
});

it('the enrollment requires the password', async () => {
  const attempt = harness.call(member.actor, contract.startTotp, { current_password: 'wrong' });
  expect(await rejection(attempt)).toMatchObject({ code: 'invalid-request' });
});

it('the enrollment returns ten different recovery codes', async () => {
  const { recoveryCodes } = await enrol();
  expect(new Set(recoveryCodes)).toHaveLength(10);
  for (const code of recoveryCodes) expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  expect(await harness.call(member.actor, contract.getMe, {})).toMatchObject({
    totp_enabled: true,
    recovery_codes_left: 10,
  });
});

it('the enrollment cannot be started or confirmed again while the factor is enabled', async () => {
  const { secret } = await enrol();
  expect(await rejection(harness.call(member.actor, contract.startTotp, password))).toMatchObject({
    code: 'conflict',
  });
  const confirm = harness.call(member.actor, contract.confirmTotp, { totp: codeOf(secret) });
  expect(await rejection(confirm)).toMatchObject({ code: 'conflict' });
});

it('a sign-in with a second factor requires the code besides the password', async () => {
  const { secret } = await enrol();
  const code = codeOf(secret);
  expect(await rejection(signIn(harness, member))).toMatchObject({ code: 'second-factor-required' });
  const wrong = { totp: wrongCode(secret) };
  expect(await rejection(signIn(harness, member, wrong))).toMatchObject({ code: 'sign-in-failed' });
  const wrongPassword = { ...member, password: 'wrong' };
  expect(await rejection(signIn(harness, wrongPassword, { totp: code }))).toMatchObject({
    code: 'sign-in-failed',
  });
  await signIn(harness, member, { totp: code });
});

it('a sign-in with a second factor requires the code on a known device as well', async () => {
  const { device_token } = await signIn(harness, member);
  await enrol();
  const known = { device_token: device_token as string };
  expect(await rejection(signIn(harness, member, known))).toMatchObject({ code: 'second-factor-required' });
});

it('a sign-in with a second factor does not reveal the second factor without the correct password', async () => {
  await enrol();
  expect(await rejection(signIn(harness, { ...member, password: 'wrong' }))).toMatchObject({
    code: 'sign-in-failed',
  });
});

it('a sign-in with a second factor does not accept a code twice, nor the one that confirmed the enrollment', async () => {
  const secret = await start();
  const code = codeOf(secret);
  await harness.call(member.actor, contract.confirmTotp, { totp: code });
  expect(await rejection(signIn(harness, member, { totp: code }))).toMatchObject({
    code: 'sign-in-failed',
  });
  harness.clock.advance(STEP_MS);
  const next = { totp: codeOf(secret) };
  await signIn(harness, member, next);
  expect(await rejection(signIn(harness, member, next))).toMatchObject({ code: 'sign-in-failed' });
});

it('a sign-in with a second factor accepts a code from one of several concurrent requests', async () => {
  const { secret } = await enrol();
  const totp = codeOf(secret);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 4 }, () => signIn(harness, member, { totp })),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it('a sign-in with a second factor throttles guesses of the code, even when sign-ins without a code come between', async () => {
  const { secret } = await enrol();
  const codes: string[] = [];
  for (let guess = 0; guess < 8 && codes.at(-1) !== 'too-many-attempts'; guess++) {
    await rejection(signIn(harness, member));
    codes.push((await rejection(signIn(harness, member, { totp: wrongCode(secret) }))).code);
  }
  expect(codes.at(-1)).toBe('too-many-attempts');
});

it("a recovery code replaces the app's code, once, in any notation", async () => {
  const { recoveryCodes } = await enrol();
  const [first, second] = recoveryCodes as [string, string];
  await signIn(harness, member, { recovery_code: first });
  const again = { recovery_code: first };
  expect(await rejection(signIn(harness, member, again))).toMatchObject({ code: 'sign-in-failed' });
  await signIn(harness, member, { recovery_code: second.toLowerCase().replaceAll('-', ' ') });
  expect(await harness.call(member.actor, contract.getMe, {})).toMatchObject({ recovery_codes_left: 8 });
});

it('a recovery code is accepted from one of several concurrent requests', async () => {
  const { recoveryCodes } = await enrol();
  const fields = { recovery_code: recoveryCodes[0] as string };
  const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => signIn(harness, member, fields)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it('a recovery code stops working when the codes are replaced', async () => {
  const { recoveryCodes } = await enrol();
  const { recovery_codes } = await harness.call(member.actor, contract.replaceRecoveryCodes, password);
  const old = { recovery_code: recoveryCodes[0] as string };
  expect(await rejection(signIn(harness, member, old))).toMatchObject({ code: 'sign-in-failed' });
  await signIn(harness, member, { recovery_code: recovery_codes[0] as string });
});

it('a recovery code of another member is rejected', async () => {
  const { recoveryCodes } = await enrol();
  member = await signedIn(harness, await addMember(harness, owner, 'viewer'));
  await enrol();
  const foreign = { recovery_code: recoveryCodes[0] as string };
  expect(await rejection(signIn(harness, member, foreign))).toMatchObject({ code: 'sign-in-failed' });
});

it('disabling the second factor requires the password; afterwards the password suffices to sign in', async () => {
  await enrol();
  const attempt = harness.call(member.actor, contract.disableTotp, { current_password: 'wrong' });
  expect(await rejection(attempt)).toMatchObject({ code: 'invalid-request' });
  expect(await rejection(signIn(harness, member))).toMatchObject({ code: 'second-factor-required' });
  for (let time = 0; time < 2; time++) await harness.call(member.actor, contract.disableTotp, password);
  expect((await signIn(harness, member)).member.totp_enabled).toBe(false);
});

it('disabling the second factor is not a side effect of a reset link', async () => {
  await enrol();
  const token = await createResetLink(harness, owner, member.id);
  const next = 'another long password';
  await harness.callAnonymously(contract.resetPassword, {
    token,
    password: next,
    address: null,
    user_agent: null,
  });
  expect(await rejection(signIn(harness, { ...member, password: next }))).toMatchObject({
    code: 'second-factor-required',
  });
});
