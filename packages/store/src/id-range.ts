import { HOUR_MS } from '@tollgate/contracts/durations';
import { firstIdAt } from '@tollgate/contracts/id-time';
import type { IdKind } from '@tollgate/contracts/ids';

/** Maximum difference between the time in an id and the stored time, which can come from another machine's clock. */
const CLOCK_MARGIN_MS = 3_600_000;
/** The time in an id has 48 bits. */
const LAST_MS = 2 ** 48 - 1;

/**
 * A range of `_id` that includes every record of this period, to bound an index scan. It is wider than the period: filter by the
 * stored time too.
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
