import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tollgate/contracts/platform/durations';
import type { Clock } from '@tollgate/runtime/clock';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { createResetStore } from '../sandbox-reset/sandbox-reset.ts';
import type { CountedPayments, CountedPeriod, CountedRow } from './counted-payments.ts';
import { marksOf } from './marks-of-payment.ts';
import { type RollUp, startOf, UNIT_MS } from './roll-up.ts';
import type { RollUpStore } from './roll-up-store.ts';

/** When changes were not followed for longer, there may be too many to read. Payments are then counted one by one. */
const FOLLOWED_WITHIN_MS = 10 * MINUTE_MS;

const COUNTED_MS = { hour: HOUR_MS, day: DAY_MS } as const;

export interface CountDeps {
  rollUps: RollUpStore;
  counted: CountedPayments;
  resets: Pick<ReturnType<typeof createResetStore>, 'findNewest'>;
  clock: Clock;
}

export interface Counted {
  rows: CountedRow[];
  /** False if payments that an earlier release wrote may be missing, because their changes are not followed yet. */
  isComplete: boolean;
}

/** A part of the time. The end is exclusive. */
interface Range {
  from: number;
  to: number;
}

/**
 * Counts a team's payments in a period, each exactly once as it is while they are counted. Days and quarters of an hour come from the
 * roll-ups, unless a payment in them has changed since. Those, and what is left at both ends, are counted one by one.
 */
export async function countPayments(deps: CountDeps, period: CountedPeriod): Promise<Counted> {
  const { rollUps, counted } = deps;
  // Before the roll-ups: a change that is followed in between is in one of both.
  const changed = await changedQuarters(deps, period);
  const whole = changed && wholeQuarters(period);
  if (!whole) {
    const rows = await counted.count(period, QUERY_TIME_MS);
    return { rows, isComplete: period.basis === 'created' || changed !== null };
  }
  const { used, outdated } = await readRollUps(rollUps, period, { whole, changed });
  const rest = merged([
    { from: period.from.getTime(), to: whole.from },
    ...outdated.map((from) => ({ from, to: from + UNIT_MS.quarter })),
    { from: whole.to, to: period.to.getTime() },
  ]);
  const further = await Promise.all(
    rest.map(({ from, to }) =>
      counted.count({ ...period, from: new Date(from), to: new Date(to) }, QUERY_TIME_MS),
    ),
  );
  const rows = used.flatMap((rollUp) => rowsOf(rollUp, period));
  return { rows: [...rows, ...further.flat()], isComplete: true };
}

/** The days and quarters of an hour that are current, and the starts of the quarters that are not. */
async function readRollUps(
  rollUps: RollUpStore,
  { teamId: team_id, environment, basis, unit }: CountedPeriod,
  { whole, changed }: { whole: Range; changed: ReadonlySet<number> },
): Promise<{ used: RollUp[]; outdated: number[] }> {
  const read = (unit: 'quarter' | 'day', { from, to }: Range) =>
    rollUps.read({ team_id, environment, basis }, unit, new Date(from), new Date(to));
  const changedDays = new Set([...changed].map(dayOf));
  const days = await read('day', { from: dayOf(whole.from), to: whole.to });
  const usedDays = days.filter((day) => {
    const at = day.at.getTime();
    const isWhole = at >= whole.from && at + UNIT_MS.day <= whole.to;
    return unit === 'day' && isWhole && isCurrent(day) && !changedDays.has(at);
  });
  const used = new Set(usedDays);
  const others = days.filter((day) => !used.has(day)).map(({ at }) => at.getTime());
  const divided = merged([...others, ...changedDays].map((from) => ({ from, to: from + UNIT_MS.day })));
  const quarters = (await Promise.all(divided.map((range) => read('quarter', within(range, whole))))).flat();
  const isUsed = (quarter: RollUp) => isCurrent(quarter) && !changed.has(quarter.at.getTime());
  return {
    used: [...usedDays, ...quarters.filter(isUsed)],
    outdated: [
      ...quarters.filter((quarter) => !isUsed(quarter)).map(({ at }) => at.getTime()),
      ...[...changed].filter((at) => at >= whole.from && at < whole.to),
    ],
  };
}

/** Starts of the quarters of an hour in which payments have changed that roll-ups may not know. Null if it could be any quarter. */
async function changedQuarters(
  { rollUps, counted, resets, clock }: CountDeps,
  { teamId, environment, basis }: CountedPeriod,
): Promise<Set<number> | null> {
  const position = await rollUps.position();
  if (!position || position.updatedAt.getTime() < clock.now() - FOLLOWED_WITHIN_MS) return null;
  if (environment === 'sandbox') {
    const reset = await resets.findNewest(teamId);
    if (reset && !reset.is_counted) return null;
  }
  const changed = await counted.changesOfTeam(teamId, environment, position.updatedAt, QUERY_TIME_MS);
  const marks = (await counted.withSucceededAt(changed)).flatMap(marksOf);
  return new Set(
    marks.filter((mark) => mark.basis === basis).map(({ at }) => startOf('quarter', at).getTime()),
  );
}

/** The part of the period that consists of whole quarters of an hour. Null if there is none. */
function wholeQuarters({ from, to }: CountedPeriod): Range | null {
  const whole = {
    from: Math.ceil(from.getTime() / UNIT_MS.quarter) * UNIT_MS.quarter,
    to: startOf('quarter', to).getTime(),
  };
  return whole.from < whole.to ? whole : null;
}

function isCurrent({ due_at, rows }: RollUp): boolean {
  return due_at === undefined && rows !== undefined;
}

function rowsOf({ rows = [], at }: RollUp, { unit }: CountedPeriod): CountedRow[] {
  const start = new Date(Math.floor(at.getTime() / COUNTED_MS[unit]) * COUNTED_MS[unit]);
  return rows.map((row) => ({ ...row, at: start }));
}

function dayOf(ms: number): number {
  return startOf('day', new Date(ms)).getTime();
}

function within(range: Range, { from, to }: Range): Range {
  return { from: Math.max(range.from, from), to: Math.min(range.to, to) };
}

/** In ascending order, without empty ranges, and ranges that touch or overlap as one. */
function merged(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const range of ranges.filter(({ from, to }) => from < to).toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && range.from <= last.to) last.to = Math.max(last.to, range.to);
    else result.push({ ...range });
  }
  return result;
}
