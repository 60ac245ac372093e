import { INVITATION_LIFETIME_MS } from '@tollgate/contracts/accounts/invitation-lifetime';
import { ACCOUNT_LIMITS } from '@tollgate/contracts/platform/account-limits';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Role } from '@tollgate/contracts/platform/roles';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import {
  AUDITED_FIELDS,
  listOf,
  nullableDate,
  nullableShape,
  RECORD_OPTIONS,
} from '@tollgate/store/schema/fields';
import { type InferRawDocType, Schema } from 'mongoose';
import type { ChatWebhook } from '../chat/chat-webhook.ts';

/** A member's place and role in the team. The only record of membership. */
export interface Membership {
  member_id: string;
  role: Role;
}

/** An open invitation. It leaves the team when it is accepted, revoked, or replaced. */
export interface Invitation {
  id: string;
  /** The id reserved for the account: an acceptance that a crash interrupted continues with the same id. */
  member_id: string;
  email: string;
  role: Role;
  token_digest: string;
  /** The encrypted token, to show the link again. */
  encrypted_token: string;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
}

const definition = {
  _id: { type: String, required: true },
  name: { type: String, required: true },
  members: listOf<Membership>(),
  invitations: listOf<Invitation>(),
  /** Where notices are posted; null for nowhere. */
  chat: nullableShape<ChatWebhook>(),
  /** From then on, members without a second factor can only set one up. Null while the team requires none. */
  second_factor_required_from: nullableDate(),
  /** Removed members whose accounts are not emptied yet. */
  leaving: { type: [String], required: true },
  ...AUDITED_FIELDS,
} as const;

/**
 * The tenant. It holds its members' roles, so that one conditional write of one document decides every rule about them.
 * It changes only through the functions below; each change raises `version` by one.
 */
export type Team = InferRawDocType<typeof definition>;

export const teamSchema = new Schema(definition, { ...RECORD_OPTIONS, collection: 'teams' });

/** Matches teams with unfinished removals; the same condition makes the index partial. */
export const HAS_LEAVING = { leaving: { $gt: '' } } as const;

export const TEAM_INDEXES: readonly IndexDeclaration[] = [
  { key: { 'invitations.token_digest': 1 }, purpose: 'Finds an invitation by its link' },
  {
    key: { leaving: 1 },
    partialFilterExpression: HAS_LEAVING,
    purpose: 'Completes interrupted removals of members',
  },
  OUTBOX_INDEX,
];

/** `_id` is a reserved id; a new one by default. */
export function newTeam(
  fields: Pick<Team, 'name' | 'members' | 'invitations'> & { _id?: string },
  now: Date,
): Team {
  return {
    _id: newId('team'),
    ...fields,
    chat: null,
    second_factor_required_from: null,
    leaving: [],
    version: 1,
    created_at: now,
    updated_at: now,
    outbox: [],
  };
}

export function newInvitation(
  fields: Omit<Invitation, 'member_id' | 'created_at' | 'expires_at'>,
  now: Date,
): Invitation {
  return {
    ...fields,
    member_id: newId('member'),
    created_at: now,
    expires_at: new Date(now.getTime() + INVITATION_LIFETIME_MS),
  };
}

export function roleIn(team: Team, memberId: string): Role | null {
  return team.members.find(({ member_id }) => member_id === memberId)?.role ?? null;
}

export function openInvitations(team: Team, now: Date): Invitation[] {
  return team.invitations.filter(({ expires_at }) => expires_at > now);
}

export function renamed(team: Team, name: string, now: Date): Team {
  return team.name === name ? team : changedTeam(team, { name }, now);
}

/** Adds the invitation and drops an earlier one for the same email, and expired ones. Throws `conflict` when full. */
export function withInvitation(team: Team, invitation: Invitation, now: Date): Team {
  const replaced = team.invitations.find(({ email }) => email === invitation.email);
  const others = openInvitations(team, now).filter((other) => other !== replaced);
  requireRoom(others.length, ACCOUNT_LIMITS.invitationsPerTeam, 'open invitations');
  const member_id = replaced?.member_id ?? invitation.member_id;
  return changedTeam(team, { invitations: [...others, { ...invitation, member_id }] }, now);
}

export function withoutInvitation(team: Team, invitationId: string, now: Date): Team {
  return changedTeam(team, { invitations: withoutId(team.invitations, invitationId) }, now);
}

/** Adds the invited member and removes the invitation in one change. Throws `conflict` when the team is full. */
export function withAcceptedInvitation(team: Team, { id, member_id, role }: Invitation, now: Date): Team {
  return withMember(team, { member_id, role }, id, now);
}

/** Adds a member, and removes the invitation that it replaces, if any. Throws `conflict` when the team is full. */
export function withMember(team: Team, membership: Membership, invitationId: string | null, now: Date): Team {
  requireRoom(team.members.length, ACCOUNT_LIMITS.membersPerTeam, 'members');
  const members = [...team.members, membership];
  const invitations = invitationId === null ? team.invitations : withoutId(team.invitations, invitationId);
  return changedTeam(team, { members, invitations }, now);
}

/** Throws `last-owner`. */
export function withRole(team: Team, memberId: string, role: Role, now: Date): Team {
  if (roleIn(team, memberId) === role) return team;
  const members = team.members.map((membership) =>
    membership.member_id === memberId ? { ...membership, role } : membership,
  );
  requireOwner(members);
  return changedTeam(team, { members }, now);
}

/** The account of the member must be emptied. Throws `last-owner`. */
export function withoutMember(team: Team, memberId: string, now: Date): Team {
  const members = team.members.filter(({ member_id }) => member_id !== memberId);
  requireOwner(members);
  return changedTeam(team, { members, leaving: [...team.leaving, memberId] }, now);
}

/** Without a change of a field, the audit entry of an event is stored like that of a change. */
export function changedTeam(team: Team, change: Partial<Team>, now: Date): Team {
  return { ...team, ...change, version: team.version + 1, updated_at: now };
}

function withoutId(invitations: Invitation[], id: string): Invitation[] {
  return invitations.filter((invitation) => invitation.id !== id);
}

function requireOwner(members: Membership[]): void {
  if (members.some(({ role }) => role === 'owner')) return;
  throw new Problem('last-owner', 'This is the last owner of the team. Make another member an owner first.');
}

function requireRoom(count: number, max: number, what: string): void {
  if (count < max) return;
  throw new Problem('conflict', `The team has reached its limit of ${max} ${what}. Remove one first.`);
}
