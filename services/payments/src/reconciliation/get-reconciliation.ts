import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Comparison } from '@tollgate/contracts/payments/payment-difference';
import type { getReconciliation as contract } from '@tollgate/contracts/payments/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import { pageReply, parsePageRequest, readPage } from '@tollgate/store/keyset-page';
import type { Static } from 'typebox';
import type { Processors } from '../processors/processor.ts';
import type { ComparisonStore } from './comparison-store.ts';
import { differenceView } from './difference.ts';
import type { DifferenceStore } from './difference-store.ts';

/**
 * Returns the team's payments that differ from what their processor reports.
 *
 * @throws Problem `not-found` for a processor that is built in or unknown, `invalid-request` for an unknown cursor
 */
export async function getReconciliation(
  deps: { differences: DifferenceStore; comparisons: ComparisonStore; processors: Processors },
  actor: Actor,
  { name, environment, day, ...pageRequest }: Static<typeof contract.request>,
): Promise<Static<typeof contract.reply>> {
  requireRole(actor, 'viewer', 'read processors');
  requireEnvironment(actor, environment);
  const scope = { team_id: actor.team_id, environment, processor: name };
  const newest = await deps.comparisons.find(scope);
  // A processor that was removed from the configuration has its comparisons still.
  if (!newest && deps.processors.get(name)?.isBuiltIn !== false) throw nothingToCompare(name);
  const comparison = day === undefined ? newest : await deps.comparisons.find(scope, day);
  const page = await readPage(parsePageRequest(pageRequest), async (query) => {
    const differences = await deps.differences.find(scope, day, query);
    return differences.map((difference) => ({ id: difference._id, view: differenceView(difference) }));
  });
  const { data, ...cursors } = pageReply(page, (row) => row);
  return {
    data: data.map(({ view }) => view),
    ...cursors,
    comparison: comparison && comparisonView(comparison),
  };
}

function comparisonView({
  day,
  started_at,
  completed_at,
  comparedPayments,
}: NonNullable<Awaited<ReturnType<ComparisonStore['find']>>>): Comparison {
  return {
    day,
    started_at: started_at.toISOString(),
    completed_at: completed_at?.toISOString() ?? null,
    compared_payments: comparedPayments,
  };
}

function nothingToCompare(name: string): Problem {
  return new Problem(
    'not-found',
    `No adapter is configured for a processor "${name}", so there is nothing to compare. GET /admin/v1/processors lists the processors.`,
  );
}
