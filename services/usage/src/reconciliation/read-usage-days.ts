import { USAGE_OPERATIONS, USAGE_OUTCOMES } from '@tollgate/contracts/usage/usage';
import { operationOf, outcomeOf, visitRows } from '../packing/packed-rows.ts';
import type { LevelStore } from '../roll-up/level-store.ts';
import { CHANGING_OPERATIONS, createDayCounts, type DayCounts, dayOf } from './day-counts.ts';

/**
 * Creations and cancellations of all teams that usage counts as succeeded, by day, from `fromMs` (inclusive) to `toMs`
 * (exclusive).
 */
export async function readUsageDays(days: LevelStore, fromMs: number, toMs: number): Promise<DayCounts> {
  const counts = createDayCounts();
  for await (const record of days.listOfAllTeams(days.division.documentOf(fromMs), toMs)) {
    const { team_id, application_id, environment } = record;
    for (const [place, { rows }] of record.slots) {
      const day = dayOf(new Date(days.division.pointAt(record.at.getTime(), place)));
      visitRows(rows, (_key, kind, requests) => {
        const operation = CHANGING_OPERATIONS.find((name) => name === USAGE_OPERATIONS[operationOf(kind)]);
        if (operation && USAGE_OUTCOMES[outcomeOf(kind)] === 'succeeded')
          counts.add({ day, team_id, application_id, environment, operation }, requests);
        return null;
      });
    }
  }
  return counts;
}
