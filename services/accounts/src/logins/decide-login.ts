import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { API_TOKEN_LIMITS, type ApiTokenRole } from '@tollgate/contracts/accounts/api-token';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { requireRecentAuthenticationForEnvironments } from '../access/recent-authentication.ts';
import { created, memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import { limitedEnvironments } from '../tokens/limited-environments.ts';
import type { DeviceAuthorization, LoginDecision } from './device-authorization.ts';
import { alreadyDecided, findDeniable, findUndecided } from './find-device-authorization.ts';
import { findPendingApprovals } from './list-approvals.ts';

/**
 * Approves a login: the next poll of the program creates an API token that acts for the member. Throws `forbidden` for a
 * role above the member's own, `reauthentication-required`, `not-found`, `conflict`, `too-many-attempts`.
 */
export async function approveLogin(
  context: Context,
  actor: MemberActor,
  request: { userCode: string; role: ApiTokenRole; environments: Environment[] | null },
): Promise<void> {
  const { team, member } = await findActingMember(context, actor);
  const { role } = request;
  requireRole(team, actor, role, `approve a login with the ${role} role`);
  requireRecentAuthenticationForEnvironments(actor, request.environments, {
    clock: context.clock,
    action: 'approve a login for live',
  });
  const login = await findUndecided(context, actor, request.userCode);
  await requireRoomForLogin(context, member);
  const environments = limitedEnvironments(request.environments);
  await decide(context, actor, member, login, {
    action: 'login.approved',
    changes: {
      client_name: created(login.clientName),
      role: created(role),
      environments: created(environments),
    },
    decision: {
      status: 'approved',
      teamId: team._id,
      memberId: member._id,
      sessionId: actor.session_id,
      sessionEpoch: member.session_epoch,
      role,
      environments,
      tokenId: newId('apiToken'),
      exchangedAt: null,
    },
  });
}

/** Denies a login, or withdraws the member's own approval until the program has its token. Throws `forbidden`, `not-found`, `conflict`, `too-many-attempts`. */
export async function denyLogin(context: Context, actor: MemberActor, userCode: string): Promise<void> {
  const { team, member } = await findActingMember(context, actor);
  const login = await findDeniable(context, actor, userCode);
  await decide(context, actor, member, login, {
    action: 'login.denied',
    changes: { client_name: created(login.clientName) },
    decision: { status: 'denied', teamId: team._id, memberId: member._id },
  });
}

async function decide(
  context: Context,
  actor: MemberActor,
  member: Member,
  login: DeviceAuthorization,
  {
    action,
    changes,
    decision,
  }: {
    action: 'login.approved' | 'login.denied';
    changes: AuditEntry['changes'];
    decision: LoginDecision;
  },
): Promise<void> {
  const now = new Date(context.clock.now());
  const entry = memberAuditEntry(action, actorAuthor(actor), member, now, changes);
  const audit = signAuditEntry(context.signer, entry);
  if (!(await context.deviceAuthorizations.saveDecision(login, decision, audit))) throw alreadyDecided();
  context.audit.enqueue([auditMessage(member._id, audit)]);
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
