import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { USAGE_OPERATIONS, USAGE_OUTCOMES } from '@tollgate/contracts/usage/usage';
import { operationOf, outcomeOf, visitRows } from '../packing/packed-rows.ts';
import type { LevelStore } from '../roll-up/level-store.ts';
import { type Comparison, compareDays, type ResolvedQuestion, resolveQuestions } from './compare-days.ts';
import { CHANGING_OPERATIONS, createDayCounts, type DayCounts, dayOf } from './day-counts.ts';
import { type LastResets, leaveOutResetDays } from './leave-out-reset-days.ts';
import type { QuestionStore } from './question-store.ts';
import { readChanges } from './read-changes.ts';

/** The response to a request, and a question about it, may be dated one day later than its change. */
const MARGIN_MS = DAY_MS;

/**
 * Compares payments with usage on every UTC day from `firstDay` to `lastDay`, both inclusive. `leftOut` is the number of rows
 * that cannot be compared, because the sandbox was reset.
 */
export async function reconcileUsage(
  deps: {
    questions: QuestionStore;
    days: LevelStore;
    eventsSince: Parameters<typeof readChanges>[0];
    lastResets: LastResets;
  },
  period: { firstDay: string; lastDay: string },
): Promise<{ days: Comparison[]; leftOut: number; resolved: ResolvedQuestion[] }> {
  const fromMs = Date.parse(period.firstDay) - MARGIN_MS;
  const toMs = Date.parse(period.lastDay) + DAY_MS + MARGIN_MS;
  const questions = await deps.questions.listOfAllTeams(new Date(fromMs), new Date(toMs));
  const asked = new Set(questions.map(({ request_id }) => request_id));
  const usage = await readUsageDays(deps.days, fromMs, toMs);
  const changes = await readChanges(deps.eventsSince, new Date(fromMs), asked);
  const resolved = resolveQuestions(questions, changes.byRequest);
  const compared = compareDays(period, { payments: changes.counts, usage }, resolved);
  return { ...(await leaveOutResetDays(deps.lastResets, compared)), resolved };
}

/**
 * Creations and cancellations of all teams that usage counts as succeeded, by day, from `fromMs` (inclusive) to `toMs`
 * (exclusive).
 */
async function readUsageDays(days: LevelStore, fromMs: number, toMs: number): Promise<DayCounts> {
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
