import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { isConnected } from '@tollgate/store/mongodb';
import type { Connection } from 'mongoose';
import { Gauge, type Registry } from 'prom-client';

/**
 * Reports at every scrape how old the oldest stored thing of a kind is: 0 when there is none, and NaN without MongoDB, so that a scrape
 * still returns the other metrics.
 */
export function createAgeGauge(
  registry: Registry,
  options: {
    name: string;
    help: string;
    oldestAt: () => Promise<Date | null>;
    connection: Connection;
    clock: Clock;
    logger: Logger;
  },
): void {
  const { name, help, oldestAt, connection, clock, logger } = options;

  async function ageS(): Promise<number> {
    if (!isConnected(connection)) return Number.NaN;
    try {
      const at = await oldestAt();
      // The clocks of two hosts can differ: an age is never negative.
      return at === null ? 0 : Math.max(0, clock.now() - at.getTime()) / 1000;
    } catch (error) {
      logger.warn({ err: error }, `measuring ${name} failed`);
      return Number.NaN;
    }
  }

  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await ageS());
    },
  });
}
