/** One index of the history: a team's payments in one environment with one value at `path`, by creation time. */
export interface HistoryIndex {
  name: string;
  /** Null: all payments of the environment. */
  path: string | null;
  /** True when the index contains only payments with text at `path`; most have none. */
  isPartial: boolean;
}

export const HISTORY_INDEXES = {
  reference: { name: 'history_reference', path: 'reference', isPartial: true },
  payerEmail: { name: 'history_payer_email', path: 'payer.email', isPartial: true },
  application: { name: 'history_application', path: 'application_id', isPartial: false },
  status: { name: 'history_status', path: 'status', isPartial: false },
  currency: { name: 'history_currency', path: 'currency', isPartial: false },
  all: { name: 'history', path: null, isPartial: false },
} as const satisfies Record<string, HistoryIndex>;

/** Fields of the index, all in one direction: reading the index backwards reverses the order. */
export function historyKey({ path }: HistoryIndex, direction: 1 | -1 = 1): Record<string, 1 | -1> {
  return {
    team_id: direction,
    environment: direction,
    ...(path !== null && { [path]: direction }),
    created_at: direction,
    _id: direction,
  };
}
