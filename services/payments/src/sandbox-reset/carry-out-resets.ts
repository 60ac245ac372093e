import type { Bus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import { deleteSandboxData } from '@tollgate/contracts/webhooks/rpc';
import type { Clock } from '@tollgate/runtime/clock';
import type { Signer } from '@tollgate/security/signature';
import type { ResetDocument, ResetStore } from './reset-store.ts';
import type { SandboxPayments } from './sandbox-payments.ts';

/** Payments per deletion. */
const BATCH_SIZE = 200;
/** Longer than one batch, or one call to webhooks, takes. Two workers with one reset repeat each other's deletions only. */
const LEASE_MS = 30 * SECOND_MS;
/** Events and audit entries are published within seconds. */
const WAIT_MS = 2 * SECOND_MS;
/** A payment that was being created at the time of the request, and an event that was being stored, are stored by then. */
const REPEAT_AFTER_MS = MINUTE_MS;

export interface CarryOutDeps {
  resets: ResetStore;
  payments: SandboxPayments;
  bus: Bus;
  signer: Signer;
  clock: Clock;
  stopping: AbortSignal;
}

/**
 * Deletes what the requested resets cover, one batch at a time: first the payments, so that webhooks cannot be sent their events
 * again, and then what webhooks stores of them. After a crash, another worker continues when the lease ends.
 */
export async function carryOutResets(deps: CarryOutDeps): Promise<void> {
  const { resets, bus, clock, stopping } = deps;
  while (bus.isConnected() && !stopping.aborted) {
    const now = clock.now();
    const reset = await resets.claimDue(new Date(now), new Date(now + LEASE_MS));
    if (!reset) return;
    await carryOutStep(deps, reset);
  }
}

/** Deletes one batch, and says when the next one is due. */
async function carryOutStep(deps: CarryOutDeps, reset: ResetDocument): Promise<void> {
  const { resets, clock } = deps;
  const { found, deleted } = await deleteBatch(deps, reset);
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
  { payments, bus, signer }: CarryOutDeps,
  { team_id, requested_at }: ResetDocument,
): Promise<{ found: number; deleted: number }> {
  const scope = { teamId: team_id, createdBefore: requested_at };
  const batch = await payments.deleteBatch(scope, BATCH_SIZE);
  if (batch.found > 0) return batch;
  const order = { team_id, created_before: requested_at.toISOString() };
  const { deleted, is_complete } = await callRpc(bus, deleteSandboxData, signer.sign('sandbox_reset', order));
  return { found: is_complete ? 0 : 1, deleted };
}
