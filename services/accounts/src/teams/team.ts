import { INVITATION_LIFETIME_MS } from '@tollgate/contracts/accounts/invitation-lifetime';
import { ACCOUNT_LIMITS } from '@tollgate/contracts/platform/account-limits';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Role } from '@tollgate/contracts/platform/roles';
import type { ChatWebhook } from '../chat/chat-webhook.ts';

/** A member's place and role in the team. The only record of membership. */
export interface Membership {
  readonly memberId: string;
  readonly role: Role;
}

/** An open invitation. It leaves the team's document when it is accepted, revoked, or replaced. */
export interface Invitation {
  readonly id: string;
  /** The id reserved for the account: an acceptance that a crash interrupted continues with the same id. */
  readonly memberId: string;
  readonly email: string;
  readonly role: Role;
  readonly tokenDigest: string;
  /** The encrypted token, to show the link again. */
  readonly encryptedToken: string;
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/**
 * The tenant. It holds its members' roles, so that one conditional write of one document decides every rule about them.
 * It changes only through the functions below; each change raises `version` by one.
 */
export interface Team {
  readonly id: string;
  readonly name: string;
  readonly memberships: readonly Membership[];
  readonly invitations: readonly Invitation[];
  /** Where notices are posted; null for nowhere. */
  readonly chat: ChatWebhook | null;
  /** From then on, members without a second factor can only set one up. Null while the team requires none. */
  readonly secondFactorRequiredFrom: Date | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function newTeam(
  fields: {
    /** A reserved id; a new one by default. */
    id?: string;
    name: string;
    memberships: readonly Membership[];
    invitations: readonly Invitation[];
  },
  now: Date,
): Team {
  const id = fields.id ?? newId('team');
  return {
    ...fields,
    id,
    chat: null,
    secondFactorRequiredFrom: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

export function newInvitation(
  fields: {
    id: string;
    email: string;
    role: Role;
    tokenDigest: string;
    encryptedToken: string;
    invitedBy: string;
  },
  now: Date,
): Invitation {
  return {
    ...fields,
    memberId: newId('member'),
    createdAt: now,
    expiresAt: new Date(now.getTime() + INVITATION_LIFETIME_MS),
  };
}

export function roleIn(team: Team, memberId: string): Role | null {
  return team.memberships.find((membership) => membership.memberId === memberId)?.role ?? null;
}

export function openInvitations(team: Team, now: Date): Invitation[] {
  return team.invitations.filter(({ expiresAt }) => expiresAt > now);
}

export function renamed(team: Team, name: string, now: Date): Team {
  return team.name === name ? team : changed(team, { name }, now);
}

export function withSecondFactorRequiredFrom(team: Team, from: Date | null, now: Date): Team {
  if (team.secondFactorRequiredFrom?.getTime() === from?.getTime()) return team;
  return changed(team, { secondFactorRequiredFrom: from }, now);
}

/** Adds the invitation and drops an earlier one for the same email, and expired ones. Throws `conflict` when full. */
export function withInvitation(team: Team, invitation: Invitation, now: Date): Team {
  const replaced = team.invitations.find(({ email }) => email === invitation.email);
  const others = openInvitations(team, now).filter((other) => other !== replaced);
  requireRoom(others.length, ACCOUNT_LIMITS.invitationsPerTeam, 'open invitations');
  const memberId = replaced?.memberId ?? invitation.memberId;
  return changed(team, { invitations: [...others, { ...invitation, memberId }] }, now);
}

/** Changes nothing else, so that the audit entry of an event without a change is stored like that of a change. */
export function withRaisedVersion(team: Team, now: Date): Team {
  return changed(team, {}, now);
}

export function withChat(team: Team, chat: ChatWebhook | null, now: Date): Team {
  return changed(team, { chat }, now);
}

export function withoutInvitation(team: Team, invitationId: string, now: Date): Team {
  return changed(team, { invitations: withoutId(team.invitations, invitationId) }, now);
}

/** Adds the invited member and removes the invitation in one change. Throws `conflict` when the team is full. */
export function withAcceptedInvitation(team: Team, { id, memberId, role }: Invitation, now: Date): Team {
  return withMember(team, { memberId, role }, id, now);
}

/** Adds a member, and removes the invitation that it replaces, if any. Throws `conflict` when the team is full. */
export function withMember(team: Team, membership: Membership, invitationId: string | null, now: Date): Team {
  requireRoom(team.memberships.length, ACCOUNT_LIMITS.membersPerTeam, 'members');
  const memberships = [...team.memberships, membership];
  const invitations = invitationId === null ? team.invitations : withoutId(team.invitations, invitationId);
  return changed(team, { memberships, invitations }, now);
}

/** Throws `last-owner`. */
export function withRole(team: Team, memberId: string, role: Role, now: Date): Team {
  if (roleIn(team, memberId) === role) return team;
  const memberships = team.memberships.map((membership) =>
    membership.memberId === memberId ? { memberId, role } : membership,
  );
  requireOwner(memberships);
  return changed(team, { memberships }, now);
}

/** Throws `last-owner`. */
export function withoutMember(team: Team, memberId: string, now: Date): Team {
  const memberships = team.memberships.filter((membership) => membership.memberId !== memberId);
  requireOwner(memberships);
  return changed(team, { memberships }, now);
}

function changed(team: Team, change: Partial<Team>, now: Date): Team {
  return { ...team, ...change, version: team.version + 1, updatedAt: now };
}

function withoutId(invitations: readonly Invitation[], id: string): Invitation[] {
  return invitations.filter((invitation) => invitation.id !== id);
}

function requireOwner(memberships: readonly Membership[]): void {
  if (memberships.some(({ role }) => role === 'owner')) return;
  throw new Problem('last-owner', 'This is the last owner of the team. Make another member an owner first.');
}

function requireRoom(count: number, max: number, what: string): void {
  if (count < max) return;
  throw new Problem('conflict', `The team has reached its limit of ${max} ${what}. Remove one first.`);
}
