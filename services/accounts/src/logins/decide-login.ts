import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { API_TOKEN_LIMITS } from '@tollgate/contracts/accounts/api-token';
import type { approveDeviceAuthorization, denyDeviceAuthorization } from '@tollgate/contracts/accounts/rpc';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { recordAudited } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { requireRecentAuthenticationForEnvironments } from '../access/recent-authentication.ts';
import { created, memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import { limitedEnvironments } from '../tokens/api-token.ts';
import { findPendingApprovals } from './approvals.ts';
import type { DeviceAuthorization, LoginDecision } from './device-authorization.ts';
import { asDecided } from './device-authorization-store.ts';
import { alreadyDecided, findDeniable, findUndecided } from './find-device-authorization.ts';

/**
 * Approves a login: the next poll of the program creates an API token that acts for the member. Throws `forbidden` for a
 * role above the member's own, `reauthentication-required`, `not-found`, `conflict`, `too-many-attempts`.
 */
export async function approveLogin(
  context: Context,
  actor: MemberActor,
  { user_code, role, environments: requested = null }: Static<typeof approveDeviceAuthorization.request>,
): Promise<void> {
  const { team, member } = await findActingMember(context, actor);
  requireRole(team, actor, role, `approve a login with the ${role} role`);
  requireRecentAuthenticationForEnvironments(actor, requested, {
    clock: context.clock,
    action: 'approve a login for live',
  });
  const login = await findUndecided(context, actor, user_code);
  await requireRoomForLogin(context, member);
  const environments = limitedEnvironments(requested);
  const decision: LoginDecision = {
    status: 'approved',
    team_id: team._id,
    member_id: member._id,
    session_id: actor.session_id,
    session_epoch: member.session_epoch,
    role,
    environments,
    token_id: newId('apiToken'),
    exchanged_at: null,
  };
  const changes = { role: created(role), environments: created(environments) };
  await decide(context, actor, member, login, decision, changes);
}

/** Denies a login, or withdraws the member's own approval until the program has its token. Throws `forbidden`, `not-found`, `conflict`, `too-many-attempts`. */
export async function denyLogin(
  context: Context,
  actor: MemberActor,
  { user_code }: Static<typeof denyDeviceAuthorization.request>,
): Promise<void> {
  const { team, member } = await findActingMember(context, actor);
  const login = await findDeniable(context, actor, user_code);
  const decision: LoginDecision = { status: 'denied', team_id: team._id, member_id: member._id };
  await decide(context, actor, member, login, decision);
}

async function decide(
  context: Context,
  actor: MemberActor,
  member: Member,
  login: DeviceAuthorization,
  decision: LoginDecision,
  changes: AuditEntry['changes'] = {},
): Promise<void> {
  const entry = memberAuditEntry(
    `login.${decision.status}`,
    actorAuthor(actor),
    member,
    new Date(context.clock.now()),
    { client_name: created(login.client_name), ...changes },
  );
  if (!(await recordAudited(context, context.deviceAuthorizations, asDecided(login), entry, { decision })))
    throw alreadyDecided();
}

/** Counts before the approval is stored, so approvals at the same time can exceed the limit by a few. */
async function requireRoomForLogin(context: Context, member: Member): Promise<void> {
  const max = API_TOKEN_LIMITS.activeLoginTokensPerMember;
  const now = new Date(context.clock.now());
  const [active, pending] = await Promise.all([
    context.tokens.countActiveLogins(member, now),
    findPendingApprovals(context, member),
  ]);
  if (active + pending.length < max) return;
  throw new Problem('conflict', `You have ${max} active logins, the limit. Revoke one of them first.`);
}
