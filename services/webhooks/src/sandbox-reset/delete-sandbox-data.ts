import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import type { Shared } from '../context.ts';

/** Events that one call reads. Their payments have few others. */
const BATCH_SIZE = 200;

type SandboxResetDeps = Pick<Shared, 'resets' | 'sandbox'>;

/**
 * Deletes a batch of the sandbox events from before a time, with all events of their payments and the deliveries. Events of
 * those payments that arrive from now on are ignored.
 */
export async function deleteSandboxData(
  { resets, sandbox }: SandboxResetDeps,
  teamId: string,
  createdBefore: Date,
): Promise<{ deleted: number; is_complete: boolean }> {
  await resets.note(teamId, createdBefore);
  const found = await sandbox.listBefore(teamId, createdBefore, BATCH_SIZE);
  const payments = found.filter(({ is_test }) => !is_test).map(({ payment_id }) => payment_id);
  const tests = found.filter(({ is_test }) => is_test).map(({ _id }) => _id);
  const deleted =
    (await sandbox.deleteOfPayments(teamId, payments)) + (await sandbox.deleteTests(teamId, tests));
  return { deleted, is_complete: found.length === 0 };
}

/**
 * Deletes what was stored of payments that a reset has deleted, after it was stored. A call that stores an event and one that
 * notes a reset may overlap: the later one sees the other.
 */
export async function deleteWhatWasReset(
  { resets, sandbox }: SandboxResetDeps,
  received: readonly PaymentEvent[],
): Promise<void> {
  const byTeam = Map.groupBy(await resets.findDeleted(received), ({ team_id }) => team_id);
  for (const [teamId, events] of byTeam) {
    await sandbox.deleteOfPayments(
      teamId,
      events.map((event) => event.data.id),
    );
  }
}
