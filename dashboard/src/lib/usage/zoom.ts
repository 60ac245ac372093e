import { MINUTE_MS } from '@tollgate/contracts/platform/durations';

/** The query of a page narrowed to a time range, in the format of the filter form. */
export function zoomedQuery(
  search: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  timeZone: string,
): string {
  const query = new URLSearchParams(search);
  query.delete('period');
  query.delete('per');
  const from = localDateAndTime(fromMs, timeZone);
  // The form has minute precision.
  const to = localDateAndTime(Math.ceil(toMs / MINUTE_MS) * MINUTE_MS, timeZone);
  query.set('from', from.date);
  query.set('from_time', from.time);
  query.set('to', to.date);
  query.set('to_time', to.time);
  return `?${query}`;
}

/** In the format of `<input type="date">` and `<input type="time">`. */
function localDateAndTime(ms: number, timeZone: string): { date: string; time: string } {
  // The Swedish locale formats dates as 2026-11-21 14:05.
  const [date = '', time = ''] = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
    .format(new Date(ms))
    .split(' ');
  return { date, time };
}
