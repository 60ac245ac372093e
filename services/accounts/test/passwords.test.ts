import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ADDRESS,
  actorOf,
  addMember,
  createResetLink,
  createTeamWithOwner,
  type Harness,
  invite,
  newEmail,
  ORIGIN,
  PASSWORD,
  type Person,
  setUpFounder,
  signedIn,
  signIn,
  startHarness,
} from './harness.ts';

const NEW_PASSWORD = 'another long password';

let harness: Harness;
let founder: Person;
let owner: Person;

beforeAll(async () => {
  harness = await startHarness();
  await harness.startService();
  founder = await setUpFounder(harness);
  owner = await createTeamWithOwner(harness);
});
afterAll(() => harness.stop());

const change = (person: Person, current: string, next = NEW_PASSWORD) =>
  harness.call(person.actor, contract.changePassword, { current_password: current, new_password: next });
const reset = (token: string, password = NEW_PASSWORD) =>
  harness.callAnonymously(contract.resetPassword, { token, password, address: ADDRESS, user_agent: null });
const linkFor = (person: Person) => createResetLink(harness, owner, person.id);

it("a password change requires the current password, and ends every session except the caller's", async () => {
  const member = await addMember(harness, owner, 'viewer');
  const [one, other] = [await signedIn(harness, member), await signedIn(harness, member)];
  expect(await rejection(change(one, 'not the password'))).toMatchObject({
    code: 'invalid-request',
    errors: [{ pointer: '/current_password' }],
  });
  await actorOf(harness, other.token);

  await change(one, PASSWORD);
  await actorOf(harness, one.token);
  expect(await rejection(actorOf(harness, other.token))).toMatchObject({ code: 'invalid-session' });
  expect(await rejection(signIn(harness, member))).toMatchObject({ code: 'sign-in-failed' });
  await signIn(harness, { ...member, password: NEW_PASSWORD });
});

it('a password change succeeds once when two requests compete', async () => {
  const member = await signedIn(harness, await addMember(harness, owner, 'viewer'));
  const passwords = ['the first new password', 'the second new password'];
  const outcomes = await Promise.allSettled(passwords.map((password) => change(member, PASSWORD, password)));
  const won = passwords.filter((_, index) => outcomes[index]?.status === 'fulfilled');
  expect(won).toHaveLength(1);
  await signIn(harness, { email: member.email, password: won[0] as string });
});

it('a password change cannot be used to guess the password', async () => {
  const member = await signedIn(harness, await addMember(harness, owner, 'viewer'));
  const codes: string[] = [];
  for (let guess = 0; guess < 7; guess++)
    codes.push((await rejection(change(member, 'not the password'))).code);
  expect(codes.at(-1)).toBe('too-many-attempts');
  // Nor can an outsider prevent the member from signing in with it.
  await signIn(harness, member);
});

it.each(['', 'short', 'x'.repeat(257)])(
  'a password change rejects %j as a new password',
  async (password) => {
    const attempt = change(owner, PASSWORD, password);
    expect(await rejection(attempt)).toMatchObject({
      code: 'invalid-request',
      errors: [{ pointer: '/new_password' }],
    });
  },
);

it('a reset link cannot be created by owners for themselves: changing the own password requires the current one', async () => {
  expect(await rejection(linkFor(owner))).toMatchObject({ code: 'forbidden' });
});

it('a reset link for an admin of the installation requires the setup token, and guesses of it are throttled', async () => {
  const { token: invitation } = await invite(harness, founder, { email: newEmail(), role: 'owner' });
  const { id } = await harness.callAnonymously(contract.acceptInvitation, {
    token: invitation,
    name: 'Second owner',
    password: PASSWORD,
    ...ORIGIN,
  });
  const second = { ...founder.actor, member_id: id };
  const link = (setup_token?: string) =>
    harness.call(second, contract.createResetLink, {
      member_id: founder.id,
      ...(setup_token !== undefined && { setup_token }),
    });
  expect(await rejection(link())).toMatchObject({ code: 'forbidden' });
  expect((await link(harness.setupToken)).token).not.toBeNull();
  const codes: string[] = [];
  for (let guess = 0; guess < 8; guess++) codes.push((await rejection(link(`guess ${guess}`))).code);
  expect(codes).toEqual([...Array(6).fill('forbidden'), ...Array(2).fill('too-many-attempts')]);
  expect(await rejection(link(harness.setupToken))).toMatchObject({ code: 'too-many-attempts' });
});

it('a reset link sets a new password once, and ends all sessions', async () => {
  const member = await signedIn(harness, await addMember(harness, owner, 'viewer'));
  const token = await linkFor(member);
  await reset(token);
  expect(await rejection(actorOf(harness, member.token))).toMatchObject({ code: 'invalid-session' });
  await signIn(harness, { ...member, password: NEW_PASSWORD });
  expect(await rejection(reset(token, 'yet another password'))).toMatchObject({ code: 'not-found' });
});

it('a reset link can be read until it is used', async () => {
  const member = await addMember(harness, owner, 'viewer');
  const token = await linkFor(member);
  const read = () => harness.callAnonymously(contract.getResetLink, { token });
  expect(await read()).toEqual({
    email: member.email,
    expires_at: new Date(harness.clock.now() + 24 * HOUR_MS).toISOString(),
  });
  await reset(token);
  expect(await rejection(read())).toMatchObject({ code: 'not-found' });
});

it('a reset link works for exactly one of many concurrent requests', async () => {
  const token = await linkFor(await addMember(harness, owner, 'viewer'));
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => reset(token)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it('a reset link works for 24 hours', async () => {
  const member = await addMember(harness, owner, 'viewer');
  const [inTime, late] = [await linkFor(member), await linkFor(await addMember(harness, owner, 'viewer'))];
  harness.clock.advance(24 * HOUR_MS - 1);
  await reset(inTime);
  harness.clock.advance(1);
  expect(await rejection(reset(late))).toMatchObject({ code: 'not-found' });
});

it('a reset link stops working when a newer one is created, the password is changed, or the member is removed', async () => {
  const [member, removed] = [
    await signedIn(harness, await addMember(harness, owner, 'viewer')),
    await addMember(harness, owner, 'viewer'),
  ];
  const [first, second, ofRemoved] = [await linkFor(member), await linkFor(member), await linkFor(removed)];
  expect(await rejection(reset(first))).toMatchObject({ code: 'not-found' });
  await change(member, PASSWORD);
  expect(await rejection(reset(second))).toMatchObject({ code: 'not-found' });
  await harness.call(owner.actor, contract.removeMember, { member_id: removed.id });
  expect(await rejection(reset(ofRemoved))).toMatchObject({ code: 'not-found' });
});
