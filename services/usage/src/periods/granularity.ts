import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tollgate/contracts/platform/durations';
import type { UsageGranularity } from '@tollgate/contracts/usage/usage';

/** How time is divided, in UTC: into points, and the points into documents. Times are ms since the epoch. */
export interface Division {
  granularity: UsageGranularity;
  /** Start of the point that contains a time. */
  pointOf(timeMs: number): number;
  /** Start of the next point. */
  nextPoint(pointMs: number): number;
  /** Start of the document that contains the time. */
  documentOf(timeMs: number): number;
  /** Index of the point in its document, from 0. */
  slotOf(timeMs: number): number;
  /** Start of the point at this index. */
  pointAt(documentMs: number, slot: number): number;
  /** How long its documents are kept after their start; null for permanently. */
  keptMs: number | null;
}

/** 35 days plus the hour that a document spans; 13 months. */
const MINUTES_KEPT_MS = 35 * DAY_MS + HOUR_MS;
const HOURS_KEPT_MS = 397 * DAY_MS;

/** A document holds the minutes of an hour, the hours of a day, or the days of a month. */
export const DIVISIONS: Record<UsageGranularity, Division> = {
  minute: even('minute', MINUTE_MS, HOUR_MS, MINUTES_KEPT_MS),
  hour: even('hour', HOUR_MS, DAY_MS, HOURS_KEPT_MS),
  day: {
    ...even('day', DAY_MS, DAY_MS, null),
    documentOf(timeMs) {
      const date = new Date(timeMs);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    },
    slotOf: (timeMs) => new Date(timeMs).getUTCDate() - 1,
  },
};

function even(
  granularity: UsageGranularity,
  pointMs: number,
  documentMs: number,
  keptMs: number | null,
): Division {
  return {
    granularity,
    pointOf: (timeMs) => floor(timeMs, pointMs),
    nextPoint: (point) => point + pointMs,
    documentOf: (timeMs) => floor(timeMs, documentMs),
    slotOf: (timeMs) => (floor(timeMs, pointMs) - floor(timeMs, documentMs)) / pointMs,
    pointAt: (document, slot) => document + slot * pointMs,
    keptMs,
  };
}

function floor(timeMs: number, unitMs: number): number {
  return Math.floor(timeMs / unitMs) * unitMs;
}
