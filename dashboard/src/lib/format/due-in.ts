import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';

/** `in 12 s`, `in 4 min 12 s`, `in 2 h 5 min`, `in 3 days 2 h`; `now` when it is due. */
export function formatDueIn(leftMs: number): string {
  if (leftMs <= 0) return 'now';
  // Rounded up: the text must not say `now` while part of a second is left.
  const ms = Math.ceil(leftMs / SECOND_MS) * SECOND_MS;
  if (ms < MINUTE_MS) return `in ${ms / SECOND_MS} s`;
  if (ms < HOUR_MS) return two(ms, [MINUTE_MS, 'min'], [SECOND_MS, 's']);
  if (ms < DAY_MS) return two(ms, [HOUR_MS, 'h'], [MINUTE_MS, 'min']);
  return two(ms, [DAY_MS, ms < 2 * DAY_MS ? 'day' : 'days'], [HOUR_MS, 'h']);
}

function two(ms: number, [size, name]: [number, string], [restSize, restName]: [number, string]): string {
  const rest = Math.floor((ms % size) / restSize);
  const whole = `in ${Math.floor(ms / size)} ${name}`;
  return rest === 0 ? whole : `${whole} ${rest} ${restName}`;
}
