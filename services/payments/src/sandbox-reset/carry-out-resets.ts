import { callRpc } from '@tollgate/bus/rpc';
import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import { deleteSandboxData } from '@tollgate/contracts/webhooks/rpc';
import type { Context } from '../context.ts';
import type { SandboxReset } from './sandbox-reset.ts';

/** Payments per deletion. */
const BATCH_SIZE = 200;
/** Events and audit entries are published within seconds. */
const WAIT_MS = 2 * SECOND_MS;
/** A payment that was being created at the time of the request, and an event that was being stored, are stored by then. */
const REPEAT_AFTER_MS = MINUTE_MS;

/**
 * Deletes what the requested resets cover, one batch at a time: first the payments, so that webhooks cannot be sent their events
 * again, and then what webhooks stores of them. After a crash, another worker continues when the lease ends.
 */
export async function carryOutResets(context: Context): Promise<void> {
  const { resets, bus, clock, stopping } = context;
  while (bus.isConnected() && !stopping.aborted) {
    const reset = await resets.claimDue(clock);
    if (!reset) return;
    await carryOutStep(context, reset);
  }
}

/** Deletes one batch, and says when the next one is due. */
async function carryOutStep(context: Context, reset: SandboxReset): Promise<void> {
  const { resets, clock } = context;
  const { found, deleted } = await deleteBatch(context, reset);
  const now = clock.now();
  if (found > 0) {
    // What is left of a batch that deleted nothing waits for its events.
    await resets.postpone(reset, new Date(deleted > 0 ? now : now + WAIT_MS));
    return;
  }
  const repeatAt = reset.requested_at.getTime() + REPEAT_AFTER_MS;
  await resets.complete(reset, new Date(now), now < repeatAt ? new Date(repeatAt) : null);
}

async function deleteBatch(
  { sandboxPayments, bus, signer }: Context,
  { team_id, requested_at }: SandboxReset,
): Promise<{ found: number; deleted: number }> {
  const scope = { teamId: team_id, createdBefore: requested_at };
  const batch = await sandboxPayments.deleteBatch(scope, BATCH_SIZE);
  if (batch.found > 0) return batch;
  const order = { team_id, created_before: requested_at.toISOString() };
  const { deleted, is_complete } = await callRpc(bus, deleteSandboxData, signer.sign('sandbox_reset', order));
  return { found: is_complete ? 0 : 1, deleted };
}
