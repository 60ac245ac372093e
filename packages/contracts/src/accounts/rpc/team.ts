import Type from 'typebox';
import { AuditEntry } from '../../audit/audit.ts';
import { OptionalText, Page } from '../../platform/page.ts';
import { PlainText } from '../../platform/plain-text.ts';
import { contractsOf } from '../../platform/rpc-contract.ts';
import { Id, IfVersion, Nullable, Time } from '../../platform/schema.ts';
import { CreatedInvitation, Invitation, Member, RoleSchema, Team } from '../account.ts';
import { GRACE_PERIODS_DAYS } from '../grace-periods.ts';
import { RoleMappingRequest, SINGLE_SIGN_ON_LIMITS, SingleSignOn } from '../single-sign-on.ts';
import { TEAM_CHAT_LIMITS, TeamChat } from '../team-chat.ts';
import { Email, Name, NewPassword, NoticeTopics, Origin, Token } from './fields.ts';

const rpc = contractsOf('accounts');

// The lists of this service are bounded: each is one page.

const MemberRef = { member_id: Id('member') };
const InvitationRef = { invitation_id: Id('invitation') };

export const getTeam = rpc('get_team', 'member-or-token', { request: { team_id: Id('team') }, reply: Team });

export const renameTeam = rpc('rename_team', 'member-or-token', {
  request: { team_id: Id('team'), name: Name, ...IfVersion },
  reply: Team,
});

/** A replay returns no invitation if it is no longer open. */
export const createTeam = rpc('create_team', 'member', {
  idempotent: true,
  request: { name: Name, owner_email: Email },
  reply: Type.Object({ team: Team, invitation: Nullable(CreatedInvitation) }),
});

/** The caller must have a second factor. Tokens must not change how members sign in. */
export const setSecondFactorPolicy = rpc('set_second_factor_policy', 'member', {
  request: {
    team_id: Id('team'),
    grace_period_days: Nullable(
      Type.Enum(GRACE_PERIODS_DAYS),
      'Days from now until members need a second factor. Null: they need none',
    ),
    ...IfVersion,
  },
  reply: Team,
});

export const listMembers = rpc('list_members', 'member-or-token', { reply: Page(Member) });

export const changeRole = rpc('change_role', 'member', {
  request: { ...MemberRef, role: RoleSchema },
  reply: Member,
});

export const removeMember = rpc('remove_member', 'member', { request: MemberRef });

export const endMemberSessions = rpc('end_member_sessions', 'member', { request: MemberRef });

export const getInvitation = rpc('get_invitation', 'service', {
  request: { token: Token },
  reply: Type.Object({ team_name: Type.String(), email: Type.String(), role: RoleSchema, expires_at: Time }),
});

/** Takes no idempotency key: an invitation can be accepted once. */
export const acceptInvitation = rpc('accept_invitation', 'service', {
  request: { token: Token, name: Name, password: NewPassword, ...Origin },
  reply: Member,
});

/** Replaces an open invitation of the same email in the team, whose link stops working. */
export const createInvitation = rpc('create_invitation', 'member', {
  idempotent: true,
  request: { email: Email, role: RoleSchema },
  reply: CreatedInvitation,
});

export const listInvitations = rpc('list_invitations', 'member-or-token', { reply: Page(Invitation) });

export const revealInvitationLink = rpc('reveal_invitation_link', 'member', {
  request: InvitationRef,
  reply: Type.Object({ email: Type.String(), token: Type.String(), expires_at: Time }),
});

/** Errors: `conflict` while no mail server is configured. */
export const resendInvitation = rpc('resend_invitation', 'member', { request: InvitationRef });

export const revokeInvitation = rpc('revoke_invitation', 'member', { request: InvitationRef });

// Only members call these methods, because the URL is a secret between people.

export const getTeamChat = rpc('get_team_chat', 'member', { reply: TeamChat });

/** Sets what is given. A new URL replaces the earlier one. */
export const setTeamChat = rpc('set_team_chat', 'member', {
  request: {
    url: OptionalText(
      TEAM_CHAT_LIMITS.url,
      'URL of an incoming webhook of Slack or a compatible chat. It is never returned.',
    ),
    topics: Type.Optional(NoticeTopics),
  },
  minProperties: 1,
  reply: TeamChat,
});

export const removeTeamChat = rpc('remove_team_chat', 'member');

export const testTeamChat = rpc('test_team_chat', 'member', {
  reply: Type.Object({
    is_delivered: Type.Boolean(),
    reason: Nullable(Type.String(), 'Why the message was not delivered'),
  }),
});

// Only members call these methods: they decide who may act for the team.

const DomainRef = { domain: Type.String({ minLength: 1, maxLength: SINGLE_SIGN_ON_LIMITS.domain }) };

export const getSingleSignOn = rpc('single_sign_on', 'member', { reply: SingleSignOn });

/** Errors: `conflict` when single sign-on is required before a member signed in with this provider. */
export const setSingleSignOn = rpc('set_single_sign_on', 'member', {
  request: {
    ...IfVersion,
    issuer: Type.String({ minLength: 1, maxLength: SINGLE_SIGN_ON_LIMITS.issuer }),
    client_id: PlainText({ minLength: 1, maxLength: SINGLE_SIGN_ON_LIMITS.clientId }),
    client_secret: OptionalText(
      SINGLE_SIGN_ON_LIMITS.clientSecret,
      'Absent: the stored secret stays. Required with another issuer or client ID.',
    ),
    ...RoleMappingRequest,
    is_required: Type.Boolean(),
  },
  reply: SingleSignOn,
});

/** Removes the provider, the domains, and the role mapping. Members keep their accounts. */
export const removeSingleSignOn = rpc('remove_single_sign_on', 'member', { request: IfVersion });

/** Adding a domain again changes nothing. */
export const addSingleSignOnDomain = rpc('add_single_sign_on_domain', 'member', {
  request: DomainRef,
  reply: SingleSignOn,
});

/** Errors: `conflict` while the proof is missing, or when another team has verified the domain. */
export const verifySingleSignOnDomain = rpc('verify_single_sign_on_domain', 'member', {
  request: DomainRef,
  reply: SingleSignOn,
});

export const removeSingleSignOnDomain = rpc('remove_single_sign_on_domain', 'member', { request: DomainRef });

/**
 * Notifies the team that a verification of its audit log failed. Only the audit service calls it, which publishes no entries. A
 * repeated call with the same entry changes nothing.
 */
export const notifyOfTampering = rpc('notify_of_tampering', 'service', { request: { entry: AuditEntry } });
