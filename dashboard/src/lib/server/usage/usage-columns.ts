/// <reference lib="esnext.temporal" />

import type { UsageGranularity } from '@tollgate/contracts/usage/usage';
import { currentLocale } from '#lib/format/locale.ts';
import { STEP_MS, timesOf, type UsageSpan } from './usage-range.ts';

/** One minute, hour or day of a chart. */
export interface UsageColumn {
  /** Start, in UTC. */
  at: string;
  /** Full label, for tables: `Fri 20 Nov, 22:00`. */
  label: string;
  /** Label under the axis; empty where labels would not fit. */
  tick: string;
}

const MAX_TICKS = 8;
const MINUTES_PER_TICK = [1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 720];
const HOURS_PER_TICK = [1, 2, 3, 4, 6, 12, 24];
/** With more hours than this, midnight is labeled with the day that begins. */
const MAX_HOURS_WITHOUT_DAY = 36;
const HOURS_PER_DAY = 24;
const DAYS_OF_A_YEAR = 366;

/** Minutes and hours are labeled in the viewer's time zone. Days are days in UTC, and their labels say so. */
export function usageColumns(span: UsageSpan, timeZone: string, nowMs: number): UsageColumn[] {
  const times = timesOf(span);
  const words = wordsOf(span.granularity, timeZone, times.length);
  return times.map((at, index) => {
    const isRunning = Date.parse(at) + STEP_MS[span.granularity] > nowMs;
    const label = words.label(at);
    return { at, label: isRunning ? `${label}, so far` : label, tick: words.tick(at, index) };
  });
}

interface Labels {
  label(at: string): string;
  tick(at: string, index: number): string;
}

function wordsOf(granularity: UsageGranularity, timeZone: string, columns: number): Labels {
  if (granularity === 'day') return dayLabels(columns);
  const label = formatter(timeZone, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  const time = formatter(timeZone, { hour: '2-digit', minute: '2-digit' });
  const minuteOfDay = (at: string) => {
    const local = Temporal.Instant.from(at).toZonedDateTimeISO(timeZone);
    return local.hour * 60 + local.minute;
  };
  if (granularity === 'minute') {
    const every = firstThatFits(MINUTES_PER_TICK, columns);
    return { label, tick: (at) => (minuteOfDay(at) % every === 0 ? time(at) : '') };
  }
  // In time zones with a half-hour offset, hours begin at half past.
  const hourOfDay = (at: string) => Math.floor(minuteOfDay(at) / 60);
  const day = formatter(timeZone, { day: 'numeric', month: 'short' });
  const every = firstThatFits(HOURS_PER_TICK, columns);
  const everyDays = Math.ceil(columns / HOURS_PER_DAY / MAX_TICKS);
  return {
    label,
    tick(at, index) {
      if (hourOfDay(at) % every !== 0) return '';
      if (hourOfDay(at) !== 0 || columns <= MAX_HOURS_WITHOUT_DAY) return time(at);
      return Math.floor(index / HOURS_PER_DAY) % everyDays === 0 ? day(at) : '';
    },
  };
}

function dayLabels(columns: number): Labels {
  const label = formatter('UTC', { day: 'numeric', month: 'short', year: 'numeric' });
  const tick = formatter(
    'UTC',
    columns > DAYS_OF_A_YEAR ? { month: 'short', year: 'numeric' } : { day: 'numeric', month: 'short' },
  );
  const every = Math.ceil(columns / MAX_TICKS);
  return {
    label: (at) => `${label(at)} (UTC)`,
    tick: (at, index) => (index % every === 0 ? tick(at) : ''),
  };
}

function firstThatFits(steps: number[], columns: number): number {
  return steps.find((step) => columns / step <= MAX_TICKS) ?? (steps.at(-1) as number);
}

function formatter(timeZone: string, options: Intl.DateTimeFormatOptions): (at: string) => string {
  const format = new Intl.DateTimeFormat(currentLocale(), { timeZone, ...options });
  return (at) => format.format(new Date(at));
}
