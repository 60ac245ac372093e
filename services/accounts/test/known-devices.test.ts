import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { DEVICE_TOKEN_LIFETIME_MS } from '../src/devices/device-tokens.ts';
import {
  actorOf,
  addMember,
  createTeamWithOwner,
  type Harness,
  type Person,
  type Service,
  signIn,
  startHarness,
} from './harness.ts';

const WRONG = 'a wrong password';

let harness: Harness;
let service: Service;
let owner: Person;
let member: Person;
/** The token of the device on which the member signed in. */
let token: string;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
  owner = await createTeamWithOwner(harness);
});
beforeEach(async () => {
  member = await addMember(harness, owner, 'viewer');
  token = await signInOnDevice();
});
afterAll(() => harness.stop());

async function signInOnDevice(deviceToken?: string): Promise<string> {
  const { device_token } = await signIn(harness, member, deviceToken ? { device_token: deviceToken } : {});
  expect(device_token).not.toBeNull();
  return device_token as string;
}

/** Fails to sign in as the member until attempts are blocked; returns the codes. */
async function guessUntilBlocked(fields: { device_token?: string; address?: string }): Promise<string[]> {
  const codes: string[] = [];
  while (codes.at(-1) !== 'too-many-attempts') {
    const { code } = await rejection(signIn(harness, { email: member.email, password: WRONG }, fields));
    codes.push(code);
    expect(codes.length).toBeLessThan(100);
  }
  return codes;
}

const blocked = { code: 'too-many-attempts' };

it('a device on which the member signed in before signs in while guesses of unknown devices block the account', async () => {
  await guessUntilBlocked({ address: '203.0.113.1' });
  expect(await rejection(signIn(harness, member))).toMatchObject(blocked);
  await signInOnDevice(token);
  // A success of the known device does not give the attacker new guesses.
  expect(await rejection(signIn(harness, member))).toMatchObject(blocked);
});

it('a device on which the member signed in before signs in while its address is blocked', async () => {
  const address = '203.0.113.2';
  for (let guess = 0; guess < 51; guess++) {
    await rejection(signIn(harness, { email: `nobody-${guess}@example.com`, password: WRONG }, { address }));
  }
  expect(await rejection(signIn(harness, member, { address }))).toMatchObject(blocked);
  await signIn(harness, member, { address, device_token: token });
});

it('a device on which the member signed in before has a bounded number of guesses, which block no other device', async () => {
  expect((await guessUntilBlocked({ device_token: token })).length).toBe(7);
  expect(await rejection(signIn(harness, member, { device_token: token }))).toMatchObject(blocked);
  await signInOnDevice();
});

it('a device on which the member signed in before keeps its count with the token of each further sign-in', async () => {
  const next = await signInOnDevice(token);
  expect(next).not.toBe(token);
  await guessUntilBlocked({ device_token: token });
  expect(await rejection(signIn(harness, member, { device_token: next }))).toMatchObject(blocked);
});

it('a device on which the member signed in before requires the password like every other', async () => {
  const wrong = { email: member.email, password: WRONG };
  expect(await rejection(signIn(harness, wrong, { device_token: token }))).toMatchObject({
    code: 'sign-in-failed',
  });
});

it('a device on which the member signed in before is unknown to another member, and after 180 days', async () => {
  const other = await addMember(harness, owner, 'viewer');
  await guessUntilBlocked({});
  expect(await rejection(signIn(harness, member, { device_token: await tokenOf(other) }))).toMatchObject(
    blocked,
  );
  harness.clock.advance(DEVICE_TOKEN_LIFETIME_MS - DAY_MS);
  await guessUntilBlocked({});
  await signInOnDevice(token);
  harness.clock.advance(DAY_MS);
  await guessUntilBlocked({});
  expect(await rejection(signIn(harness, member, { device_token: token }))).toMatchObject(blocked);
});

it('a device on which the member signed in before is unknown after a new password', async () => {
  const session = await signIn(harness, member);
  await harness.call(await actorOf(harness, session.token), contract.changePassword, {
    current_password: member.password,
    new_password: 'another long password',
  });
  member = { ...member, password: 'another long password' };
  await guessUntilBlocked({});
  expect(await rejection(signIn(harness, member, { device_token: token }))).toMatchObject(blocked);
});

it('a device on which the member signed in before is unknown when its token is altered', async () => {
  await guessUntilBlocked({});
  for (const at of [0, 2, 40, token.length - 2]) {
    const altered = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
    expect(await rejection(signIn(harness, member, { device_token: altered }))).toMatchObject(blocked);
  }
});

it('an invented token, and one of another member, is rejected without a query', async () => {
  const { devices } = service.app.context;
  const findMember = () => Promise.reject(new Error('The member was read.'));
  for (const invented of ['', 'x', `1.${'A'.repeat(300)}`, token.slice(0, -3)]) {
    for (const email of [member.email, null])
      expect(await devices.find(invented, email, findMember)).toBeNull();
  }
  expect(await devices.find(token, owner.email, findMember)).toBeNull();
});

it('guesses at the sign-in page do not block the password of a signed-in member', async () => {
  const actor = await actorOf(harness, (await signIn(harness, member)).token);
  // The names of two kinds of attempts must not meet, whatever the caller types as the email.
  for (let guess = 0; guess < 8; guess++) {
    await rejection(signIn(harness, { email: `signed-in:${member.id}`, password: WRONG }));
    await rejection(signIn(harness, { email: member.id, password: WRONG }));
  }
  const { secret } = await harness.call(actor, contract.startTotp, { current_password: member.password });
  expect(secret).not.toBe('');
});

async function tokenOf(person: Person): Promise<string> {
  return (await signIn(harness, person)).device_token as string;
}
