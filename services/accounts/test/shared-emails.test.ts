import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  createTeamWithOwner,
  type Harness,
  invite,
  newEmail,
  ORIGIN,
  type Person,
  type Service,
  setUpFounder,
  signIn,
  startHarness,
} from './harness.ts';

const MAX_ACCOUNTS = 5;

let harness: Harness;
let service: Service;
let founder: Person;
let email: string;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
  await harness.startService();
  founder = await setUpFounder(harness);
});
beforeEach(() => {
  email = newEmail();
});
afterAll(() => harness.stop());

/** The token of an invitation of this email by a new team. */
async function inviteToNewTeam(): Promise<{ token: string; owner: Person }> {
  const owner = await createTeamWithOwner(harness);
  const { token } = await invite(harness, owner, { email, role: 'viewer' });
  return { token, owner };
}

function accept(token: string, password: string) {
  return harness.callAnonymously(contract.acceptInvitation, { token, name: 'Ada', password, ...ORIGIN });
}

async function joinNewTeam(password: string): Promise<{ id: string; owner: Person }> {
  const { token, owner } = await inviteToNewTeam();
  return { id: (await accept(token, password)).id, owner };
}

const signInWith = async (password: string, fields = {}) =>
  (await signIn(harness, { email, password }, fields)).member.id;

const signInTo = (memberId: string, password: string, fields = {}) =>
  harness.callAnonymously(contract.signIn, { email, password, member_id: memberId, ...ORIGIN, ...fields });

const countSessions = () => service.connection.collection('sessions').countDocuments();

it('accounts of one email in several teams are signed in to by their own passwords', async () => {
  const first = await joinNewTeam('the first password');
  const second = await joinNewTeam('the second password');
  expect(second.id).not.toBe(first.id);
  expect(await signInWith('the first password')).toBe(first.id);
  expect(await signInWith('the second password')).toBe(second.id);
  expect(await rejection(signIn(harness, { email, password: 'a wrong password' }))).toMatchObject({
    code: 'sign-in-failed',
  });
});

it('accounts of one email in several teams with one password are the newest one, and on a known device the one of the device', async () => {
  const password = 'the same password';
  const first = await joinNewTeam(password);
  const { device_token } = await signIn(harness, { email, password });
  const second = await joinNewTeam(password);
  expect(await signInWith(password)).toBe(second.id);
  expect(await signInWith(password, { device_token })).toBe(first.id);
});

it('accounts of one email in several teams are signed in to by id, without a session in another account', async () => {
  const [first, second] = [await joinNewTeam('the same password'), await joinNewTeam('the same password')];
  const third = await joinNewTeam('the third password');
  const { device_token } = await signIn(harness, { email, password: 'the third password' });
  const sessions = await countSessions();
  const rejected = await rejection(signInTo(first.id, 'the third password', { device_token }));
  expect(rejected).toMatchObject({ code: 'sign-in-failed' });
  expect(await countSessions()).toBe(sessions);
  for (const { id } of [first, second])
    expect((await signInTo(id, 'the same password', { device_token })).member.id).toBe(id);
  expect((await signInTo(third.id, 'the third password', { device_token })).member.id).toBe(third.id);
});

