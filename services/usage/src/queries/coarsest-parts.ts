import { DIVISIONS } from '../periods/granularity.ts';
import type { UsageRange } from './usage-range.ts';

/**
 * Splits a range into as few points as possible: whole days, hours for the rest before and after them, and minutes for
 * the rest of those. A point is the sum of its finer points, so the total is the same, and a month by minutes costs as
 * little as a month by days.
 */
export function coarsestParts(range: UsageRange): UsageRange[] {
  const { granularity } = range.division;
  if (granularity === 'day' || range.fromMs >= range.toMs) return range.fromMs < range.toMs ? [range] : [];
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
