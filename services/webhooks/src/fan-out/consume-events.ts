import type { Bus } from '@tollgate/bus/connection';
import { consume } from '@tollgate/bus/consumer';
import { PaymentEvent } from '@tollgate/contracts/events';
import type { Logger } from '@tollgate/runtime/logger';
import { Compile } from 'typebox/compile';

/** Messages that wait for their batch or are in it. */
const CONCURRENCY = 64;

const schema = Compile(PaymentEvent);

/** Fans out what the stream brings. Instances share its messages; what it does not bring, reconciliation does. */
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
      // It comes again, later each time: a newer version of this service may know what it is.
      if (!schema.Check(body)) throw new Error('The message is not a payment event.');
      await fanOut(body);
    },
  });
}
