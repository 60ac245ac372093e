import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import type { Role } from '@tollgate/contracts/platform/roles';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ADDRESS,
  addMember,
  createTeamWithOwner,
  type Harness,
  invite,
  newEmail,
  PASSWORD,
  type Person,
  type Service,
  signedIn,
  signIn,
  startHarness,
} from './harness.ts';

let harness: Harness;
let service: Service;

beforeAll(async () => {
  harness = await startHarness();
  // Two instances: MongoDB decides which concurrent request wins.
  service = await harness.startService();
  await harness.startService();
});
afterAll(() => harness.stop());

function inviteTo(owner: Person, email = newEmail(), role: Role = 'developer') {
  return invite(harness, owner, { email, role });
}

function accept(token: string, fields: { name?: string; password?: string } = {}) {
  return harness.callAnonymously(contract.acceptInvitation, {
    token,
    name: 'Ada',
    password: PASSWORD,
    address: ADDRESS,
    user_agent: null,
    ...fields,
  });
}

async function membersOf(owner: Person) {
  return (await harness.call(owner.actor, contract.listMembers, {})).data;
}

function setRole(actor: Person, { id }: { id: string }, role: Role) {
  return harness.call(actor.actor, contract.changeRole, { member_id: id, role });
}

function remove(actor: Person, { id }: { id: string }) {
  return harness.call(actor.actor, contract.removeMember, { member_id: id });
}

it('the last owner cannot be removed or demoted by any member', async () => {
  const owner = await createTeamWithOwner(harness);
  expect(await rejection(remove(owner, owner))).toMatchObject({ code: 'last-owner' });
  expect(await rejection(setRole(owner, owner, 'admin'))).toMatchObject({ code: 'last-owner' });
  expect(await membersOf(owner)).toMatchObject([{ id: owner.id, role: 'owner' }]);
});

it.each([1, 2])(
  'the last owner remains when owners remove and demote each other at the same time (%i)',
  async () => {
    const first = await createTeamWithOwner(harness);
    const owners = [
      first,
      await addMember(harness, first, 'owner'),
      await addMember(harness, first, 'owner'),
    ];
    const viewer = await addMember(harness, first, 'viewer');
    const everybodyAtEverybody = owners.flatMap((actor) =>
      owners.flatMap((target) => [setRole(actor, target, 'viewer'), remove(actor, target)]),
    );
    await Promise.allSettled(everybodyAtEverybody);
    const left = await membersOf(viewer);
    expect(left.filter(({ role }) => role === 'owner').length).toBeGreaterThanOrEqual(1);
  },
);

