import { apiTime, beginningOf, endOf } from '../zoned-time.ts';
import type { Chip } from './active-filters.ts';
import type { Typed } from './typed-filters.ts';

export const TIME_RANGE_NAMES = ['from', 'from_time', 'to', 'to_time'] as const;
export type TimeRangeName = (typeof TIME_RANGE_NAMES)[number];

export const TIME_RANGE_CHIPS: readonly Chip<TimeRangeName>[] = [
  { label: 'After', names: ['from', 'from_time'], say: (typed) => `${typed.from} ${typed.from_time}`.trim() },
  { label: 'Before', names: ['to', 'to_time'], say: (typed) => `${typed.to} ${typed.to_time}`.trim() },
];

/** The range for the API; problems are added to `errors`. */
export function parseTimeRange(
  typed: Typed<TimeRangeName>,
  timeZone: string,
  errors: Partial<Record<TimeRangeName, string>>,
): { created_from?: string; created_to?: string } {
  const request: { created_from?: string; created_to?: string } = {};
  const from = beginningOf(typed.from, typed.from_time, timeZone);
  const to = endOf(typed.to, typed.to_time, timeZone);
  if (from) request.created_from = apiTime(from);
  else reject('from', typed, errors);
  if (to) request.created_to = apiTime(to);
  else reject('to', typed, errors);
  if (from && to && from.epochMilliseconds >= to.epochMilliseconds) {
    errors.to = 'The end must be after the start.';
  }
  return request;
}

function reject(
  name: 'from' | 'to',
  typed: Typed<TimeRangeName>,
  errors: Partial<Record<TimeRangeName, string>>,
): void {
  const date = typed[name];
  const time = typed[`${name}_time`];
  if (date === '' && time === '') return;
  errors[name] = date === '' ? 'Enter a date for this time.' : 'Enter a valid date such as 2026-11-21.';
}
