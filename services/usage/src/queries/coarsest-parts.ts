import { DIVISIONS } from '../periods/granularity.ts';
import type { UsageRange } from './usage-range.ts';

/**
 * The same time in as few points as there are: whole days, hours for what is left before and after them, and minutes for what is left of those. A
 * point is the sum of the finer ones, so a total is the same, and a month by minutes costs a month by days.
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
