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
}

/** No label names a team: the number of teams is unbounded, and the number of time series must not be. */
export function createAuditMetrics(registry: Registry): AuditMetrics {
  const registers = [registry];
  const appended = new Counter({
    name: 'tollgate_audit_records_appended_total',
    help: 'Records that this instance added to logs',
    registers,
  });
  const reconciled = new Counter({
    name: 'tollgate_audit_records_reconciled_total',
    help: 'Records of payments found by reconciliation because no message arrived',
    registers,
  });
  const takenIds = new Counter({
    name: 'tollgate_audit_taken_ids_total',
    help: 'Entries stored under another id because a record with other content had theirs',
    registers,
  });
  const heads = new Counter({
    name: 'tollgate_audit_heads_signed_total',
    help: 'Tree heads that this instance signed and stored',
    registers,
  });
  const rejected = new Counter({
    name: 'tollgate_audit_heads_refused_total',
    help: 'Tree heads not signed because a log is corrupted',
    registers,
  });
  return {
    countAppended: (records) => appended.inc(records),
    countReconciled: (entries) => reconciled.inc(entries),
    countTakenId: () => takenIds.inc(),
    countHead: () => heads.inc(),
    countRejectedHead: () => rejected.inc(),
  };
}
