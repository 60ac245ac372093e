import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { EventStore } from './event-store.ts';

const DELAY_MS = 200;

/**
 * Marks events whose deliveries are stored, many per write: a write for each would cost as much as a delivery. A crash loses the
 * marks of a fraction of a second. Their events are fanned out again, which is harmless.
 */
export function createFannedOutMarks({
  events,
  clock,
  logger,
}: {
  events: Pick<EventStore, 'markFannedOutOfAllTeams'>;
  clock: Clock;
  logger: Logger;
}) {
  let waiting: string[] = [];
  let storing: Promise<void> | undefined;

  async function store(): Promise<void> {
    while (waiting.length > 0) {
      await delay(DELAY_MS);
      const eventIds = waiting;
      waiting = [];
      try {
        await events.markFannedOutOfAllTeams(eventIds, new Date(clock.now()));
      } catch (error) {
        logger.warn({ err: error, count: eventIds.length }, 'marking events as fanned out failed');
      }
    }
  }

  return {
    add(eventId: string): void {
      waiting.push(eventId);
      storing ??= store().finally(() => {
        storing = undefined;
      });
    },
    /** Resolves when all marks are stored, or have failed and are left to reconciliation. */
    async drain(): Promise<void> {
      await storing;
    },
  };
}
