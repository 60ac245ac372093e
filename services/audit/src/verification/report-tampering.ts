import { hash } from 'node:crypto';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { siblingId } from '@tollgate/contracts/platform/id-time';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import type { Appender } from '../append/appender.ts';
import type { Context } from '../context.ts';
import type { StoredVerification } from './verification-store.ts';

/** An older result is no news. */
const MAX_AGE_MS = DAY_MS;

/** Has the members of the team notified. */
type Notify = (entry: AuditEntry) => Promise<unknown>;

/**
 * Records that a verification found a log tampered with, and has members notified. Only the first of several such verifications in a
 * row is reported. Safe to repeat at any point, also in several instances: the id of the entry derives from the verification.
 */
export async function reportTampering(
  context: Context & { appender: Appender },
  notify: Notify,
): Promise<void> {
  const { verifications, clock, logger } = context;
  const since = new Date(clock.now() - MAX_AGE_MS);
  for (const verification of await verifications.listUnreportedOfAllTeams(since)) {
    const { team_id } = verification;
    try {
      const previous = await verifications.findPreviousResult(verification);
      if (previous?.status !== 'tampered') await report(context, notify, tamperingEntry(verification));
      await verifications.markReported(verification);
    } catch (err) {
      // Those of other teams are reported.
      logger.error({ err, team_id }, 'failed to report that an audit log was tampered with');
    }
  }
}

async function report(
  { records, appender }: Context & { appender: Appender },
  notify: Notify,
  entry: AuditEntry,
): Promise<void> {
  // First, because a log that was tampered with may accept no record.
  await notify(entry);
  if ((await records.find(entry.team_id, entry.id)) === null) await appender.append(entry);
}

function tamperingEntry({
  _id,
  team_id,
  started_at,
  ended_at,
  findings_count,
}: StoredVerification): AuditEntry {
  return {
    id: siblingId('audit', _id, hash('sha256', _id)),
    occurred_at: ended_at ?? started_at,
    team_id,
    environment: null,
    ...SYSTEM_AUTHOR,
    action: 'log.verification_failed',
    target: { type: 'audit_records', id: team_id, name: null },
    application_id: null,
    changes: {
      verification: { before: null, after: _id },
      findings: { before: 0, after: findings_count },
    },
  };
}
