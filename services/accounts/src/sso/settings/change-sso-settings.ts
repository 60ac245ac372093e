import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { findActingMember } from '../../access/acting-member.ts';
import { requireRole } from '../../access/permissions.ts';
import { teamAuditEntry } from '../../audit-entry.ts';
import type { Context } from '../../context.ts';
import type { Team } from '../../teams/team.ts';
import type { SsoSettings } from './sso-settings.ts';

/** The team of the actor, who must be an owner. Throws `forbidden`. */
async function findOwnedTeam(context: Context, actor: MemberActor): Promise<Team> {
  const { team } = await findActingMember(context, actor);
  requireOwner(team, actor);
  return team;
}

/** Throws `forbidden`. */
export function requireOwner(team: Team, actor: MemberActor): void {
  requireRole(team, actor, 'owner', 'manage single sign-on');
}

/** Applies a change of an owner to the settings. Throws `forbidden`, `reauthentication-required`, `conflict`, and whatever `decide` throws. */
export async function changeSsoSettings(
  context: Context,
  actor: MemberActor,
  action: AuditAction,
  decide: (before: SsoSettings, now: Date) => SsoSettings | Promise<SsoSettings>,
  changesOf: (before: SsoSettings, after: SsoSettings) => AuditEntry['changes'],
): Promise<SsoSettings> {
  const { _id, name } = await findOwnedTeam(context, actor);
  requireRecentAuthentication(actor, context.clock.now(), 'change who can sign in to the team');
  return changeAudited(context, context.ssoSettings, { _id, team_id: _id }, decide, (before, after) =>
    teamAuditEntry(
      action,
      actorAuthor(actor),
      { _id, name, updated_at: after.updated_at },
      changesOf(before, after),
    ),
  );
}
