import type { UsageWindow } from '@tollgate/contracts/usage/usage';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { inBatches } from '@tollgate/store/in-batches';
import type { QuestionStore } from '../reconciliation/question-store.ts';
import type { RequestStore } from '../request-log/request-store.ts';
import type { UsageMetrics } from '../usage-metrics.ts';
import type { KeyUseStore } from './key-use-store.ts';
import type { KnownNumbers } from './known-numbers.ts';
import { isTooLate } from './window-age.ts';
import type { WindowStore } from './window-store.ts';

const MAX_BATCH = 100;

export interface IngestDeps {
  windows: WindowStore;
  knownNumbers: KnownNumbers;
  questions: QuestionStore;
  keyUses: KeyUseStore;
  requests: Pick<RequestStore, 'insertMissing'>;
  metrics: Pick<UsageMetrics, 'countStored' | 'countRepeated' | 'countTooLate'>;
  clock: Clock;
  logger: Logger;
}

/**
 * Stores a window permanently. Resolves when its message may be acknowledged. Every step is safe to repeat: a window
 * that arrives twice, or again after a crash in the middle, changes nothing. Its number is recorded last, after
 * everything else is stored.
 */
export function ingestWindows(deps: IngestDeps): (window: UsageWindow) => Promise<void> {
  return inBatches(async (batch) => {
    const nowMs = deps.clock.now();
    await store(
      deps,
      batch.filter((window) => !isTooLate(window, nowMs)),
    );
    await reportTooLate(
      deps,
      batch.filter((window) => isTooLate(window, nowMs)),
    );
    await deps.knownNumbers.mark(batch, new Date(nowMs));
    return batch.map(() => undefined);
  }, MAX_BATCH);
}

async function store(
  { windows, questions, keyUses, requests, metrics }: IngestDeps,
  batch: UsageWindow[],
): Promise<void> {
  if (batch.length === 0) return;
  await Promise.all([questions.insertMissing(batch), keyUses.note(batch), requests.insertMissing(batch)]);
  const stored = await windows.insertMissing(batch);
  metrics.countStored(stored.length);
  metrics.countRepeated(batch.length - stored.length);
}

/** The window is confirmed anyway, because its gateway would send it forever, but the loss is logged and counted. */
async function reportTooLate(
  { knownNumbers, metrics, logger }: IngestDeps,
  batch: UsageWindow[],
): Promise<void> {
  for (const window of batch) {
    const { gateway_id, number, at, rows } = window;
    if ((await knownNumbers.find(gateway_id, [number])).length > 0) {
      metrics.countRepeated(1);
      continue;
    }
    const requests = rows.reduce((sum, row) => sum + row.requests, 0);
    metrics.countTooLate(requests);
    logger.error(
      { gateway_id, sequence: number, window_at: at, count: requests },
      'dropped a usage window that arrived more than 7 days late; its requests are not counted',
    );
  }
}
