import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { SummaryPeriod } from '@tollgate/contracts/payments/payment-history';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { nameKeys } from '../requests/name-keys.ts';
import { readRows, readTotal } from '../usage/read-usage.ts';
import { comparableBefore, rangeOfPeriod, timesOf, type UsageRange } from '../usage/usage-range.ts';
import { rowsAt } from '../usage/usage-series.ts';

const ERRORS_SHOWN = 5;
const GRANULARITY = { '24h': 'hour', '7d': 'day', '30d': 'day' } as const;

export type ApiLatency = Awaited<ReturnType<typeof readApiLatency>>;

/** How fast the API responds, in milliseconds; null without requests. */
export async function readApiLatency(
  admin: AdminClient,
  environment: Environment,
  { period, nowMs }: { period: SummaryPeriod; nowMs: number },
) {
  const range = rangeOf(period, nowMs);
  const [total, before, rows] = await Promise.all([
    readTotal(admin, { environment }, range),
    readTotal(admin, { environment }, comparableBefore(range, nowMs)),
    readRows(admin, { environment }, range),
  ]);
  return {
    p95Ms: total.p95_ms,
    previousP95Ms: before.p95_ms,
    /** By hour or day, oldest first. */
    trend: rowsAt(timesOf(range), rows).map((row) => row?.p95_ms ?? null),
  };
}

/** The newest requests of the period that the API rejected or failed to process. */
export async function readApiErrors(
  admin: AdminClient,
  environment: Environment,
  { period, nowMs }: { period: SummaryPeriod; nowMs: number },
) {
  const query = {
    environment,
    created_from: new Date(rangeOf(period, nowMs).fromMs).toISOString(),
    limit: ERRORS_SHOWN,
  };
  const [rejected, failed] = await Promise.all([
    admin.call(ADMIN_ROUTES.listRequests, { ...query, status: '4xx' }),
    admin.call(ADMIN_ROUTES.listRequests, { ...query, status: '5xx' }),
  ]);
  const newest = [...rejected.data, ...failed.data]
    .toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
    .slice(0, ERRORS_SHOWN);
  return nameKeys(admin, newest);
}

function rangeOf(period: SummaryPeriod, nowMs: number): UsageRange {
  return rangeOfPeriod(period, nowMs, GRANULARITY[period]);
}
