import { DAY_S } from '@tollgate/contracts/platform/durations';
import type { OpenQuestion, UsageWindow } from '@tollgate/contracts/usage/usage';
import { insertMissing } from '@tollgate/store/insert-missing';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';

/** As long as the hours are kept. */
const KEPT_S = 397 * DAY_S;

interface QuestionDocument extends Omit<OpenQuestion, 'request_id' | 'at'> {
  /** Id of the request. */
  _id: string;
  at: Date;
}

export const QUESTION_INDEXES: readonly IndexDeclaration[] = [
  {
    key: { at: 1 },
    expireAfterSeconds: KEPT_S,
    purpose: 'Open questions of a period; deletes them after 13 months',
  },
];

export type QuestionStore = ReturnType<typeof createQuestionStore>;

/** Open questions: requests whose effect the gateways could not determine. */
export function createQuestionStore(connection: Connection) {
  const collection = connection.collection<QuestionDocument>('open_questions');

  return {
    async insertMissing(windows: readonly UsageWindow[]): Promise<void> {
      const questions = windows.flatMap(({ open_questions }) => open_questions);
      await insertMissing(collection, questions, ({ request_id, at, ...rest }) => ({
        _id: request_id,
        at: new Date(at),
        ...rest,
      }));
    },

    /** For reconciliation, of all teams: questions from `from` (inclusive) to `to` (exclusive), in ascending order. */
    async listOfAllTeams(from: Date, to: Date): Promise<OpenQuestion[]> {
      const documents = await collection
        .find({ at: { $gte: from, $lt: to } })
        .sort({ at: 1 })
        .toArray();
      return documents.map(({ _id, at, ...rest }) => ({ request_id: _id, at: at.toISOString(), ...rest }));
    },
  };
}
