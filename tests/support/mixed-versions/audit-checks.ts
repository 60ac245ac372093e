import { parsePublicKey } from '@tollgate/audit-log/keys';
import { verifyExport } from '@tollgate/audit-log/verify-export';
import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { AuditAction, AuditRecord } from '@tollgate/contracts/audit/audit';
import type { AuditVerification } from '@tollgate/contracts/audit/audit-log';
import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { eventually } from '@tollgate/test-kit/eventually';
import type { MixedRun } from './mixed-run.ts';
import type { TeamOwner } from './team-owner.ts';

const MAX_VERIFICATION_MS = 60_000;

/** Verifies an export of the whole log with every seal, and lists findings and actions that it records wrongly. */
export async function wrongAuditRecords(run: MixedRun, events: PaymentEvent[]): Promise<string[]> {
  const lines = await exportLines(run);
  const { data } = await run.owner.call(ADMIN_ROUTES.listPublicKeys, {});
  const publicKeys = data.map(({ public_key, version }) => parsePublicKey(public_key, version));
  const { findings } = await verifyExport(inTurn(lines), { publicKeys, everySeal: true });
  const counts = countActions(lines);
  const wrongCounts = Object.entries(expectedActions(run, events)).flatMap(([action, expected]) => {
    const recorded = counts.get(action) ?? 0;
    return recorded === expected ? [] : [`${action} is recorded ${recorded} instead of ${expected} times`];
  });
  return [...findings.map(({ code, detail }) => `${code}: ${detail}`), ...wrongCounts];
}

async function exportLines({ owner }: MixedRun): Promise<string[]> {
  const period = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
  const response = await owner.fetch(`${AUDIT_EXPORT_PATH}?${period}`);
  return (await response.text()).split('\n').filter((line) => line !== '');
}

async function* inTurn(lines: string[]): AsyncGenerator<string, void, undefined> {
  yield* lines;
}

function countActions(lines: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const { type, record } = JSON.parse(line) as { type: string; record?: AuditRecord };
    if (type === 'record' && record) counts.set(record.action, (counts.get(record.action) ?? 0) + 1);
  }
  return counts;
}

/** What happened in the run, by the action that records it. */
function expectedActions(
  { further, changes }: MixedRun,
  events: PaymentEvent[],
): Partial<Record<AuditAction, number>> {
  const ofType = (wanted: PaymentEvent['type']) => events.filter(({ type }) => type === wanted).length;
  const integrations = further.length + 1;
  return {
    'payment.created': ofType('payment.created'),
    'payment.canceled': ofType('payment.canceled'),
    'application.created': integrations,
    'application.limits_changed': integrations,
    'application.renamed': changes,
    'application.scopes_changed': 2 * changes,
    'webhook_endpoint.created': integrations,
    'webhook_endpoint.updated': changes,
    // The load has a key of its own.
    'key.created': integrations + 1,
    'key.revoked': changes,
  };
}

/** Lets the audit service verify its log. */
export async function verifyAuditLog(owner: TeamOwner): Promise<AuditVerification> {
  let verification = await owner.call(ADMIN_ROUTES.startVerification, {});
  const read = { verification_id: verification.id };
  const hasEnded = async () => {
    verification = await owner.call(ADMIN_ROUTES.getVerification, read);
    return verification.status !== 'running';
  };
  await eventually('the verification has ended', hasEnded, { timeoutMs: MAX_VERIFICATION_MS });
  return verification;
}
