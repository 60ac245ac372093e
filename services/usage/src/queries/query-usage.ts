import type { queryUsage as contract } from '@tollgate/contracts/usage/rpc';
import { USAGE_LIMITS, type UsageRow } from '@tollgate/contracts/usage/usage';
import { decodeCursor, encodeCursor, invalidCursor } from '@tollgate/store/cursor';
import { createPageBudget } from '@tollgate/store/page-budget';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import type { LevelRecord } from '../roll-up/level-store.ts';
import { createGroupTallies, documentsOf, type GroupTallies } from './group-tallies.ts';
import { parseRange, requireFewPoints, type UsageRange } from './usage-range.ts';
import { clearTally, countsOf, requestsOf } from './usage-tally.ts';

/** Usage over time, oldest first; groups of one point are sorted by name. Throws `invalid-request`. */
export async function queryUsage(
  { levels, clock }: Pick<Context, 'levels' | 'clock'>,
  teamId: string,
  request: Static<typeof contract.request>,
): Promise<Static<typeof contract.reply>> {
  const range = parseRange(request, clock.now());
  requireFewPoints(range);
  const after = request.cursor === undefined ? null : parsePlace(request.cursor);
  const limit = request.limit ?? USAGE_LIMITS.rowsPerReply;

  const rows: UsageRow[] = [];
  const budget = createPageBudget();
  let last: Place | null = null;
  const { division, toMs } = range;
  const fromMs = Math.max(range.fromMs, after?.pointMs ?? 0);
  const records = levels[request.granularity].list(
    documentsOf(teamId, request),
    division.documentOf(fromMs),
    toMs,
  );
  for await (const { row, place } of rowsOf(
    records,
    { division, fromMs, toMs },
    createGroupTallies(request),
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
      const pointMs = division.pointAt(record.at.getTime(), place);
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
    if (together[0] && together[0].at.getTime() !== record.at.getTime()) {
      yield together;
      together = [];
    }
    together.push(record);
  }
  if (together.length > 0) yield together;
}

/** The last group of a page, and its point. A cursor contains them. */
interface Place {
  pointMs: number;
  group: string;
}

function formatPlace({ pointMs, group }: Place): string {
  return encodeCursor(`${pointMs}:${group}`);
}

/** Throws `invalid-request` for a cursor that no page returned. */
function parsePlace(cursor: string): Place {
  const [, pointMs, group] = /^(\d{1,15}):([\w ]*)$/.exec(decodeCursor(cursor)) ?? [];
  if (pointMs === undefined || group === undefined)
    throw invalidCursor('Send `next_cursor` of the previous page, unchanged.');
  return { pointMs: Number(pointMs), group };
}
