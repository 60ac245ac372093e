import { DAY_MS } from '@tollgate/contracts/platform/durations';
import type { Context } from '../context.ts';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import type { ChangePosition } from '../store/change-position.ts';

const BATCH_SIZE = 100;
/** The rest is left to the next pass, so that a team with a long history delays no other. */
const MAX_ERASED_PER_TEAM = 1_000;

/**
 * Erases the personal data of payments that ended longer ago than their team keeps it. Any number of instances may do this
 * at once: each erasure is one conditional write. Nothing is stored about a pass, so the next one continues where a crash
 * ended it.
 */
export async function eraseByRetention(context: Context): Promise<void> {
  for (const teamId of await context.retention.teamsWithPeriod()) await eraseOfTeam(context, teamId);
}

async function eraseOfTeam(context: Context, teamId: string): Promise<void> {
  const { store, retention, clock, stopping } = context;
  let after: ChangePosition | null = null;
  let erased = 0;
  while (erased < MAX_ERASED_PER_TEAM && !stopping.aborted) {
    // Read again for each batch: nothing is erased once a member has removed the period.
    const { days } = await retention.find(teamId);
    if (days === null) return;
    const endedBefore = new Date(clock.now() - days * DAY_MS);
    const batch: PaymentDocument[] = await store.findRetained(teamId, endedBefore, after, BATCH_SIZE);
    const last = batch.at(-1);
    if (!last) return;
    erased += await eraseBatch(context, batch);
    // A payment that fails verification stays. It must not be found in place of the others.
    after = { updatedAt: last.updated_at, paymentId: last._id };
  }
}

/** Resolves to the number of payments that this instance erased. */
async function eraseBatch(
  { store, verified, outbox, paymentMetrics, clock }: Context,
  payments: readonly PaymentDocument[],
): Promise<number> {
  let count = 0;
  for (const payment of payments) {
    if (!verified.isVerified(payment)) continue;
    const erased = await store.erase(payment, {
      at: new Date(clock.now()),
      cause: { type: 'retention', id: null },
      requestId: null,
    });
    // Another instance or a member erased it since it was read.
    if (!erased) continue;
    outbox.enqueueLatest(erased);
    paymentMetrics.countRetentionErasure();
    count += 1;
  }
  return count;
}
