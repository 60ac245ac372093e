import type { totalUsage as contract } from '@tollgate/contracts/usage/rpc';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import { coarsestParts } from './coarsest-parts.ts';
import { createGroupTallies } from './group-tallies.ts';
import { parseRange } from './usage-range.ts';
import { parseSelection } from './usage-selection.ts';
import { addTally, countsOf, emptyTally, requestsOf } from './usage-tally.ts';

const DEFAULT_GROUPS = 100;

/** Usage of a whole period, most requests first. Throws `invalid-request`. */
export async function totalUsage(
  { levels, clock }: Pick<Context, 'levels' | 'clock'>,
  teamId: string,
  request: Static<typeof contract.request>,
): Promise<Static<typeof contract.reply>> {
  const selection = parseSelection(teamId, request);
  const tallies = createGroupTallies(selection);
  for (const { division, fromMs, toMs } of coarsestParts(parseRange(request, clock.now()))) {
    const level = levels[division.granularity];
    for await (const record of level.list(selection.documents, division.documentOf(fromMs), toMs)) {
      const add = tallies.adder(record);
      for (const [place, { rows }] of record.slots) {
        const pointMs = division.pointAt(record.documentMs, place);
        if (pointMs >= fromMs && pointMs < toMs) add(rows);
      }
    }
  }
  const all = emptyTally();
  const groups = [...tallies.groups()];
  for (const { tally } of groups) addTally(all, tally);
  groups.sort((a, b) => requestsOf(b.tally) - requestsOf(a.tally) || (a.name < b.name ? -1 : 1));
  return {
    total: countsOf(all),
    groups: groups
      .slice(0, request.limit ?? DEFAULT_GROUPS)
      .map(({ members, tally }) => ({ ...members, ...countsOf(tally) })),
  };
}
