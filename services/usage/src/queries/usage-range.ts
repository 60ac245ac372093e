import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { Problem } from '@tollgate/contracts/platform/problem';
import { USAGE_LIMITS, type UsageGranularity } from '@tollgate/contracts/usage/usage';
import { DIVISIONS, type Division } from '../periods/granularity.ts';

/** Points from `fromMs` (inclusive) to `toMs` (exclusive); both are starts of points. */
export interface UsageRange {
  division: Division;
  fromMs: number;
  toMs: number;
}

/**
 * The whole points that the request touches. Throws `invalid-request` for an empty range, and for one that starts
 * before the retention period.
 */
export function parseRange(
  { from, to, granularity }: { from: string; to: string; granularity: UsageGranularity },
  nowMs: number,
): UsageRange {
  const division = DIVISIONS[granularity];
  const fromMs = division.pointOf(Date.parse(from));
  const lastMs = division.pointOf(Date.parse(to));
  const toMs = lastMs === Date.parse(to) ? lastMs : division.nextPoint(lastMs);
  if (toMs <= fromMs || Date.parse(to) <= Date.parse(from))
    throw rejected('/to', 'This must be after `from`.');
  const { keptMs } = division;
  if (keptMs !== null && division.documentOf(fromMs) + keptMs <= nowMs) {
    const days = Math.floor(keptMs / DAY_MS);
    throw rejected(
      '/from',
      `Usage by ${granularity} is kept for ${days} days. Use a later start, or the granularity ${granularity === 'minute' ? 'hour' : 'day'}.`,
    );
  }
  return { division, fromMs, toMs };
}

/** Throws `invalid-request` when the range has more points than one query allows. */
export function requireFewPoints({ division, fromMs, toMs }: UsageRange): void {
  const points = (toMs - fromMs) / (division.nextPoint(fromMs) - fromMs);
  if (points <= USAGE_LIMITS.pointsPerQuery) return;
  throw rejected(
    '/to',
    `A query returns at most ${USAGE_LIMITS.pointsPerQuery} points in time, but this range has ${points}. Use a shorter range or a coarser granularity.`,
  );
}

function rejected(pointer: string, detail: string): Problem {
  return new Problem('invalid-request', detail, { errors: [{ pointer, code: 'invalid', detail }] });
}

/**
 * Splits a range into as few points as possible: whole days, hours for the rest before and after them, and minutes for
 * the rest of those. A point is the sum of its finer points, so the total is the same, and a month by minutes costs as
 * little as a month by days.
 */
export function coarsestParts(range: UsageRange): UsageRange[] {
  const { granularity } = range.division;
  if (range.fromMs >= range.toMs) return [];
  if (granularity === 'day') return [range];
  const coarser = DIVISIONS[granularity === 'minute' ? 'hour' : 'day'];
  const beginMs = coarser.pointOf(range.fromMs);
  const fromMs = beginMs === range.fromMs ? beginMs : coarser.nextPoint(beginMs);
  const toMs = coarser.pointOf(range.toMs);
  if (fromMs >= toMs) return [range];
  const edges = [
    { ...range, toMs: fromMs },
    { ...range, fromMs: toMs },
  ];
  return [
    ...edges.filter((edge) => edge.fromMs < edge.toMs),
    ...coarsestParts({ division: coarser, fromMs, toMs }),
  ];
}
