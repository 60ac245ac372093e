import { bucketOf } from '@tollgate/contracts/log-linear-histogram';
import {
  type OpenQuestion,
  USAGE_LIMITS,
  type UsageWindow,
  type UsageWindowRow,
} from '@tollgate/contracts/usage';
import type { UsageRecord } from './usage-record.ts';

/** Requests of one window by caller and outcome. */
export interface WindowCounts {
  add(record: Omit<UsageRecord, 'question'>): void;
  ask(question: OpenQuestion): void;
  /** True when one more row or question might not fit into a message. */
  isFull(): boolean;
  toWindow(name: Pick<UsageWindow, 'gateway_id' | 'number' | 'at'>): UsageWindow;
}

export function createWindowCounts(): WindowCounts {
  const rows = new Map<string, Omit<UsageWindowRow, 'latency'> & { latency: Map<number, number> }>();
  const questions: OpenQuestion[] = [];

  return {
    add({ caller, operation, outcome, durationUs }) {
      const key = `${caller.key_id} ${operation} ${outcome}`;
      let row = rows.get(key);
      if (!row) {
        row = { ...caller, operation, outcome, requests: 0, latency: new Map() };
        rows.set(key, row);
      }
      row.requests += 1;
      const bucket = bucketOf(durationUs);
      row.latency.set(bucket, (row.latency.get(bucket) ?? 0) + 1);
    },

    ask: (question) => void questions.push(question),

    isFull: () =>
      rows.size >= USAGE_LIMITS.rowsPerWindow || questions.length >= USAGE_LIMITS.openQuestionsPerWindow,

    toWindow: (name) => ({
      ...name,
      rows: [...rows.values()].map(({ latency, ...row }) => ({
        ...row,
        latency: [...latency].sort(([a], [b]) => a - b),
      })),
      open_questions: questions,
    }),
  };
}
