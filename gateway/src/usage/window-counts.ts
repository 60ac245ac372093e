import { bucketOf } from '@tollgate/contracts/usage/log-linear-histogram';
import type { LoggedError } from '@tollgate/contracts/usage/logged-error';
import { formatRequestLine } from '@tollgate/contracts/usage/request-line';
import {
  type OpenQuestion,
  USAGE_LIMITS,
  type UsageOutcome,
  type UsageWindow,
  type UsageWindowRow,
} from '@tollgate/contracts/usage/usage';
import type { UsageCaller, UsageRecord } from './usage-record.ts';

type Counted = Pick<UsageRecord, 'caller' | 'operation' | 'durationUs'> & { outcome: UsageOutcome };

/** The requests of one window: counted by caller and outcome, and one by one for the log. */
export interface WindowCounts {
  /** Counts and logs a request, and returns what the file needs to do the same. */
  add(record: UsageRecord): Added;
  ask(question: OpenQuestion): void;
  /** True when one more request might not fit into a message. */
  isFull(): boolean;
  toWindow(name: Pick<UsageWindow, 'gateway_id' | 'number' | 'at'>): UsageWindow;
}

export interface Added {
  /** The line of the request in the log. */
  line: string;
  errors: LoggedError[];
  /** Index of its caller, if it is the caller's first request; otherwise null. */
  newCaller: number | null;
  question: OpenQuestion | null;
}

export function createWindowCounts(): WindowCounts {
  const rows = new Map<string, Omit<UsageWindowRow, 'latency'> & { latency: Map<number, number> }>();
  const questions: OpenQuestion[] = [];
  const indexes = new Map<string, number>();
  const callers: UsageCaller[] = [];
  const lines: string[] = [];
  const errors: NonNullable<UsageWindow['log']['errors']> = [];
  let errorCount = 0;

  function count({ caller, operation, outcome, durationUs }: Counted): void {
    const key = `${caller.key_id} ${operation} ${outcome}`;
    let row = rows.get(key);
    if (!row) {
      row = { ...caller, operation, outcome, requests: 0, latency: new Map() };
      rows.set(key, row);
    }
    row.requests += 1;
    const bucket = bucketOf(durationUs);
    row.latency.set(bucket, (row.latency.get(bucket) ?? 0) + 1);
  }

  /** A rejected key of one environment can be sent to the other one. */
  function indexOf(caller: UsageCaller): { index: number; isNew: boolean } {
    const key = `${caller.key_id} ${caller.environment}`;
    const known = indexes.get(key);
    if (known !== undefined) return { index: known, isNew: false };
    const index = callers.push(caller) - 1;
    indexes.set(key, index);
    return { index, isNew: true };
  }

  return {
    ask: (question) => void questions.push(question),

    add(record) {
      const { caller, operation, outcome, errors: ofRecord } = record;
      const { index, isNew } = indexOf(caller);
      const line = formatRequestLine({ ...record, caller: index });
      lines.push(line);
      if (ofRecord.length > 0) errors.push({ line: lines.length - 1, errors: ofRecord });
      errorCount += ofRecord.length;
      const added = { line, errors: ofRecord, newCaller: isNew ? index : null };
      if (outcome === null) return { ...added, question: null };
      count({ caller, operation, outcome, durationUs: record.durationUs });
      const question = record.question && {
        ...record.question,
        ...caller,
        operation,
        outcome,
        request_id: record.id,
      };
      if (question) questions.push(question);
      return { ...added, question };
    },

    isFull: () =>
      lines.length >= USAGE_LIMITS.loggedPerWindow ||
      errorCount >= USAGE_LIMITS.errorsPerWindow ||
      rows.size >= USAGE_LIMITS.rowsPerWindow ||
      questions.length >= USAGE_LIMITS.openQuestionsPerWindow,

    toWindow: (name) => ({
      ...name,
      rows: [...rows.values()].map(({ latency, ...row }) => ({
        ...row,
        latency: [...latency].sort(([a], [b]) => a - b),
      })),
      open_questions: questions,
      log: { callers, lines, ...(errors.length > 0 && { errors }) },
    }),
  };
}
