/** One index of the history: a team's payments in one environment with the same values at `paths`, by a time. */
export interface HistoryIndex {
  name: string;
  /** The time that orders the payments, by default that of their creation. The index of another one has only payments with it. */
  time?: 'created_at' | 'succeeded_at';
  /** Empty: all payments of the environment. */
  paths: readonly string[];
  /** Whether a payment has several values. */
  isMultikey?: true;
}

export type IndexValue = string | number;

/** The payments with a value in a range at the last path of the index. */
export interface ValueRange {
  index: HistoryIndex;
  /** At the paths before it. */
  stem: readonly IndexValue[];
  /** Inclusive. */
  from: IndexValue;
  /** The least value above `from`. */
  second: IndexValue;
  /** Exclusive. */
  to: IndexValue;
  /** Whether all payments with the value `from` meet all conditions. */
  isCovering: boolean;
}

export const HISTORY_INDEXES = {
  search: { name: 'history_search', paths: ['search_keys'], isMultikey: true },
  amount: { name: 'history_amount', paths: ['currency', 'amount'] },
  application: { name: 'history_application', paths: ['application_id'] },
  status: { name: 'history_status', paths: ['status'] },
  currency: { name: 'history_currency', paths: ['currency'] },
  succeeded: { name: 'history_succeeded', paths: [], time: 'succeeded_at' },
  all: { name: 'history', paths: [] },
} as const satisfies Record<string, HistoryIndex>;

/** Fields of the index, all in one direction: reading the index backwards reverses the order. */
export function historyKey(
  { paths, time = 'created_at' }: HistoryIndex,
  direction: 1 | -1 = 1,
): Record<string, 1 | -1> {
  return {
    team_id: direction,
    environment: direction,
    ...Object.fromEntries(paths.map((path) => [path, direction])),
    [time]: direction,
    _id: direction,
  };
}
