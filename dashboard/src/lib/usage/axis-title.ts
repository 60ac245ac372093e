import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';
import type { UsageChart } from '#lib/server/usage/usage-charts.ts';

/** What the values of a chart are: an axis with numbers alone can be misread. */
export function axisTitle(unit: UsageChart['unit'], stepMs: number): string {
  if (unit === 'share') return 'Share of requests';
  if (unit === 'ms') return 'Response time';
  if (stepMs >= DAY_MS) return 'Requests per day';
  return stepMs >= HOUR_MS ? 'Requests per hour' : 'Requests per minute';
}
