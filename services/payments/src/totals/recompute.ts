import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { Context } from '../context.ts';
import { endOf, type RollUp, sumRows, type TotalRow } from './roll-up.ts';

/** Quarters, and days, of one run: changes must be followed in between. */
const BATCH_SIZE = 1_000;
/** Nobody waits for it. */
const COUNT_TIME_MS = 20 * SECOND_MS;

type RecomputeDeps = Pick<Context, 'rollUps' | 'counted' | 'clock' | 'logger' | 'stopping'>;

/**
 * Computes the rows that are due: those of a quarter from its payments, those of a day from its quarters. The version is read before
 * what the rows are computed from, and the rows are written only if it is the same afterwards.
 */
export async function recomputeDue(deps: RecomputeDeps): Promise<void> {
  const { rollUps, clock, stopping } = deps;
  for (const unit of ['quarter', 'day'] as const) {
    for (const rollUp of await rollUps.listDue(unit, new Date(clock.now()), BATCH_SIZE)) {
      if (stopping.aborted) return;
      await recompute(deps, rollUp);
    }
  }
}

async function recompute(deps: RecomputeDeps, rollUp: RollUp): Promise<void> {
  const { rollUps, clock, logger } = deps;
  try {
    const rows = await (rollUp.unit === 'quarter' ? rowsOfQuarter(deps, rollUp) : rowsOfDay(deps, rollUp));
    if (rows) return await rollUps.write(rollUp, rows);
  } catch (error) {
    // One that cannot be counted must not stop the others. Totals count its payments one by one meanwhile.
    logger.error(
      { err: error, team_id: rollUp.team_id },
      'payments of a period could not be counted; retrying',
    );
  }
  await rollUps.postpone(rollUp, new Date(clock.now()));
}

async function rowsOfQuarter({ counted }: RecomputeDeps, rollUp: RollUp): Promise<TotalRow[]> {
  const { team_id: teamId, environment, basis, at: from } = rollUp;
  const period = { teamId, environment, basis, from, to: endOf(rollUp), unit: 'day' } as const;
  return (await counted.count(period, COUNT_TIME_MS)).map(({ at: _, ...row }) => row);
}

/** Null while a quarter of the day is due itself. */
async function rowsOfDay({ rollUps }: RecomputeDeps, day: RollUp): Promise<TotalRow[] | null> {
  const { team_id, environment, basis, at } = day;
  const quarters = await rollUps.read({ team_id, environment, basis }, 'quarter', at, endOf(day));
  return quarters.some(({ due_at }) => due_at) ? null : sumRows(quarters.flatMap(({ rows = [] }) => rows));
}
