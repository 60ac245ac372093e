import { firstIdAt } from '@tollgate/contracts/id-time';
import type { IdKind } from '@tollgate/contracts/ids';

/** How far the time in an id may be from the one that is stored beside it: they are of one moment, by the clocks of different machines. */
const CLOCK_MARGIN_MS = 3_600_000;
/** Times of ids have 48 bits. */
const LAST_MS = 2 ** 48 - 1;

/**
 * A range of `_id` that has every record of this period, so that an index by id is not read beyond it. It has some more at both ends: the stored
 * time decides.
 */
export function idRange(
  kind: IdKind,
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
): { $gte?: string; $lte?: string } {
  return {
    ...(from && { $gte: idAt(kind, from.getTime() - CLOCK_MARGIN_MS) }),
    ...(to && { $lte: idAt(kind, to.getTime() + CLOCK_MARGIN_MS) }),
  };
}

function idAt(kind: IdKind, timeMs: number): string {
  return firstIdAt(kind, Math.min(Math.max(timeMs, 0), LAST_MS));
}
