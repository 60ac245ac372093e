import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { startPeriodic } from '@tollgate/runtime/periodic';
import { describeClockDifference } from '@tollgate/security/clock-difference';
import type { Connection } from 'mongoose';

/** Two services that both pass the check differ by less than the 5 s that actor tokens allow. */
const MAX_CLOCK_DIFFERENCE_MS = 2 * SECOND_MS;
const CLOCKS = { clock: 'the clock of this machine', other: 'that of MongoDB' };
const CHECK_INTERVAL_MS = 10 * SECOND_MS;

/** Compares the clock of this machine with that of MongoDB, which all instances of a service share. */
export function startClockCheck({
  connection,
  clock,
  logger,
}: {
  connection: Connection;
  clock: Clock;
  logger: Logger;
}) {
  let differenceMs = 0;
  /** Why the clock of this machine must not be trusted, or null. */
  const reason = () =>
    Math.abs(differenceMs) > MAX_CLOCK_DIFFERENCE_MS
      ? describeClockDifference(CLOCKS, { aheadMs: differenceMs, allowedMs: MAX_CLOCK_DIFFERENCE_MS })
      : null;

  /** Compares the clocks now, for work that a wrong clock must not start. Resolves to the new `reason`. */
  async function compare(): Promise<string | null> {
    differenceMs = (await measureDifference(connection, clock)) ?? differenceMs;
    return reason();
  }

  const checking = startPeriodic({
    name: 'compare the clock with that of MongoDB',
    intervalMs: CHECK_INTERVAL_MS,
    // An unreachable MongoDB is a reason of its own.
    run: () => compare().catch(() => null),
    logger,
  });
  return { reason, compare, stop: checking.stop };
}

/** Positive if this clock is ahead. The server read its clock at some time of the round trip: within it, nothing differs. */
async function measureDifference(connection: Connection, clock: Clock): Promise<number | null> {
  const sentAtMs = clock.now();
  const reply = await connection.db?.command({ hello: 1 });
  const receivedAtMs = clock.now();
  const serverTime: unknown = reply?.['localTime'];
  if (!(serverTime instanceof Date)) return null;
  const serverMs = serverTime.getTime();
  return Math.max(0, sentAtMs - serverMs) + Math.min(0, receivedAtMs - serverMs);
}
