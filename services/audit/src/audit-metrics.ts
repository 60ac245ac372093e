import { Counter, type Registry } from 'prom-client';

export type AuditMetrics = ReturnType<typeof createAuditMetrics>;

/** No label names a team: the number of teams is unbounded, and the number of time series must not be. */
export function createAuditMetrics(registry: Registry) {
  const counter = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `tollgate_audit_${name}_total`, help, labelNames, registers: [registry] });
  return {
    appended: counter('records_appended', 'Records added to logs'),
    /** A rising count means that NATS loses messages or is down. */
    reconciled: counter(
      'records_reconciled',
      'Records of payment events that only reconciliation with payments found',
    ),
    /** An attack, or a bug. */
    takenIds: counter(
      'taken_ids',
      'Entries stored under another id because a record with other content had theirs',
    ),
    heads: counter('heads_signed', 'Tree heads signed and stored'),
    rejectedHeads: counter('heads_unsigned', 'Tree heads not signed because the log is corrupted'),
    verifications: counter(
      'verifications',
      'Verifications of logs that ended in this instance, by outcome: intact, tampered, failed (no result)',
      'outcome',
    ),
  };
}
