import { ACCOUNT_LIMITS } from '@tollgate/contracts/platform/account-limits';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import { expect, it } from 'vitest';
import {
  type Membership,
  newInvitation,
  newTeam,
  openInvitations,
  renamed,
  roleIn,
  withAcceptedInvitation,
  withInvitation,
  withoutInvitation,
  withoutMember,
  withRole,
} from './team.ts';

const now = new Date('2026-01-01T00:00:00Z');
const later = new Date('2026-01-02T00:00:00Z');
const [ada, bob, cleo] = [newId('member'), newId('member'), newId('member')];

function teamOf(...members: Membership[]) {
  return newTeam({ name: 'Shop', members, invitations: [] }, now);
}

function invitationOf(email: string, at = now) {
  return newInvitation(
    {
      id: newId('invitation'),
      email,
      role: 'developer',
      token_digest: newId('audit'),
      encrypted_token: '1.text',
      invited_by: ada,
    },
    at,
  );
}

const owner = { member_id: ada, role: 'owner' as const };
const secondOwner = { member_id: bob, role: 'owner' as const };
const viewer = { member_id: cleo, role: 'viewer' as const };
const lastOwner = expect.objectContaining({ details: expect.objectContaining({ code: 'last-owner' }) });
const conflict = expect.objectContaining({ details: expect.objectContaining({ code: 'conflict' }) });

it('the last owner of a team cannot be removed or demoted', () => {
  const team = teamOf(owner, viewer);
  expect(() => withoutMember(team, ada, later)).toThrow(lastOwner);
  for (const role of ['admin', 'developer', 'viewer'] as const) {
    expect(() => withRole(team, ada, role, later)).toThrow(lastOwner);
  }
});

it('the last owner of a team can be, once another member is an owner', () => {
  const team = withRole(teamOf(owner, viewer), cleo, 'owner', later);
  expect(roleIn(withRole(team, ada, 'viewer', later), ada)).toBe('viewer');
  expect(roleIn(withoutMember(teamOf(owner, secondOwner), ada, later), ada)).toBeNull();
});

it('the last owner of a team does not prevent the removal or demotion of others', () => {
  expect(withoutMember(teamOf(owner, viewer), cleo, later).members).toEqual([owner]);
});

it('a team raises its version by one with every change', () => {
  const invitation = invitationOf('d@example.com');
  const team = withInvitation(teamOf(owner, viewer), invitation, now);
  for (const changed of [
    renamed(team, 'Other', later),
    withRole(team, cleo, 'admin', later),
    withoutMember(team, cleo, later),
    withoutInvitation(team, invitation.id, later),
    withAcceptedInvitation(team, invitation, later),
  ]) {
    expect(changed).toMatchObject({ version: team.version + 1, updated_at: later });
  }
});

it('a team is unchanged by a change to its current values', () => {
  const team = teamOf(owner);
  expect(renamed(team, 'Shop', later)).toBe(team);
  expect(withRole(team, ada, 'owner', later)).toBe(team);
});

it('a team has a maximum number of members', () => {
  const many = Array.from({ length: ACCOUNT_LIMITS.membersPerTeam - 1 }, () => ({
    member_id: newId('member'),
    role: 'viewer' as const,
  }));
  const almostFull = teamOf(owner, ...many.slice(0, -1));
  const full = withAcceptedInvitation(almostFull, invitationOf('d@example.com'), later);
  expect(() => withAcceptedInvitation(full, invitationOf('e@example.com'), later)).toThrow(conflict);
});

it('an invitation is consumed in the same change that adds the member', () => {
  const invitation = invitationOf('d@example.com');
  const team = withAcceptedInvitation(withInvitation(teamOf(owner), invitation, now), invitation, later);
  expect(roleIn(team, invitation.member_id)).toBe('developer');
  expect(team.invitations).toEqual([]);
});

it('an invitation is open for seven days', () => {
  const team = withInvitation(teamOf(owner), invitationOf('d@example.com'), now);
  expect(openInvitations(team, new Date(now.getTime() + 7 * DAY_MS - 1))).toHaveLength(1);
  expect(openInvitations(team, new Date(now.getTime() + 7 * DAY_MS))).toEqual([]);
});

it('an invitation replaces an earlier one for the same email, and keeps the id reserved for the account', () => {
  const [first, second] = [invitationOf('d@example.com'), invitationOf('d@example.com')];
  const team = withInvitation(withInvitation(teamOf(owner), first, now), second, later);
  expect(team.invitations).toEqual([{ ...second, member_id: first.member_id }]);
});

it('an invitation counts towards a maximum of open ones until it expires', () => {
  let team = teamOf(owner);
  for (let count = 0; count < ACCOUNT_LIMITS.invitationsPerTeam; count++) {
    team = withInvitation(team, invitationOf(`person-${count}@example.com`), now);
  }
  expect(() => withInvitation(team, invitationOf('x@example.com'), later)).toThrow(conflict);
  const afterAWeek = new Date(now.getTime() + 7 * DAY_MS);
  expect(
    withInvitation(team, invitationOf('x@example.com', afterAWeek), afterAWeek).invitations,
  ).toHaveLength(1);
});
