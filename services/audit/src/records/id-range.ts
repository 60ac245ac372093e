import { firstIdAt } from '@tollgate/contracts/id-time';

/**
 * An id is made in the moment of what it stands for; so much may lie between the two, for services whose clocks are wrong. Only with the
 * ids can a page of a period of long ago be read without all that came after it.
 */
const SLACK_MS = 24 * 3_600_000;

/** The ids of records that may have occurred in this period. */
export function idRangeOf(from: Date | undefined, to: Date | undefined): { $gte?: string; $lt?: string } {
  return {
    ...(from && { $gte: firstIdAt('audit', Math.max(0, from.getTime() - SLACK_MS)) }),
    ...(to && { $lt: firstIdAt('audit', to.getTime() + SLACK_MS) }),
  };
}
