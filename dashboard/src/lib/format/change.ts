import { formatCount } from './number.ts';
import { formatRate } from './rate.ts';

/** Beyond this percentage a change is shown as a factor. */
const MOST_PERCENT = 999;

/** `+12% · previously 1,100`; empty when the earlier figure is unknown. */
export function compare(
  now: number | null,
  before: number | null,
  format: (value: number) => string,
): string {
  if (before === null || before === 0) return before === null ? '' : 'No data for the previous period';
  if (now === null) return `previously ${format(before)}`;
  return `${changeOf(now, before)} · previously ${format(before)}`;
}

/** `+12%`, or `12 times as high` for large changes. @param before not zero */
export function changeOf(now: number, before: number): string {
  const percent = Math.round((now / before - 1) * 100);
  return percent > MOST_PERCENT
    ? `${formatCount(Math.round(now / before))} times as high`
    : `${signed(percent)}%`;
}

/** `+0.3 points · previously 0.4%` */
export function compareShares(now: number | null, before: number | null): string {
  if (before === null) return '';
  if (now === null) return `previously ${formatRate(before)}`;
  const points = Math.round((now - before) * 1_000) / 10;
  return `${signed(points)} ${Math.abs(points) === 1 ? 'point' : 'points'} · previously ${formatRate(before)}`;
}

/** Uses a minus sign as wide as the plus; zero is ±0. */
function signed(value: number): string {
  const sign = value > 0 ? '+' : value < 0 ? '−' : '±';
  return `${sign}${formatCount(Math.abs(value))}`;
}
