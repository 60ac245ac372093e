import { MINUTE_MS } from '@tollgate/contracts/durations';

/** The query of a page that is narrowed to a part of its time; the fields of the form have it, too. */
export function zoomedQuery(
  search: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  timeZone: string,
): string {
  const query = new URLSearchParams(search);
  query.delete('period');
  query.delete('per');
  const from = localDateAndTime(fromMs, timeZone);
  // The form knows whole minutes.
  const to = localDateAndTime(Math.ceil(toMs / MINUTE_MS) * MINUTE_MS, timeZone);
  query.set('from', from.date);
  query.set('from_time', from.time);
  query.set('to', to.date);
  query.set('to_time', to.time);
  return `?${query}`;
}

/** As `<input type="date">` and `<input type="time">` have them. */
function localDateAndTime(ms: number, timeZone: string): { date: string; time: string } {
  // Sweden writes 2026-11-21 14:05.
  const [date = '', time = ''] = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
    .format(new Date(ms))
    .split(' ');
  return { date, time };
}
