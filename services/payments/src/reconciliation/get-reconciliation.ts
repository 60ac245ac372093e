import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { getReconciliation as contract } from '@tollgate/contracts/payments/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import { jsonOf } from '@tollgate/store/json-of';
import { pageReply, parsePageRequest, readPage } from '@tollgate/store/keyset-page';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import { differenceView } from './difference.ts';

/**
 * Returns the team's payments that differ from what their processor reports.
 *
 * @throws Problem `not-found` for a processor that is built in or unknown, `invalid-request` for an unknown cursor
 */
export async function getReconciliation(
  { differences, comparisons, processors }: Context,
  actor: Actor,
  { name, environment, day, ...pageRequest }: Static<typeof contract.request>,
): Promise<Static<typeof contract.reply>> {
  requireRole(actor, 'viewer', 'read processors');
  requireEnvironment(actor, environment);
  const scope = { team_id: actor.team_id, environment, processor: name };
  const newest = await comparisons.find(scope);
  // A processor that was removed from the configuration has its comparisons still.
  if (!newest && processors.get(name)?.isBuiltIn !== false) throw nothingToCompare(name);
  const comparison = day === undefined ? newest : await comparisons.find(scope, day);
  const page = await readPage(parsePageRequest(pageRequest), (query) => differences.find(scope, day, query));
  const { data, ...cursors } = pageReply(page, (row) => ({ id: row._id, ...differenceView(row) }));
  return {
    data: data.map(({ id: _, ...difference }) => difference),
    ...cursors,
    comparison: comparison && jsonOf(comparison),
  };
}

function nothingToCompare(name: string): Problem {
  return new Problem(
    'not-found',
    `No adapter is configured for a processor "${name}", so there is nothing to compare. GET /admin/v1/processors lists the processors.`,
  );
}
