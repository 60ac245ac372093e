import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tollgate/contracts/durations';
import type { UsageGranularity } from '@tollgate/contracts/usage';

/** How time is divided, in UTC: into points, and points into the documents that hold them. Times are ms since the epoch. */
export interface Division {
  granularity: UsageGranularity;
  /** Beginning of the point that a time falls into. */
  pointOf(timeMs: number): number;
  /** Beginning of the point after the one that begins then. */
  nextPoint(pointMs: number): number;
  /** Beginning of the document that holds the point. */
  documentOf(timeMs: number): number;
  /** Place of the point in its document, from 0. */
  slotOf(timeMs: number): number;
  /** Beginning of the point in this place. */
  pointAt(documentMs: number, slot: number): number;
  /** How long its documents are kept after their beginning; null permanently. */
  keptMs: number | null;
}

/** 35 days and the hour that a document spans; 13 months. */
const MINUTES_KEPT_MS = 35 * DAY_MS + HOUR_MS;
const HOURS_KEPT_MS = 397 * DAY_MS;

/** By what a document holds: the minutes of an hour, the hours of a day, the days of a month. */
export const DIVISIONS: Record<UsageGranularity, Division> = {
  minute: even('minute', MINUTE_MS, HOUR_MS, MINUTES_KEPT_MS),
  hour: even('hour', HOUR_MS, DAY_MS, HOURS_KEPT_MS),
  day: {
    granularity: 'day',
    pointOf: (timeMs) => floor(timeMs, DAY_MS),
    nextPoint: (pointMs) => pointMs + DAY_MS,
    documentOf(timeMs) {
      const date = new Date(timeMs);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    },
    slotOf: (timeMs) => new Date(timeMs).getUTCDate() - 1,
    pointAt: (documentMs, slot) => documentMs + slot * DAY_MS,
    keptMs: null,
  },
};

function even(granularity: UsageGranularity, pointMs: number, documentMs: number, keptMs: number): Division {
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
