import type { Bus } from '@tollgate/bus/connection';
import { consume, PoisonMessage } from '@tollgate/bus/consumer';
import { UsageWindow } from '@tollgate/contracts/usage/usage';
import type { Logger } from '@tollgate/runtime/logger';
import type { VerifyMessage } from '@tollgate/security/message-verifier';
import { describeFault } from './check-window.ts';

/** Messages that wait for a batch or are part of one. */
const CONCURRENCY = 64;

/**
 * Stores the windows of the stream; instances share its messages. A window that no gateway signed, or that cannot be
 * counted, becomes a dead letter. Its gateway still has it, because it is never confirmed.
 */
export function consumeWindows(
  bus: Bus,
  ingest: (window: UsageWindow) => Promise<void>,
  { verify, logger }: { verify: VerifyMessage; logger: Logger },
): { stop(): Promise<void> } {
  return consume(bus, {
    stream: 'USAGE',
    durable: 'usage',
    concurrency: CONCURRENCY,
    logger,
    schema: UsageWindow,
    verify,
    async handle({ body }) {
      const fault = describeFault(body);
      if (fault !== null) throw new PoisonMessage(fault);
      await ingest(body);
    },
  });
}
