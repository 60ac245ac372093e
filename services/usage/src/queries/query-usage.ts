import type { queryUsage as contract } from '@tollgate/contracts/usage/rpc';
import { USAGE_LIMITS, type UsageRow } from '@tollgate/contracts/usage/usage';
import { createPageBudget } from '@tollgate/store/page-budget';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import type { LevelRecord } from '../roll-up/level-store.ts';
import { createGroupTallies, type GroupTallies } from './group-tallies.ts';
import { formatPlace, type Place, parsePlace } from './usage-cursor.ts';
import { parseRange, requireFewPoints, type UsageRange } from './usage-range.ts';
import { parseSelection } from './usage-selection.ts';
import { clearTally, countsOf, requestsOf } from './usage-tally.ts';

type Request = Static<typeof contract.request>;

/** Usage over time, oldest first; groups of one point are sorted by name. Throws `invalid-request`. */
export async function queryUsage(
  { levels, clock }: Pick<Context, 'levels' | 'clock'>,
  teamId: string,
  request: Request,
): Promise<Static<typeof contract.reply>> {
  const range = parseRange(request, clock.now());
  requireFewPoints(range);
  const selection = parseSelection(teamId, request);
  const after = request.cursor === undefined ? null : parsePlace(request.cursor);
  const limit = request.limit ?? USAGE_LIMITS.rowsPerReply;

  const rows: UsageRow[] = [];
  const budget = createPageBudget();
  let last: Place | null = null;
  const { division, toMs } = range;
  const fromMs = Math.max(range.fromMs, after?.pointMs ?? 0);
  const records = levels[request.granularity].list(selection.documents, division.documentOf(fromMs), toMs);
  for await (const { row, place } of rowsOf(
    records,
    { division, fromMs, toMs },
    createGroupTallies(selection),
  )) {
    if (after && place.pointMs === after.pointMs && place.group <= after.group) continue;
    if (rows.length === limit || !budget.takes(row))
      return { data: rows, next_cursor: last && formatPlace(last), previous_cursor: null };
    rows.push(row);
    last = place;
  }
  return { data: rows, next_cursor: null, previous_cursor: null };
}

async function* rowsOf(
  records: AsyncIterable<LevelRecord>,
  range: UsageRange,
  tallies: GroupTallies,
): AsyncGenerator<{ row: UsageRow; place: Place }> {
  for await (const ofOneTime of sameTime(records)) {
    for (const [pointMs, add] of pointsOf(ofOneTime, range, tallies)) {
      for (const addRows of add) addRows();
      const at = new Date(pointMs).toISOString();
      const groups = [...tallies.groups()].filter(({ tally }) => requestsOf(tally) > 0);
      for (const { name, members, tally } of groups.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        yield { row: { at, ...members, ...countsOf(tally) }, place: { pointMs, group: name } };
        clearTally(tally);
      }
    }
  }
}

/** The range's points in order, for documents with the same start, each with the functions that add up its rows. */
function pointsOf(
  records: LevelRecord[],
  { division, fromMs, toMs }: UsageRange,
  tallies: GroupTallies,
): [number, (() => void)[]][] {
  const points = new Map<number, (() => void)[]>();
  for (const record of records) {
    const add = tallies.adder(record);
    for (const [place, { rows }] of record.slots) {
      const pointMs = division.pointAt(record.documentMs, place);
      if (pointMs < fromMs || pointMs >= toMs) continue;
      const adders = points.get(pointMs) ?? [];
      adders.push(() => add(rows));
      points.set(pointMs, adders);
    }
  }
  return [...points].sort(([a], [b]) => a - b);
}

async function* sameTime(records: AsyncIterable<LevelRecord>): AsyncGenerator<LevelRecord[]> {
  let together: LevelRecord[] = [];
  for await (const record of records) {
    if (together[0] && together[0].documentMs !== record.documentMs) {
      yield together;
      together = [];
    }
    together.push(record);
  }
  if (together.length > 0) yield together;
}
