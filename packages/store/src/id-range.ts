import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import { firstIdAt } from '@tollgate/contracts/platform/id-time';
import type { IdKind } from '@tollgate/contracts/platform/ids';

/** The time in an id and the stored time are of the same moment, but can come from different clocks. */
const CLOCK_MARGIN_MS = HOUR_MS;
/** Times in ids have 48 bits. */
const LAST_MS = 2 ** 48 - 1;

/**
 * A range of `_id` that contains every record of the period, so that a query reads only this part of an index by id. It contains a few
 * more records at both ends: the query must compare the stored time too.
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
