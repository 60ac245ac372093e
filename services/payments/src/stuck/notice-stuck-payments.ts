import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { insertAudited } from '@tollgate/store/audited-records';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import { auditEntry } from '../audit/audit-entry.ts';
import type { Context } from '../context.ts';
import { burstId, type StuckBurst } from './stuck-burst.ts';

/**
 * Records once for each burst that payments of a team are stuck at a processor, of which members are then notified. A burst ends
 * when none is stuck there any more. Any number of instances may do this at once: a burst starts with one conditional write.
 */
export async function noticeStuckPayments(context: Context): Promise<void> {
  const { bursts, clock } = context;
  const current = await findBursts(context, new Date(clock.now()));
  for (const { burst, payments } of current) await start(context, burst, payments);
  const ids = new Set(current.map(({ burst }) => burst._id));
  for (const burst of await bursts.list()) if (!ids.has(burst._id)) await bursts.end(burst);
}

async function findBursts(
  { store, stuckAfterMs }: Context,
  now: Date,
): Promise<{ burst: StuckBurst; payments: number }[]> {
  const stuckSince = new Date(now.getTime() - stuckAfterMs);
  const found = [];
  for (const { processor, teamId } of await store.teamsWithStuckPayments(stuckSince)) {
    for (const environment of ENVIRONMENTS) {
      const place = { team_id: teamId, environment, processor };
      const payments = await store.countStuckOfTeam(place, stuckSince);
      const burst = { _id: burstId(place), ...place, since: now, outbox: [] };
      if (payments > 0) found.push({ burst, payments });
    }
  }
  return found;
}

async function start(context: Context, burst: StuckBurst, payments: number): Promise<void> {
  const { team_id, environment, processor, since } = burst;
  const entry = auditEntry('payment.stuck', SYSTEM_AUTHOR, since, {
    team_id,
    environment,
    application_id: null,
    target: { type: 'payments', id: team_id, name: processor },
    changes: { stuck_payments: { before: 0, after: payments } },
  });
  await wroteUnlessDuplicate(insertAudited(context, context.bursts, burst, entry));
}