it.each([
  ['demote', (actor: Person, target: Person) => setRole(actor, target, 'admin')],
  ['remove', remove],
])(
  'the last owner remains when two owners %s each other at the same time: exactly one succeeds',
  async (_verb, act) => {
    for (let round = 0; round < 2; round++) {
      const first = await createTeamWithOwner(harness);
      const second = await addMember(harness, first, 'owner');
      const outcomes = await Promise.allSettled([act(first, second), act(second, first)]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const loser = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
      expect(['forbidden', 'last-owner']).toContain(loser.reason.details.code);
      const winner = outcomes[0]?.status === 'fulfilled' ? first : second;
      expect((await membersOf(winner)).filter(({ role }) => role === 'owner')).toMatchObject([
        { id: winner.id },
      ]);
    }
  },
);

it('concurrent changes of one team are all kept once acknowledged', async () => {
  const owner = await createTeamWithOwner(harness);
  const created = await Promise.all(Array.from({ length: 8 }, () => inviteTo(owner)));
  const joined = await Promise.all(created.slice(0, 4).map(({ token }) => accept(token)));
  const listed = await harness.call(owner.actor, contract.listInvitations, {});
  expect(listed.data.map(({ id }) => id).sort()).toEqual(
    created
      .slice(4)
      .map(({ id }) => id)
      .sort(),
  );
  const ids = (await membersOf(owner)).map(({ id }) => id);
  expect(ids.sort()).toEqual([owner.id, ...joined.map(({ id }) => id)].sort());
});

it('a removed member disappears from the list, cannot sign in, and can be invited again with the same email', async () => {
  const owner = await createTeamWithOwner(harness);
  const member = await signedIn(harness, await addMember(harness, owner, 'admin'));
  await remove(owner, member);
  expect(await membersOf(owner)).toMatchObject([{ id: owner.id }]);
  expect(await rejection(signIn(harness, member))).toMatchObject({ code: 'sign-in-failed' });
  expect(await rejection(remove(owner, member))).toMatchObject({ code: 'not-found' });

  const { token } = await inviteTo(owner, member.email, 'viewer');
  const again = await accept(token, { password: 'another long password' });
  expect(again).toMatchObject({ email: member.email, role: 'viewer' });
  expect(again.id).not.toBe(member.id);
  expect(await rejection(signIn(harness, member))).toMatchObject({ code: 'sign-in-failed' });
});

it('a removed member may join another team with the same email', async () => {
  const [owner, other] = [await createTeamWithOwner(harness), await createTeamWithOwner(harness)];
  const member = await addMember(harness, owner, 'admin');
  await remove(owner, member);
  expect(await accept((await inviteTo(other, member.email)).token)).toMatchObject({ role: 'developer' });
});

it('an invitation shows team, email, and role to the holder of the link, and creates a member with exactly that email', async () => {
  const owner = await createTeamWithOwner(harness);
  const email = newEmail();
  const { token, expires_at } = await inviteTo(owner, ` ${email.toUpperCase()}`, 'admin');
  expect(await harness.callAnonymously(contract.getInvitation, { token })).toEqual({
    team_name: 'Shop',
    email,
    role: 'admin',
    expires_at,
  });
  const member = await accept(token, { name: ' Ada ' });
  expect(member).toMatchObject({ email, role: 'admin', name: 'Ada' });
  await signIn(harness, { email, password: PASSWORD });
  expect((await harness.call(owner.actor, contract.listInvitations, {})).data).toEqual([]);
});

it('an invitation is accepted once by many concurrent requests, with the name and password of the accepted one', async () => {
  const owner = await createTeamWithOwner(harness);
  const { token, email } = await inviteTo(owner);
  const passwords = Array.from({ length: 8 }, (_, index) => `long password number ${index}`);
  const outcomes = await Promise.allSettled(passwords.map((password) => accept(token, { password })));
  const won = passwords.filter((_, index) => outcomes[index]?.status === 'fulfilled');
  expect(won).toHaveLength(1);
  expect(await membersOf(owner)).toHaveLength(2);
  await signIn(harness, { email, password: won[0] as string });
  expect(await rejection(accept(token))).toMatchObject({ code: 'not-found' });
});

it('an invitation expires after seven days', async () => {
  const owner = await createTeamWithOwner(harness);
  const [inTime, late] = [await inviteTo(owner), await inviteTo(owner)];
  harness.clock.advance(7 * DAY_MS - 1);
  await accept(inTime.token);
  harness.clock.advance(1);
  expect(await rejection(accept(late.token))).toMatchObject({ code: 'not-found' });
  const shown = harness.callAnonymously(contract.getInvitation, { token: late.token });
  expect(await rejection(shown)).toMatchObject({ code: 'not-found' });
  expect((await harness.call(owner.actor, contract.listInvitations, {})).data).toEqual([]);
});

it('an invitation can be shown again until it is accepted', async () => {
  const owner = await createTeamWithOwner(harness);
  const { id, token, email, expires_at } = await inviteTo(owner);
  const show = () => harness.call(owner.actor, contract.revealInvitationLink, { invitation_id: id });
  expect(await show()).toEqual({ email, token, expires_at });
  await accept(token);
  expect(await rejection(show())).toMatchObject({ code: 'not-found' });
});

it('an invitation is stored only encrypted and as a digest', async () => {
  const owner = await createTeamWithOwner(harness);
  const { token } = await inviteTo(owner);
  const stored = await service.connection.collection<{ _id: string }>('teams').findOne({
    _id: owner.actor.team_id,
  });
  expect(JSON.stringify(stored)).not.toContain(token);
});

it('an invitation stops working when it is revoked or replaced', async () => {
  const owner = await createTeamWithOwner(harness);
  const [revoked, replaced] = [await inviteTo(owner), await inviteTo(owner)];
  await harness.call(owner.actor, contract.revokeInvitation, { invitation_id: revoked.id });
  const replacement = await inviteTo(owner, replaced.email, 'viewer');
  for (const { token } of [revoked, replaced]) {
    expect(await rejection(accept(token))).toMatchObject({ code: 'not-found' });
  }
  expect(await accept(replacement.token)).toMatchObject({ role: 'viewer' });
  const again = harness.call(owner.actor, contract.revokeInvitation, { invitation_id: revoked.id });
  expect(await rejection(again)).toMatchObject({ code: 'not-found' });
});

it('a team is renamed only by a member who read its newest version, when the request names a version', async () => {
  const owner = await createTeamWithOwner(harness);
  const { version } = await harness.call(owner.actor, contract.getTeam, { team_id: owner.actor.team_id });
  const rename = (name: string, ifVersion?: number) =>
    harness.call(owner.actor, contract.renameTeam, {
      team_id: owner.actor.team_id,
      name,
      ...(ifVersion !== undefined && { if_version: ifVersion }),
    });
  expect(await rename('One', version)).toMatchObject({ name: 'One', version: version + 1 });
  expect(await rejection(rename('Two', version))).toMatchObject({ code: 'precondition-failed' });
  expect(await rename('Three')).toMatchObject({ name: 'Three' });
  expect(await rejection(rename('   '))).toMatchObject({ errors: [{ pointer: '/name' }] });
});

it('a profile can be changed only by its member', async () => {
  const owner = await createTeamWithOwner(harness);
  const member = await addMember(harness, owner, 'viewer');
  const me = await harness.call(member.actor, contract.updateProfile, { name: ' Grace ' });
  expect(me).toMatchObject({ id: member.id, name: 'Grace', role: 'viewer', is_installation_admin: false });
  expect(await membersOf(owner)).toMatchObject([{ id: owner.id }, { id: member.id, name: 'Grace' }]);
});
