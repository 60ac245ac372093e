import type { OpenQuestion } from '@tollgate/contracts/usage';
import { createDayCounts, type DayCounts, type DayKey, dayOf, nameOf } from './day-counts.ts';
import type { KeyChange } from './read-changes.ts';

/** A day on which payments and usage say different numbers, and what of that open questions explain. */
export interface Comparison extends DayKey {
  payments: number;
  usage: number;
  /** Changes more than usage counted, as open questions tell: their requests were counted otherwise, or on another day. */
  explained: number;
  /** Changes that nobody explains: more than usage counted, or, below 0, fewer. */
  difference: number;
}

/** An open question with what payments knows of its request. */
export interface AnsweredQuestion {
  question: OpenQuestion;
  /** What the request changed; null for nothing. */
  change: KeyChange | null;
}

export function answerQuestions(
  questions: readonly OpenQuestion[],
  changes: ReadonlyMap<string, KeyChange>,
): AnsweredQuestion[] {
  return questions.map((question) => ({ question, change: changes.get(question.request_id) ?? null }));
}

/** Every day of the period, first to last, on which there was anything. */
export function compareDays(
  { firstDay, lastDay }: { firstDay: string; lastDay: string },
  counted: { payments: DayCounts; usage: DayCounts },
  answers: readonly AnsweredQuestion[],
): Comparison[] {
  const explained = explainedBy(answers);
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

/** How many changes more than usage payments has, because of these. */
function explainedBy(answers: readonly AnsweredQuestion[]): DayCounts {
  const explained = createDayCounts();
  for (const { question, change } of answers) {
    if (!change) continue;
    explained.add(change, 1);
    // It was counted as succeeded, on the day of its response. The others were counted as what they looked like.
    if (question.reason === 'other_day') explained.add({ ...change, day: dayOf(question.at) }, -1);
  }
  return explained;
}
