import type { totalUsage as contract } from '@tollgate/contracts/usage/rpc';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import { createGroupTallies, documentsOf } from './group-tallies.ts';
import { coarsestParts, parseRange } from './usage-range.ts';
import { addTally, countsOf, emptyTally, requestsOf } from './usage-tally.ts';

const DEFAULT_GROUPS = 100;

/** Usage of a whole period, most requests first. Throws `invalid-request`. */
export async function totalUsage(
  { levels, clock }: Pick<Context, 'levels' | 'clock'>,
  teamId: string,
  request: Static<typeof contract.request>,
): Promise<Static<typeof contract.reply>> {
  const tallies = createGroupTallies(request);
  for (const { division, fromMs, toMs } of coarsestParts(parseRange(request, clock.now()))) {
    const records = levels[division.granularity].list(
      documentsOf(teamId, request),
      division.documentOf(fromMs),
      toMs,
    );
    for await (const record of records) {
      const add = tallies.adder(record);
      for (const [place, { rows }] of record.slots) {
        const pointMs = division.pointAt(record.at.getTime(), place);
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
