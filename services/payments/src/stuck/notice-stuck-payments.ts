import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { newId } from '@tollgate/contracts/platform/ids';
import type { Clock } from '@tollgate/runtime/clock';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import type { Signer } from '@tollgate/security/signature';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { type AuditOutbox, auditMessage } from '@tollgate/store/audit-outbox';
import type { PaymentStore } from '../store/payment-store.ts';
import { burstId, type StuckBurst, type StuckBurstStore } from './stuck-burst-store.ts';

export interface StuckDeps {
  store: PaymentStore;
  bursts: StuckBurstStore;
  audit: Pick<AuditOutbox, 'enqueue'>;
  signer: Signer;
  clock: Clock;
  stuckAfterMs: number;
}

/**
 * Records once for each burst that payments of a team are stuck at a processor, of which members are then notified. A burst ends
 * when none is stuck there any more. Any number of instances may do this at once: a burst starts with one conditional write.
 */
export async function noticeStuckPayments(deps: StuckDeps): Promise<void> {
  const { bursts, clock } = deps;
  const now = new Date(clock.now());
  const current = await findBursts(deps, now);
  for (const { payments, ...burst } of current) await start(deps, burst, payments, now);
  const ids = new Set(current.map(burstId));
  for (const { team_id, environment, processor } of await bursts.list()) {
    const burst = { team_id, environment, processor };
    if (!ids.has(burstId(burst))) await bursts.end(burst);
  }
}

async function findBursts(
  { store, stuckAfterMs }: StuckDeps,
  now: Date,
): Promise<(StuckBurst & { payments: number })[]> {
  const stuckSince = new Date(now.getTime() - stuckAfterMs);
  const found = [];
  for (const { processor, teamId } of await store.teamsWithStuckPayments(stuckSince)) {
    for (const environment of ENVIRONMENTS) {
      const burst = { team_id: teamId, environment, processor };
      const payments = await store.countStuckOfTeam(burst, stuckSince);
      if (payments > 0) found.push({ ...burst, payments });
    }
  }
  return found;
}

async function start(
  { bursts, audit, signer }: StuckDeps,
  burst: StuckBurst,
  payments: number,
  now: Date,
): Promise<void> {
  const entry = signAuditEntry(signer, stuckEntry(burst, payments, now));
  if (await bursts.start(burst, now, entry)) audit.enqueue([auditMessage(burstId(burst), entry)]);
}

function stuckEntry(
  { team_id, environment, processor }: StuckBurst,
  payments: number,
  now: Date,
): AuditEntry {
  return {
    id: newId('audit'),
    occurred_at: now.toISOString(),
    team_id,
    environment,
    ...SYSTEM_AUTHOR,
    action: 'payment.stuck',
    target: { type: 'payments', id: team_id, name: processor },
    application_id: null,
    changes: { stuck_payments: { before: 0, after: payments } },
  };
}
