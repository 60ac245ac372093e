import type { Field } from '#lib/list/list-data.ts';
import { apiTime, beginningOf, endOf } from '../zoned-time.ts';
import type { Filter, Reject, Values } from './filter.ts';

export interface TimeRange {
  from?: string | undefined;
  to?: string | undefined;
}

/** Days, perhaps with times of day, in the time zone of the member. `of` says what happened then: `Created`. */
export function timeRange<Request extends object>(
  of: string,
  request: (range: TimeRange) => Request,
): Filter<Request> {
  const fields: Field[] = [
    { name: 'from', label: `${of} after`, control: 'date' },
    { name: 'from_time', label: 'Start time', control: 'time' },
    { name: 'to', label: `${of} before`, control: 'date' },
    { name: 'to_time', label: 'End time', control: 'time' },
  ];
  return {
    fields: fields.map((field) => ({ ...field, isMore: true })),
    chips: [
      { label: 'After', names: ['from', 'from_time'], say: (values) => sayEnd(values, 'from') },
      { label: 'Before', names: ['to', 'to_time'], say: (values) => sayEnd(values, 'to') },
    ],
    read: (values, reject, timeZone) => request(readTimeRange(values, reject, timeZone)),
  };
}

/** The records that were created in a range of time. */
export const createdRange = timeRange('Created', ({ from, to }) => ({
  created_from: from,
  created_to: to,
}));

/** The range for the API: `from` is included, `to` is not. */
function readTimeRange(values: Values, reject: Reject, timeZone: string): TimeRange {
  const from = beginningOf(values.get('from') ?? '', values.get('from_time') ?? '', timeZone);
  const to = endOf(values.get('to') ?? '', values.get('to_time') ?? '', timeZone);
  if (!from) rejectEnd('from', values, reject);
  if (!to) rejectEnd('to', values, reject);
  if (from && to && from.epochMilliseconds >= to.epochMilliseconds)
    reject('to', 'The end must be after the start.');
  return { from: from ? apiTime(from) : undefined, to: to ? apiTime(to) : undefined };
}

function sayEnd(values: Values, name: 'from' | 'to'): string {
  return [values.get(name), values.get(`${name}_time`)].filter(Boolean).join(' ');
}

function rejectEnd(name: 'from' | 'to', values: Values, reject: Reject): void {
  if (values.has(name)) reject(name, 'Enter a valid date such as 2026-11-21.');
  else if (values.has(`${name}_time`)) reject(name, 'Enter a date for this time.');
}
