import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import { newId } from '@tollgate/contracts/platform/ids';
import type { Clock } from '@tollgate/runtime/clock';
import type { AuditAuthor } from '@tollgate/store/audit-author';
import { auditChanges } from '@tollgate/store/audit-changes';
import { jsonOf } from '@tollgate/store/json-of';
import type { Member } from './members/member.ts';
import type { Session } from './sessions/session.ts';
import { type Invitation, roleIn, type Team } from './teams/team.ts';
import type { ApiToken } from './tokens/api-token.ts';

type Changes = AuditEntry['changes'];

/** The entry of a change of a team. */
export const teamEntry =
  (
    action: AuditAction,
    author: AuditAuthor,
    changesOf: (before: Team, after: Team) => Changes = () => ({}),
  ) =>
  (before: Team, after: Team): AuditEntry =>
    teamAuditEntry(action, author, after, changesOf(before, after));

/** The entry of a change of an account. */
export const memberEntry =
  (
    action: AuditAction,
    author: AuditAuthor,
    changesOf: (before: Member, after: Member) => Changes = () => ({}),
  ) =>
  (before: Member, after: Member): AuditEntry =>
    memberAuditEntry(action, author, after, after.updated_at, changesOf(before, after));

/** The entry of a change of a team that changes the role of a member. */
export const roleEntry =
  (action: AuditAction, author: AuditAuthor, member: Member, more: Changes = {}) =>
  (before: Team, after: Team): AuditEntry => {
    const role = { before: roleIn(before, member._id), after: roleIn(after, member._id) };
    return memberAuditEntry(action, author, member, after.updated_at, { role, ...more });
  };

/** `at` differs from the team's last change only for what did not change the team. */
export function teamAuditEntry(
  action: AuditAction,
  author: AuditAuthor,
  team: Pick<Team, '_id' | 'name' | 'updated_at'>,
  changes: Changes,
  at: Date = team.updated_at,
): AuditEntry {
  const target = { type: 'team' as const, id: team._id, name: team.name };
  return { ...commonFields(action, author, team._id, at), target, changes };
}

/** The entry of a change of a team that is about one of its invitations. */
export const invitationEntry =
  (action: AuditAction, author: AuditAuthor, { id, email }: Invitation, changes: Changes = {}) =>
  (_before: unknown, team: Team): AuditEntry => ({
    ...commonFields(action, author, team._id, team.updated_at),
    target: { type: 'invitation', id, name: email },
    changes,
  });

export function memberAuditEntry(
  action: AuditAction,
  author: AuditAuthor,
  member: Pick<Member, '_id' | 'name' | 'team_id'>,
  at: Date,
  changes: Changes = {},
): AuditEntry {
  const target = { type: 'member' as const, id: member._id, name: member.name };
  return { ...commonFields(action, author, member.team_id, at), target, changes };
}

export function sessionAuditEntry(
  action: AuditAction,
  author: AuditAuthor,
  session: Session,
  at: Date,
  changes: Changes = {},
): AuditEntry {
  const target = { type: 'session' as const, id: session._id, name: null };
  return { ...commonFields(action, author, session.team_id, at), target, changes };
}

/** The entry of a change of a token. */
export const tokenEntry =
  (action: AuditAction, author: AuditAuthor, clock: Clock) =>
  (before: ApiToken, after: ApiToken): AuditEntry => ({
    ...commonFields(action, author, after.team_id, new Date(clock.now())),
    target: tokenTarget(after),
    changes: auditChanges(auditedToken(before), auditedToken(after)),
  });

export function tokenCreatedEntry(author: AuditAuthor, token: ApiToken): AuditEntry {
  const changes = auditChanges(null, auditedToken(token));
  const common = commonFields('token.created', author, token.team_id, token.created_at);
  return { ...common, target: tokenTarget(token), changes };
}

/** The notice that a token expires soon. */
export function expiringTokenAuditEntry(author: AuditAuthor, token: ApiToken, at: Date): AuditEntry {
  const { expires_at } = jsonOf({ expires_at: token.expires_at });
  const changes = { expires_at: { before: expires_at, after: expires_at } };
  const common = commonFields('token.expiring', author, token.team_id, at);
  return { ...common, target: tokenTarget(token), changes };
}

function tokenTarget({ _id, name }: ApiToken) {
  return { type: 'token' as const, id: _id, name };
}

/** Never the digest: readers of audit records must not get material to test guesses against. */
function auditedToken(token: ApiToken) {
  const { name, role, environments, allowed_cidrs, acts_for, expires_at, revoked_at, rotated_to } = token;
  const fields = { name, role, environments, allowed_cidrs, acts_for, expires_at, revoked_at, rotated_to };
  return jsonOf({ ...fields, leaked: token.leak });
}

/** A value that did not exist before. */
export function created(after: unknown): { before: null; after: unknown } {
  return { before: null, after };
}

function commonFields(action: AuditAction, author: AuditAuthor, teamId: string, at: Date) {
  return {
    id: newId('audit'),
    occurred_at: at.toISOString(),
    team_id: teamId,
    environment: null,
    application_id: null,
    action,
    ...author,
  };
}
