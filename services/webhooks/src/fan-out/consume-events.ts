import type { Bus } from '@tollgate/bus/connection';
import { consume } from '@tollgate/bus/consumer';
import { PaymentEvent } from '@tollgate/contracts/payments/events';
import type { Logger } from '@tollgate/runtime/logger';
import type { VerifyMessage } from '@tollgate/security/message-verifier';

/** Messages in a batch or waiting for one: a batch and its commit cost the store little more for 256 events than for 64. */
const CONCURRENCY = 256;

/** Fans out the events of the stream, whose messages the instances share. Reconciliation finds events that the stream lost. */
export function consumeEvents(
  bus: Bus,
  deps: { fanOut: (event: PaymentEvent) => Promise<void>; verify: VerifyMessage; logger: Logger },
): { stop(): Promise<void> } {
  const { fanOut, verify, logger } = deps;
  return consume(bus, {
    stream: 'EVENTS',
    durable: 'webhooks',
    concurrency: CONCURRENCY,
    logger,
    schema: PaymentEvent,
    verify,
    handle: ({ body }) => fanOut(body),
  });
}
