import type { Bus } from '@tollgate/bus/connection';
import { consume } from '@tollgate/bus/consumer';
import { PaymentEvent } from '@tollgate/contracts/events';
import type { Logger } from '@tollgate/runtime/logger';
import { Compile } from 'typebox/compile';

/** Messages in a batch or waiting for one. */
const CONCURRENCY = 64;

const schema = Compile(PaymentEvent);

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
    async handle({ body }) {
      // The message is redelivered, later each time: a newer release of this service may support it.
      if (!schema.Check(body)) throw new Error('The message is not a payment event.');
      await fanOut(body);
    },
  });
}