it('accounts of one email in several teams are at most five, also when more are accepted at the same time', async () => {
  const invitations: { token: string; owner: Person }[] = [];
  for (let team = 0; team < MAX_ACCOUNTS + 2; team++) invitations.push(await inviteToNewTeam());
  const outcomes = await Promise.allSettled(
    invitations.map(({ token }, at) => accept(token, `password number ${at}`)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_ACCOUNTS);
  const accepted = outcomes.findIndex(({ status }) => status === 'fulfilled');
  const rejected = outcomes.findIndex(({ status }) => status === 'rejected');
  const { token: late } = invitations[rejected] as { token: string };
  expect(await rejection(accept(late, 'password of the late'))).toMatchObject({ code: 'conflict' });

  // A removed member makes room.
  const { owner } = invitations[accepted] as { owner: Person };
  const member = (await harness.call(owner.actor, contract.listMembers, {})).data.find(
    (each) => each.email === email,
  );
  await harness.call(owner.actor, contract.removeMember, { member_id: member?.id as string });
  await accept(late, 'password of the late');
  await signInWith('password of the late');
  expect(await rejection(signIn(harness, { email, password: `password number ${accepted}` }))).toMatchObject({
    code: 'sign-in-failed',
  });
});

it('accounts of one email in several teams keep the email in every change of the account', async () => {
  await joinNewTeam('the first password');
  const second = await joinNewTeam('the second password');
  const actor = { ...founder.actor, member_id: second.id, team_id: second.owner.actor.team_id };
  await harness.call(actor, contract.updateProfile, { name: 'Ada Lovelace' });
  expect(await harness.call(actor, contract.getMe, {})).toMatchObject({ email, name: 'Ada Lovelace' });
  expect(await signInWith('the second password')).toBe(second.id);
});

it('accounts of one email in several teams are both named in the audit log when a sign-in fails', async () => {
  const accounts = [await joinNewTeam('the first password'), await joinNewTeam('the second password')];
  await rejection(signIn(harness, { email, password: 'a wrong password' }));
  const failures = service.connection.collection<{ _id: string; outbox: { team_id: string }[] }>(
    'failed_sign_ins',
  );
  const latest = await failures.find().sort({ _id: -1 }).limit(1).next();
  const teams = accounts.map(({ owner }) => owner.actor.team_id);
  expect(latest?.outbox.map(({ team_id }) => team_id).sort()).toEqual(teams.sort());
});

it('guesses at an account whose email another account shares are not reset by signing in to the other account', async () => {
  await joinNewTeam('the password of the victim');
  await joinNewTeam('the password of the attacker');
  const codes: string[] = [];
  for (let guess = 0; guess < 8; guess++) {
    codes.push((await rejection(signIn(harness, { email, password: `guess ${guess}` }))).code);
    await signIn(harness, { email, password: 'the password of the attacker' }).catch(() => undefined);
  }
  expect(codes).toContain('too-many-attempts');
});

it('guesses at an account whose email another account shares are not made by setting the password of the other account to each guess, and are recorded', async () => {
  const attacker = await joinNewTeam('guess number 0');
  const victim = await joinNewTeam('the password of the victim');
  const actor = { ...founder.actor, member_id: attacker.id, team_id: attacker.owner.actor.team_id };
  const codes: string[] = [];
  for (let guess = 0; guess < 8; guess++) {
    const attempt = signIn(harness, { email, password: `guess number ${guess}` });
    codes.push(
      await attempt.then(
        ({ member }) => member.id,
        ({ details }) => details.code,
      ),
    );
    await harness.call(actor, contract.changePassword, {
      current_password: `guess number ${guess}`,
      new_password: `guess number ${guess + 1}`,
    });
  }
  expect(codes).toEqual([...Array(6).fill(attacker.id), ...Array(2).fill('too-many-attempts')]);
  const failures = service.connection.collection<{ _id: string; outbox: { team_id: string }[] }>(
    'failed_sign_ins',
  );
  const latest = await failures.find().sort({ _id: -1 }).limit(1).next();
  expect(latest?.outbox.map(({ team_id }) => team_id)).toEqual([victim.owner.actor.team_id]);
});

it('guesses at an account whose email another account shares are not made on the allowance of a device of the other account', async () => {
  await joinNewTeam('the password of the victim');
  await joinNewTeam('the password of the attacker');
  const { device_token } = await signIn(harness, { email, password: 'the password of the attacker' });
  const known = { device_token: device_token as string };
  const codes: string[] = [];
  for (let guess = 0; guess < 8; guess++) {
    codes.push((await rejection(signIn(harness, { email, password: `guess ${guess}` }, known))).code);
    await signIn(harness, { email, password: 'the password of the attacker' }, known).catch(() => undefined);
  }
  expect(codes).toContain('too-many-attempts');
});

it('an email has one account in a team, whatever its spelling', async () => {
  const { id, owner } = await joinNewTeam('the first password');
  const again = invite(harness, owner, { email: ` ${email.toUpperCase()}`, role: 'viewer' });
  expect(await rejection(again)).toMatchObject({ code: 'conflict' });
  expect(await signInWith('the first password')).toBe(id);
});
