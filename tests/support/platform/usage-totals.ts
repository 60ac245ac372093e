import { totalUsage } from '@tollgate/contracts/usage/rpc';
import type { UsageTotal } from '@tollgate/contracts/usage/usage';
import type { TestMember } from './test-team.ts';

/** Usage arrives within a few seconds, and later on a busy machine. */
export const COUNTED_WITHIN = { timeoutMs: 30_000, intervalMs: 250 };

/** The team's usage from yesterday to tomorrow, by operation. */
export async function usageByOperation(
  member: TestMember,
  applicationId: string,
): Promise<Partial<Record<NonNullable<UsageTotal['operation']>, UsageTotal>>> {
  const { groups } = await member.call(totalUsage, {
    from: new Date(Date.now() - 24 * 3_600_000).toISOString(),
    to: new Date(Date.now() + 24 * 3_600_000).toISOString(),
    granularity: 'day',
    application_id: applicationId,
    group_by: 'operation',
  });
  return Object.fromEntries(groups.map((group) => [group.operation, group]));
}
