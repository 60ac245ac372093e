import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { networkOf } from '@tollgate/security/client-network';
import { created, teamAuditEntry } from '../../audit-entry.ts';
import type { Context } from '../../context.ts';
import { type Origin, unprovenAuthor } from '../../origin.ts';
import { SsoFailed } from '../sso-failed.ts';

/**
 * Records a rejected sign-in in the audit log of the team: the reason as a code, and nothing that the provider or the caller wrote. A
 * response that belongs to no authorization is not recorded, because anyone can send it. Of each network, the log has the first failures
 * in a team, and then fewer and fewer: a flood from one network neither fills it nor keeps failures of others out of it.
 */
export async function recordSsoFailure(
  context: Context,
  { team_id, ...origin }: Origin & { team_id: string },
  problem: Problem,
): Promise<void> {
  const reason = problem instanceof SsoFailed ? problem.reason : problem.details.code;
  if (reason === 'authorization_unknown') return;
  if (!(await isWithinLimit(context, team_id, origin.address))) return;
  const team = await context.teams.find(team_id);
  if (!team) return;
  const now = new Date(context.clock.now());
  const changes = { reason: created(reason) };
  const entry = teamAuditEntry('team.sso_sign_in_failed', unprovenAuthor(origin), team, changes, now);
  await context.failedSignIns.insert([signAuditEntry(context.signer, entry)], now);
}

async function isWithinLimit(
  { throttle }: Context,
  teamId: string,
  address: string | null,
): Promise<boolean> {
  const name = `${teamId} ${networkOf(address)}`;
  try {
    await throttle.begin({ kind: 'sso-failure', name });
    return true;
  } catch (error) {
    if (error instanceof Problem && error.details.code === 'too-many-attempts') return false;
    throw error;
  }
}
