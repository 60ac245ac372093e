import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { USAGE_GRANULARITIES, type UsageGranularity } from '@tollgate/contracts/usage/usage';
import type { UsagePeriod } from '#lib/usage/usage-labels.ts';

export const STEP_MS: Record<UsageGranularity, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

export const PERIOD_MS: Record<UsagePeriod, number> = {
  '1h': HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
};

/** How long the usage service retains each; 13 months at their shortest. */
const KEPT_MS: Record<UsageGranularity, number> = {
  minute: 35 * DAY_MS,
  hour: 394 * DAY_MS,
  day: Number.POSITIVE_INFINITY,
};
/** The longest range for each: 1,440 minutes, 840 hours, and the most days that one query allows. */
const MAX_RANGE_MS: Record<UsageGranularity, number> = {
  minute: DAY_MS,
  hour: 35 * DAY_MS,
  day: 1_999 * DAY_MS,
};
export const LONGEST_RANGE_DAYS = MAX_RANGE_MS.day / DAY_MS;
/** The most columns that are easy to tell apart. A requested granularity may produce more. */
const MAX_COLUMNS = 360;

/** Whole minutes, hours or days: `toMs` is the end of the last one, which may be incomplete. */
export interface UsageSpan {
  granularity: UsageGranularity;
  fromMs: number;
  toMs: number;
}

export interface UsageRange extends UsageSpan {
  /** The granularities that can show the range. */
  granularities: UsageGranularity[];
}

/** The last hour, day, week or month, including the current minute, hour or day. */
export function rangeOfPeriod(period: UsagePeriod, nowMs: number, asked?: UsageGranularity): UsageRange {
  const lengthMs = PERIOD_MS[period];
  return rangeBy(asked, nowMs, (stepMs) => {
    const toMs = ceil(nowMs, stepMs);
    return { fromMs: toMs - lengthMs, toMs };
  });
}

/**
 * The minutes, hours or days between two instants, without the future. Null when the range is too long or lies in the
 * future.
 */
export function rangeBetween(
  fromMs: number,
  toMs: number,
  nowMs: number,
  asked?: UsageGranularity,
): UsageRange | null {
  if (fromMs >= nowMs || toMs - fromMs > MAX_RANGE_MS.day) return null;
  return rangeBy(asked, nowMs, (stepMs) => ({
    fromMs: Math.floor(fromMs / stepMs) * stepMs,
    toMs: ceil(Math.min(toMs, nowMs), stepMs),
  }));
}

/** The longest range that can be queried. */
export function rangeOfAll(nowMs: number): UsageSpan {
  const toMs = ceil(nowMs, DAY_MS);
  return { granularity: 'day', fromMs: toMs - MAX_RANGE_MS.day, toMs };
}

function rangeBy(
  asked: UsageGranularity | undefined,
  nowMs: number,
  align: (stepMs: number) => { fromMs: number; toMs: number },
): UsageRange {
  const possible = USAGE_GRANULARITIES.map((granularity) => ({
    granularity,
    ...align(STEP_MS[granularity]),
  })).filter((span) => canShow(span, nowMs));
  const readable = possible.find((span) => columnsOf(span) <= MAX_COLUMNS);
  const chosen = possible.find(({ granularity }) => granularity === asked) ?? readable ?? possible.at(-1);
  if (chosen === undefined) throw new Error('No granularity can show this range, not even days.');
  return {
    ...chosen,
    granularities: possible
      .filter((span) => span === chosen || columnsOf(span) > 1)
      .map(({ granularity }) => granularity),
  };
}

/** The previous period is shown for comparison, so it must still be retained, too. */
function canShow(span: UsageSpan, nowMs: number): boolean {
  const { granularity, fromMs, toMs } = span;
  // Alignment can make a range longer by up to one step.
  const mostMs = MAX_RANGE_MS[granularity] + STEP_MS[granularity];
  return (
    columnsOf(span) >= 1 && toMs - fromMs <= mostMs && previousOf(span).fromMs >= nowMs - KEPT_MS[granularity]
  );
}

function columnsOf({ granularity, fromMs, toMs }: UsageSpan): number {
  return (toMs - fromMs) / STEP_MS[granularity];
}

/** The period of the same length just before. */
export function previousOf({ granularity, fromMs, toMs }: UsageSpan): UsageSpan {
  return { granularity, fromMs: fromMs - (toMs - fromMs), toMs: fromMs };
}

/**
 * The part of the previous period to compare with: as much of its last minute, hour or day as has elapsed of the
 * current one. Uses the finest retained granularity, so that the cut is as exact as possible.
 */
export function comparableBefore(range: UsageRange, nowMs: number): UsageSpan {
  const { fromMs, toMs } = previousOf(range);
  const granularity =
    USAGE_GRANULARITIES.find((candidate) => fromMs >= nowMs - KEPT_MS[candidate]) ?? range.granularity;
  const stepMs = STEP_MS[granularity];
  const unpassedMs = Math.max(0, range.toMs - nowMs);
  return { granularity, fromMs, toMs: Math.max(fromMs + stepMs, ceil(toMs - unpassedMs, stepMs)) };
}

/** The start of each minute, hour or day, in the API's format. */
export function timesOf({ granularity, fromMs, toMs }: UsageSpan): string[] {
  const stepMs = STEP_MS[granularity];
  return Array.from({ length: (toMs - fromMs) / stepMs }, (_, index) =>
    new Date(fromMs + index * stepMs).toISOString(),
  );
}

/** The range as an API request. */
export function requestOf({ granularity, fromMs, toMs }: UsageSpan) {
  return { granularity, from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

function ceil(ms: number, stepMs: number): number {
  return Math.ceil(ms / stepMs) * stepMs;
}
