import { Counter, type Registry } from 'prom-client';

export interface AuditMetrics {
  countAppended(records: number): void;
  /**
   * Entries that no message delivered and reconciliation found. A rising count means that NATS loses messages or is
   * down.
   */
  countReconciled(entries: number): void;
  /** The id of an entry belongs to a record with other content: an attack, or a bug. */
  countTakenId(): void;
  countHead(): void;
  /** A tree head was not signed because the log is corrupted. */
  countRejectedHead(): void;
  countVerification(outcome: VerificationOutcome): void;
}

export type VerificationOutcome = 'intact' | 'tampered' | 'failed';

/** No label names a team: the number of teams is unbounded, and the number of time series must not be. */
export function createAuditMetrics(registry: Registry): AuditMetrics {
  const registers = [registry];
  const appended = new Counter({
    name: 'tollgate_audit_records_appended_total',
    help: 'Records added to logs',
    registers,
  });
  const reconciled = new Counter({
    name: 'tollgate_audit_records_reconciled_total',
    help: 'Records of payment events that only reconciliation with payments found',
    registers,
  });
  const takenIds = new Counter({
    name: 'tollgate_audit_taken_ids_total',
    help: 'Entries stored under another id because a record with other content had theirs',
    registers,
  });
  const heads = new Counter({
    name: 'tollgate_audit_heads_signed_total',
    help: 'Tree heads signed and stored',
    registers,
  });
  const rejected = new Counter({
    name: 'tollgate_audit_heads_unsigned_total',
    help: 'Tree heads not signed because the log is corrupted',
    registers,
  });
  const verifications = new Counter({
    name: 'tollgate_audit_verifications_total',
    help: 'Verifications of logs that ended in this instance, by outcome: intact, tampered, failed (no result)',
    labelNames: ['outcome'],
    registers,
  });
  return {
    countAppended: (records) => appended.inc(records),
    countReconciled: (entries) => reconciled.inc(entries),
    countTakenId: () => takenIds.inc(),
    countHead: () => heads.inc(),
    countRejectedHead: () => rejected.inc(),
    countVerification: (outcome) => verifications.inc({ outcome }),
  };
}
