import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { findActingMember } from '../../access/acting-member.ts';
import { requireRole } from '../../access/permissions.ts';
import { teamAuditEntry } from '../../audit-entry.ts';
import type { Context } from '../../context.ts';
import type { Team } from '../../teams/team.ts';
import type { SsoSettings } from './sso-settings.ts';

export interface SsoSettingsChange {
  /** The same object when nothing changes; then nothing is stored or audited. */
  after: SsoSettings;
  action: AuditAction;
  changes: AuditEntry['changes'];
}

/** The team of the actor, who must be an owner. Throws `forbidden`. */
export async function findOwnedTeam(context: Context, actor: MemberActor): Promise<Team> {
  const { team } = await findActingMember(context, actor);
  requireOwner(team, actor);
  return team;
}

/** Throws `forbidden`. */
export function requireOwner(team: Team, actor: MemberActor): void {
  requireRole(team, actor, 'owner', 'manage single sign-on');
}

/**
 * Applies a change of an owner to the settings. Throws `forbidden`, `reauthentication-required`, `precondition-failed`,
 * `conflict`, and whatever `decide` throws.
 */
export async function changeSsoSettings(
  context: Context,
  actor: MemberActor,
  { ifVersion }: { ifVersion?: number | undefined },
  decide: (before: SsoSettings, now: Date) => SsoSettingsChange | Promise<SsoSettingsChange>,
): Promise<SsoSettings> {
  const team = await findOwnedTeam(context, actor);
  requireRecentAuthentication(actor, context.clock.now(), 'change who can sign in to the team');
  const before = await context.ssoSettings.find(team.id);
  if (ifVersion !== undefined && ifVersion !== before.version) throw changedMeanwhile(ifVersion);
  const now = new Date(context.clock.now());
  const { after, action, changes } = await decide(before, now);
  if (after === before) return before;
  const audited = { ...team, updatedAt: now };
  const audit = signAuditEntry(context.signer, teamAuditEntry(action, actorAuthor(actor), audited, changes));
  const outcome = await context.ssoSettings.replace(before, after, [audit]);
  if (outcome === 'changed') throw changedMeanwhile(ifVersion);
  if (outcome === 'domain-taken') throw domainTaken();
  context.audit.enqueue([auditMessage(team.id, audit)]);
  return after;
}

export function domainTaken(): Problem {
  return new Problem(
    'conflict',
    'Another team of this installation has verified this domain. Ask the operator which team may use it.',
  );
}

function changedMeanwhile(ifVersion: number | undefined): Problem {
  return new Problem(
    ifVersion === undefined ? 'conflict' : 'precondition-failed',
    'The single sign-on settings were changed by another request. Read them again, then repeat the change.',
  );
}
