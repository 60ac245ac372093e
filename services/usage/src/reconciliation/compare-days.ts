import type { OpenQuestion } from '@tollgate/contracts/usage/usage';
import { createDayCounts, type DayCounts, type DayKey, dayOf, nameOf } from './day-counts.ts';
import type { KeyChange } from './read-changes.ts';

/**
 * A day on which the numbers of payments and usage differ, and the part of the difference that open questions explain.
 */
export interface Comparison extends DayKey {
  payments: number;
  usage: number;
  /**
   * Changes beyond those that usage counted, explained by open questions: usage counted their requests with another
   * outcome or on another day.
   */
  explained: number;
  /** Unexplained changes: positive when payments has more than usage counted, negative when it has fewer. */
  difference: number;
}

/** An open question with the change that payments recorded for its request. */
export interface ResolvedQuestion {
  question: OpenQuestion;
  /** The change that the request made; null for none. */
  change: KeyChange | null;
}

export function resolveQuestions(
  questions: readonly OpenQuestion[],
  changes: ReadonlyMap<string, KeyChange>,
): ResolvedQuestion[] {
  return questions.map((question) => ({ question, change: changes.get(question.request_id) ?? null }));
}

/** Every day of the period with any changes, in order. */
export function compareDays(
  { firstDay, lastDay }: { firstDay: string; lastDay: string },
  counted: { payments: DayCounts; usage: DayCounts },
  resolved: readonly ResolvedQuestion[],
): Comparison[] {
  const explained = explainedBy(resolved);
  const { payments, usage } = counted;
  const keys = new Map(
    [payments, usage, explained].flatMap((counts) => counts.keys().map((key) => [nameOf(key), key])),
  );
  return [...keys]
    .filter(([, { day }]) => day >= firstDay && day <= lastDay)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, key]) => {
      const of = { payments: payments.get(key), usage: usage.get(key), explained: explained.get(key) };
      return { ...key, ...of, difference: of.payments - of.usage - of.explained };
    });
}

/** The surplus of changes in payments over usage that these open questions explain. */
function explainedBy(questions: readonly ResolvedQuestion[]): DayCounts {
  const explained = createDayCounts();
  for (const { question, change } of questions) {
    if (!change) continue;
    explained.add(change, 1);
    // This request was counted as succeeded, on the day of its response. The others were counted with the outcome that
    // the gateway assumed.
    if (question.reason === 'other_day') explained.add({ ...change, day: dayOf(question.at) }, -1);
  }
  return explained;
}
