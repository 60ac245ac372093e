import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { dateTimeFormat } from './formatters.ts';
import { countOf } from './number.ts';

/**
 * `21 Nov 2026, 14:05`; with seconds, without the time of day, or `21 Nov, 14:05:09` for logs, which cover recent
 * months only.
 */
export function formatTime(
  at: string,
  timeZone: string,
  as: 'time' | 'second' | 'date' | 'log' = 'time',
): string {
  return dateTimeFormat({
    timeZone,
    day: 'numeric',
    month: 'short',
    ...(as !== 'log' && { year: 'numeric' }),
    ...(as !== 'date' && { hour: '2-digit', minute: '2-digit' }),
    ...((as === 'second' || as === 'log') && { second: '2-digit' }),
  }).format(new Date(at));
}

/** With milliseconds and time zone, to compare with a log. */
export function formatExactTime(at: string, timeZone: string): string {
  const local = dateTimeFormat({
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    timeZoneName: 'short',
  }).format(new Date(at));
  return `${local} (${at})`;
}

/** `just now`, `4 min ago`, `3 h ago`, `in 5 days`; a date from one week on. */
export function formatTimeAgo(at: string, nowMs: number, timeZone: string): string {
  const distanceMs = nowMs - Date.parse(at);
  const amountMs = Math.abs(distanceMs);
  if (amountMs >= 7 * DAY_MS) return formatTime(at, timeZone, 'date');
  if (amountMs < MINUTE_MS) return distanceMs >= 0 ? 'just now' : 'in a moment';
  const text = roundDown(amountMs);
  return distanceMs >= 0 ? `${text} ago` : `in ${text}`;
}

function roundDown(amountMs: number): string {
  if (amountMs < HOUR_MS) return `${Math.floor(amountMs / MINUTE_MS)} min`;
  if (amountMs < DAY_MS) return `${Math.floor(amountMs / HOUR_MS)} h`;
  return countOf(Math.floor(amountMs / DAY_MS), 'day');
}
