/// <reference lib="esnext.temporal" />

import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';
import type { TimeAxis } from '#lib/charts/chart.ts';
import { dateTimeFormat } from '#lib/format/formatters.ts';
import { chartTicks, type TickLabel } from './chart-ticks.ts';

const MAX_TICKS = 8;
const MINUTES_PER_TICK = [1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 720];
const HOURS_PER_TICK = [1, 2, 3, 4, 6, 12, 24];
/** With more hours than this, midnight is labeled with the day that begins. */
const MAX_HOURS_WITHOUT_DAY = 36;
const HOURS_PER_DAY = 24;
const DAYS_OF_A_YEAR = 366;

/**
 * The axis of charts whose columns start at these times, one minute, hour or day apart. Minutes and hours are labeled in the viewer's
 * time zone. Days are days in UTC, and their labels say so.
 */
export function timeAxis(
  times: string[],
  { stepMs, timeZone, nowMs }: { stepMs: number; timeZone: string; nowMs: number },
): TimeAxis {
  const words = stepMs === DAY_MS ? dayLabels(times.length) : timeLabels(times.length, stepMs, timeZone);
  return {
    columns: times.map((at) => {
      const isRunning = Date.parse(at) + stepMs > nowMs;
      return { at, label: isRunning ? `${words.label(at)}, so far` : words.label(at) };
    }),
    ticks: chartTicks(times.map(words.tick)),
    stepMs,
  };
}

interface Labels {
  label(at: string): string;
  /** Null where labels would not fit. */
  tick(at: string, index: number): TickLabel | null;
}

function timeLabels(columns: number, stepMs: number, timeZone: string): Labels {
  const label = formatter(timeZone, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  const clock = clockLabel(timeZone);
  const minuteOfDay = (at: string) => {
    const local = Temporal.Instant.from(at).toZonedDateTimeISO(timeZone);
    return local.hour * 60 + local.minute;
  };
  if (stepMs < HOUR_MS) {
    const every = firstThatFits(MINUTES_PER_TICK, columns);
    return { label, tick: (at) => (minuteOfDay(at) % every === 0 ? { text: clock(at) } : null) };
  }
  // In time zones with a half-hour offset, hours begin at half past.
  const hourOfDay = (at: string) => Math.floor(minuteOfDay(at) / 60);
  const day = formatter(timeZone, { day: 'numeric', month: 'short' });
  const every = firstThatFits(HOURS_PER_TICK, columns);
  const everyDays = Math.ceil(columns / HOURS_PER_DAY / MAX_TICKS);
  return {
    label,
    tick(at, index) {
      if (hourOfDay(at) % every !== 0) return null;
      if (hourOfDay(at) !== 0 || columns <= MAX_HOURS_WITHOUT_DAY) return { text: clock(at) };
      return Math.floor(index / HOURS_PER_DAY) % everyDays === 0 ? { text: day(at), isDay: true } : null;
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
    tick: (at, index) => (index % every === 0 ? { text: tick(at), isDay: true } : null),
  };
}

/** `09:00` or `9 AM`, by the clock of the locale: full hours of a 12-hour clock need no minutes. */
function clockLabel(timeZone: string): (at: string) => string {
  const time = { timeZone, hour: '2-digit', minute: '2-digit' } as const;
  if (!dateTimeFormat(time).resolvedOptions().hour12) return formatter(timeZone, time);
  const minutes = formatter(timeZone, { hour: 'numeric', minute: '2-digit' });
  const hours = formatter(timeZone, { hour: 'numeric' });
  return (at) => (minutes(at).includes(':00') ? hours(at) : minutes(at));
}

function firstThatFits(steps: number[], columns: number): number {
  return steps.find((step) => columns / step <= MAX_TICKS) ?? (steps.at(-1) as number);
}

function formatter(timeZone: string, options: Intl.DateTimeFormatOptions): (at: string) => string {
  const format = dateTimeFormat({ timeZone, ...options });
  return (at) => format.format(new Date(at));
}
