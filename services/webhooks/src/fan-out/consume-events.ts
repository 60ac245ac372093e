import type { Bus } from '@tollgate/bus/connection';
import { consume } from '@tollgate/bus/consumer';
import { PaymentEvent } from '@tollgate/contracts/events';
import type { Logger } from '@tollgate/runtime/logger';

/** Messages in a batch or waiting for one. */
const CONCURRENCY = 64;

/** Fans out the events of the stream, whose messages the instances share. Reconciliation finds events that the stream lost. */
export function consumeEvents(
  bus: Bus,
  fanOut: (event: PaymentEvent) => Promise<void>,
  logger: Logger,
): { stop(): Promise<void> } {
  return consume(bus, {
    stream: 'EVENTS',
    durable: 'webhooks',
    concurrency: CONCURRENCY,
    logger,
    schema: PaymentEvent,
    handle: ({ body }) => fanOut(body),
  });
}
