import type { AuditAction } from '@tollgate/contracts/audit/audit';
import type { History, PerformedOperation } from '../history.ts';

/** Lists what the verifier found. */
export function auditFindings({ auditLogs }: History): string[] {
  return auditLogs.flatMap(({ teamId, findings }) => findings.map((finding) => `${teamId}: ${finding}`));
}

/** Lists creations, cancellations, and changes of keys that are not recorded once by their team, and records without a change. */
export function wrongAuditRecords(history: History): string[] {
  const expected = Map.groupBy(expectedRecords(history), (record) => record);
  const recorded = Map.groupBy(actualRecords(history), (record) => record);
  const acknowledged = [...expected.keys()].filter((record) => recorded.get(record)?.length !== 1);
  return [
    ...acknowledged.map((record) => `${record} is recorded ${recorded.get(record)?.length ?? 0} times`),
    ...[...recorded.keys()]
      .filter((record) => !expected.has(record) && !isOfUnknownKey(history, record))
      .map((record) => `${record} is recorded, and did not happen`),
  ];
}

const ACTIONS: AuditAction[] = [
  'payment.created',
  'payment.canceled',
  'payment.cancellation_requested',
  'payment.settled',
  'key.created',
  'key.revoked',
];

function nameOf(teamId: string, action: string, targetId: string): string {
  return `${action} of ${targetId} by ${teamId}`;
}

function actualRecords({ auditLogs }: History): string[] {
  return auditLogs.flatMap(({ teamId, records }) =>
    records
      .filter(({ action }) => ACTIONS.includes(action))
      .map(({ action, target }) => nameOf(teamId, action, target.id)),
  );
}

function expectedRecords(history: History): string[] {
  const ofPayments = history.events.flatMap(({ type, cause, team_id, data }) => {
    if (type === 'payment.succeeded' && cause.type === 'member')
      return [nameOf(team_id, 'payment.settled', data.id)];
    const isRecorded =
      type === 'payment.created' ||
      type === 'payment.cancellation_requested' ||
      (type === 'payment.canceled' && cause.type === 'key');
    return isRecorded ? [nameOf(team_id, type, data.id)] : [];
  });
  const revoked = new Set(history.operations.flatMap(revokedKey));
  const ofKeys = history.keys.flatMap(({ id, name, integration }) => {
    const { teamId = '' } = history.integrations[integration] ?? {};
    return [
      nameOf(teamId, 'key.created', id),
      ...(revoked.has(name) ? [nameOf(teamId, 'key.revoked', id)] : []),
    ];
  });
  return [...ofPayments, ...ofKeys];
}

function revokedKey({ operation, outcome }: PerformedOperation): string[] {
  return operation.kind === 'revoke-key' && outcome === 'acknowledged' ? [operation.key] : [];
}

/** The platform under test has keys that the driver does not use. */
function isOfUnknownKey({ keys }: History, record: string): boolean {
  return record.startsWith('key.') && !keys.some(({ id }) => record.includes(id));
}
