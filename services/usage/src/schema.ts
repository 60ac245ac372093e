import type { DatabaseSchema } from '@tollgate/store/schema/database-schema';
import { QUESTION_INDEXES } from './reconciliation/question-store.ts';
import { REQUEST_INDEXES } from './request-log/request-store.ts';
import { LEVEL_INDEXES } from './roll-up/level-store.ts';
import { KEY_USE_INDEXES } from './windows/key-use-store.ts';
import { KNOWN_NUMBER_INDEXES } from './windows/known-numbers.ts';
import { WINDOW_INDEXES } from './windows/window-store.ts';

export const usageSchema: DatabaseSchema = {
  version: 1,
  readableFrom: 1,
  indexes: {
    windows: WINDOW_INDEXES,
    known_numbers: KNOWN_NUMBER_INDEXES,
    key_uses: KEY_USE_INDEXES,
    minutes: LEVEL_INDEXES,
    hours: LEVEL_INDEXES,
    days: LEVEL_INDEXES,
    requests: REQUEST_INDEXES,
    open_questions: QUESTION_INDEXES,
  },
};
