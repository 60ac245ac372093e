import type { AdminClient } from '@tollgate/admin-client/admin-client';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { formatCount } from '#lib/format/number.ts';
import { createChart } from '../charts/create-chart.ts';
import { timeAxis } from '../charts/time-axis.ts';
import { pagePart } from '../page-part.ts';
import { readRows, readTotal } from './read-usage.ts';
import { shareTexts } from './usage-figures.ts';
import { rangeOfPeriod, STEP_MS, timesOf } from './usage-range.ts';
import { requestsSeries, rowsAt } from './usage-series.ts';

export type RecentUsage = Awaited<ReturnType<typeof readRecentUsage>>;

/** A summary of the last 24 hours of requests of an application. `key_id` narrows it to one key. */
export function readRecentUsage(
  admin: AdminClient,
  query: { environment: Environment; application_id: string; key_id?: string },
  { timeZone, nowMs }: { timeZone: string; nowMs: number },
) {
  const range = rangeOfPeriod('24h', nowMs);
  const times = timesOf(range);
  const axis = timeAxis(times, { stepMs: STEP_MS[range.granularity], timeZone, nowMs });
  const reading = Promise.all([readRows(admin, query, range), readTotal(admin, query, range)]);
  const usage = reading.then(([rows, total]) => ({
    requests: formatCount(total.requests),
    hasRequests: total.requests > 0,
    ...shareTexts(total),
    chart: createChart(axis, {
      title: 'Requests in the last 24 hours',
      axisTitle: 'Requests per hour',
      series: requestsSeries(rowsAt(times, rows), total),
    }),
  }));
  return pagePart('usage', usage);
}
