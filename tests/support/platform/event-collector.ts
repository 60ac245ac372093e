import { randomUUID } from 'node:crypto';
import type { Bus } from '@tollgate/bus/connection';
import { consume } from '@tollgate/bus/consumer';
import { PaymentEvent } from '@tollgate/contracts/payments/events';
import { createLogger } from '@tollgate/runtime/logger';

export interface EventCollector {
  /** Ids of all events that the stream has delivered so far. */
  ids(): ReadonlySet<string>;
  stop(): Promise<void>;
}

/** Consumes the EVENTS stream from its beginning, as a service would. */
export function collectEvents(bus: Bus): EventCollector {
  const seen = new Set<string>();
  const consumer = consume(bus, {
    stream: 'EVENTS',
    durable: `test-${randomUUID()}`,
    concurrency: 100,
    schema: PaymentEvent,
    handle: async ({ body }) => {
      seen.add(body.id);
    },
    logger: createLogger({ service: 'test', level: 'error' }),
  });
  return { ids: () => seen, stop: () => consumer.stop() };
}
