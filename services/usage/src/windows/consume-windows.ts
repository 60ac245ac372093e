import type { Bus } from '@tollgate/bus/connection';
import { consume } from '@tollgate/bus/consumer';
import type { UsageWindow } from '@tollgate/contracts/usage';
import type { Logger } from '@tollgate/runtime/logger';
import { describeFault } from './check-window.ts';

/** Messages that wait for a batch or are part of one. */
const CONCURRENCY = 64;

/**
 * Stores the windows of the stream; instances share its messages. An invalid window is logged, counted, and dropped,
 * because it would be redelivered forever. Its gateway still has it, because it is never confirmed.
 */
export function consumeWindows(
  bus: Bus,
  deps: { ingest(window: UsageWindow): Promise<void>; countMalformed(): void; logger: Logger },
): { stop(): Promise<void> } {
  const { ingest, countMalformed, logger } = deps;
  return consume(bus, {
    stream: 'USAGE',
    durable: 'usage',
    concurrency: CONCURRENCY,
    logger,
    async handle({ body, sequence }) {
      const fault = describeFault(body);
      if (fault === null) return ingest(body as UsageWindow);
      countMalformed();
      logger.error({ sequence, reason: fault }, 'dropped a message on USAGE that is not a usage window');
    },
  });
}
