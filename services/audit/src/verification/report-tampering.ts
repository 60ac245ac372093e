import { hash } from 'node:crypto';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { siblingId } from '@tollgate/contracts/platform/id-time';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import type { AppendContext } from '../append/appender.ts';
import type { StoredVerification } from './verification-store.ts';

/** An older result is no news. */
const MAX_AGE_MS = DAY_MS;

/**
 * Records that a verification found a log tampered with, and has members notified. Only the first of several such verifications in a
 * row is reported. Safe to repeat at any point, also in several instances: the id of the entry derives from the verification.
 *
 * @param notify has the members of the team notified
 */
export async function reportTampering(
  { verifications, records, appender, clock, logger }: AppendContext,
  notify: (entry: AuditEntry) => Promise<unknown>,
): Promise<void> {
  const since = new Date(clock.now() - MAX_AGE_MS);
  for (const verification of await verifications.listUnreportedOfAllTeams(since)) {
    const { team_id } = verification;
    try {
      const previous = await verifications.findPreviousResult(verification);
      if (previous?.status !== 'tampered') {
        const entry = tamperingEntry(verification);
        // First, because a log that was tampered with may accept no record.
        await notify(entry);
        if ((await records.find(team_id, entry.id)) === null) await appender.append(entry);
      }
      await verifications.markReported(verification);
    } catch (err) {
      // Those of other teams are reported.
      logger.error({ err, team_id }, 'failed to report that an audit log was tampered with');
    }
  }
}

function tamperingEntry(verification: StoredVerification): AuditEntry {
  const { _id, team_id, started_at, ended_at, findings_count } = verification;
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
