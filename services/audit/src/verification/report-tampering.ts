import { hash } from 'node:crypto';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { AuditVerification } from '@tollgate/contracts/audit/audit-log';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { siblingId } from '@tollgate/contracts/platform/id-time';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import type { Appender } from '../append/appender.ts';
import type { RecordStore } from '../records/record-store.ts';
import type { VerificationStore } from './verification-store.ts';

/** An older result is no news. */
const MAX_AGE_MS = DAY_MS;

export interface ReportDeps {
  verifications: VerificationStore;
  records: Pick<RecordStore, 'find'>;
  appender: Appender;
  /** Has the members of the team notified. */
  notify: (entry: AuditEntry) => Promise<void>;
  clock: Clock;
  logger: Logger;
}

/**
 * Records that a verification found a log tampered with, and has members notified. Only the first of several such verifications in a
 * row is reported. Safe to repeat at any point, also in several instances: the id of the entry derives from the verification.
 */
export async function reportTampering(deps: ReportDeps): Promise<void> {
  const { verifications, clock, logger } = deps;
  const since = new Date(clock.now() - MAX_AGE_MS);
  for (const { teamId, verification } of await verifications.listUnreportedOfAllTeams(since)) {
    try {
      const previous = await verifications.findPreviousResult(teamId, verification.id);
      if (previous?.status !== 'tampered') await report(deps, teamId, verification);
      await verifications.markReported(teamId, verification.id);
    } catch (err) {
      // Those of other teams are reported.
      logger.error({ err, team_id: teamId }, 'failed to report that an audit log was tampered with');
    }
  }
}

async function report(
  { records, appender, notify }: ReportDeps,
  teamId: string,
  verification: AuditVerification,
): Promise<void> {
  const entry = tamperingEntry(teamId, verification);
  // First, because a log that was tampered with may accept no record.
  await notify(entry);
  if ((await records.find(teamId, entry.id)) === null) await appender.append(entry);
}

function tamperingEntry(
  teamId: string,
  { id, started_at, ended_at, findings_count }: AuditVerification,
): AuditEntry {
  return {
    id: siblingId('audit', id, hash('sha256', id)),
    occurred_at: ended_at ?? started_at,
    team_id: teamId,
    environment: null,
    ...SYSTEM_AUTHOR,
    action: 'log.verification_failed',
    target: { type: 'audit_records', id: teamId, name: null },
    application_id: null,
    changes: {
      verification: { before: null, after: id },
      findings: { before: 0, after: findings_count },
    },
  };
}
