import type { UsageWindow } from '@tollgate/contracts/usage/usage';
import { inBatches } from '@tollgate/store/in-batches';
import type { Context } from '../context.ts';
import { isTooLate } from './window-store.ts';

const MAX_BATCH = 100;

/**
 * Stores a window permanently. Resolves when its message may be acknowledged. Every step is safe to repeat: a window
 * that arrives twice, or again after a crash in the middle, changes nothing. Its number is recorded last, after
 * everything else is stored.
 */
export function ingestWindows(context: Context): (window: UsageWindow) => Promise<void> {
  return inBatches(async (batch) => {
    const nowMs = context.clock.now();
    const { late = [], inTime = [] } = Object.groupBy(batch, (window) =>
      isTooLate(window, nowMs) ? 'late' : 'inTime',
    );
    await store(context, inTime);
    await reportTooLate(context, late);
    await context.knownNumbers.mark(batch, new Date(nowMs));
    return batch.map(() => undefined);
  }, MAX_BATCH);
}

async function store(
  { windows, questions, keyUses, requests, metrics }: Context,
  batch: UsageWindow[],
): Promise<void> {
  if (batch.length === 0) return;
  await Promise.all([questions.insertMissing(batch), keyUses.note(batch), requests.insertMissing(batch)]);
  const stored = await windows.insertMissing(batch);
  metrics.stored.inc(stored.length);
  metrics.repeated.inc(batch.length - stored.length);
}

/** The window is confirmed anyway, because its gateway would send it forever, but the loss is logged and counted. */
async function reportTooLate(
  { knownNumbers, metrics, logger }: Context,
  batch: UsageWindow[],
): Promise<void> {
  for (const window of batch) {
    const { gateway_id, number, at, rows } = window;
    if ((await knownNumbers.find(gateway_id, [number])).length > 0) {
      metrics.repeated.inc();
      continue;
    }
    const requests = rows.reduce((sum, row) => sum + row.requests, 0);
    metrics.tooLate.inc();
    metrics.requestsTooLate.inc(requests);
    logger.error(
      { gateway_id, sequence: number, window_at: at, count: requests },
      'dropped a usage window that arrived more than 7 days late; its requests are not counted',
    );
  }
}
