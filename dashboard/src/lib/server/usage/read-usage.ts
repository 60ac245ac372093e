import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { pagesOf } from '@tollgate/admin-client/pages';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { USAGE_LIMITS, type UsageRow, type UsageTotal } from '@tollgate/contracts/usage/usage';
import type { UsageBreakdown } from '#lib/usage/usage-labels.ts';
import type { CountedUsage } from './usage-filters.ts';
import { comparableBefore, previousOf, requestOf, type UsageRange, type UsageSpan } from './usage-range.ts';

/** The filters of the requests to count, in one environment. */
export type UsageQuery = CountedUsage & { environment: Environment };

export type UsageOfRange = Awaited<ReturnType<typeof readUsage>>;

const GROUPS_SHOWN = 25;
/** `group_by` of the table and of its export. A key is shown with its application. */
export const GROUP_BY: Record<UsageBreakdown, string> = {
  application: 'application',
  key: 'application,key',
  operation: 'operation',
};

/** Reads everything that the page shows of a range. */
export async function readUsage(
  admin: AdminClient,
  query: UsageQuery,
  { range, by, nowMs }: { range: UsageRange; by: UsageBreakdown; nowMs: number },
) {
  const [rows, previousRows, { total, groups }, before, progress] = await Promise.all([
    readRows(admin, query, range),
    readRows(admin, query, previousOf(range)),
    admin.call(ADMIN_ROUTES.totalUsage, {
      ...query,
      ...requestOf(range),
      group_by: GROUP_BY[by],
      limit: GROUPS_SHOWN,
    }),
    readTotal(admin, query, comparableBefore(range, nowMs)),
    admin.call(ADMIN_ROUTES.usageProgress, {}),
  ]);
  return {
    range,
    rows,
    previousRows,
    total,
    /** The total of the comparable part of the previous period. */
    before,
    /** Most requests first. */
    groups,
    /** Requests before this time are counted; null before the team has any usage. */
    countedTo: progress.complete_to,
  };
}

export async function readTotal(admin: AdminClient, query: UsageQuery, span: UsageSpan): Promise<UsageTotal> {
  const { total } = await admin.call(ADMIN_ROUTES.totalUsage, { ...query, ...requestOf(span), limit: 1 });
  return total;
}

/** Reads the rows of a span, oldest first. */
export async function readRows(admin: AdminClient, query: UsageQuery, span: UsageSpan): Promise<UsageRow[]> {
  const request = { ...query, ...requestOf(span), limit: USAGE_LIMITS.rowsPerReply };
  const pages = await Array.fromAsync(pagesOf(admin, ADMIN_ROUTES.queryUsage, request));
  return pages.flatMap(({ data }) => data);
}
