import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Member } from '../src/members/member.ts';
import { mailedResetLink } from '../src/passwords/mailed-reset-link.ts';
import {
  actorOf,
  addMember,
  createResetLink,
  createTeamWithOwner,
  type Harness,
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

const MAX_ACCOUNTS = 5;

let harness: Harness;
let service: Service;
let founder: Person;
let owner: Person;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
  founder = await setUpFounder(harness);
  owner = await createTeamWithOwner(harness);
});
afterAll(() => harness.stop());

const change = (person: Person, email: string, password = PASSWORD) =>
  harness.call(person.actor, contract.changeEmail, { current_password: password, email });

it('a change of the email lets the member sign in with the new email only, and keeps the sessions', async () => {
  const member = await signedIn(harness, await addMember(harness, owner, 'viewer'));
  const email = newEmail();
  expect((await change(member, ` ${email.toUpperCase()} `)).email).toBe(email);
  await actorOf(harness, member.token);
  expect((await signIn(harness, { ...member, email })).member.id).toBe(member.id);
  expect(await rejection(signIn(harness, member))).toMatchObject({ code: 'sign-in-failed' });
});

it('a change of the email frees the earlier email for others', async () => {
  const [one, other] = [await addMember(harness, owner, 'viewer'), await addMember(harness, owner, 'viewer')];
  await change(one, newEmail());
  expect((await change(other, one.email)).email).toBe(one.email);
  expect((await signIn(harness, { ...other, email: one.email })).member.id).toBe(other.id);
});

it('a change of the email ends the reset link of the member', async () => {
  const member = await addMember(harness, owner, 'viewer');
  const token = await createResetLink(harness, owner, member.id);
  await change(member, newEmail());
  const request = { token, password: 'another correct password', ...ORIGIN };
  expect(await rejection(harness.callAnonymously(contract.resetPassword, request))).toMatchObject({
    code: 'not-found',
  });
});

it('a change of the email ends a reset link that a mail to the earlier email is about to carry', async () => {
  const { context } = service.app;
  const member = await addMember(harness, owner, 'viewer');
  const find = () => context.members.find(owner.actor.team_id, member.id) as Promise<Member>;
  const mail = { mailId: newId('mail'), origin: { address: null, user_agent: null, request_id: null } };
  const earlier = await find();
  expect(await mailedResetLink(context, earlier, mail)).not.toBeNull();
  await change(member, newEmail());
  expect(await mailedResetLink(context, earlier, mail)).toBeNull();
  expect((await find()).reset_link).toBeNull();
});

it('a change of the email requires the current password', async () => {
  const member = await addMember(harness, owner, 'viewer');
  expect(await rejection(change(member, newEmail(), 'not the password'))).toMatchObject({
    code: 'invalid-request',
    errors: [{ pointer: '/current_password' }],
  });
  await signIn(harness, member);
});

it.each(['ada', 'ada@', '@example.com', 'ada lovelace@example.com'])(
  'a change of the email rejects %j',
  async (email) => {
    expect(await rejection(change(owner, email))).toMatchObject({
      code: 'invalid-request',
      errors: [{ pointer: '/email' }],
    });
  },
);

it('a change of the email rejects the email of another member of the team, and accepts that of an account in another team', async () => {
  const member = await addMember(harness, owner, 'viewer');
  expect(await rejection(change(member, owner.email))).toMatchObject({ code: 'conflict' });
  expect((await change(member, founder.email)).email).toBe(founder.email);
  await change(member, newEmail());
});

it('a change of the email rejects an email that too many accounts have, also when all change at once', async () => {
  const email = newEmail();
  const owners = await Promise.all(
    Array.from({ length: MAX_ACCOUNTS + 1 }, () => createTeamWithOwner(harness)),
  );
  const outcomes = await Promise.allSettled(owners.map((each) => change(each, email)));
  const codes = outcomes.map((outcome) =>
    outcome.status === 'rejected' ? outcome.reason.details.code : null,
  );
  expect(codes.filter((code) => code !== null)).toEqual(['conflict']);
});
