/** The columns that a member can choose. Amount and status are always shown. */
export const PAYMENT_COLUMNS = {
  id: 'ID',
  reference: 'Reference',
  payer: 'Payer',
  failure: 'Failure',
  application: 'Application',
  created: 'Created',
} as const;
export type PaymentColumn = keyof typeof PAYMENT_COLUMNS;

/** How the list of payments looks in this browser. */
export interface TableView {
  isCompact: boolean;
  columns: readonly PaymentColumn[];
}

export const DEFAULT_TABLE_VIEW: TableView = {
  isCompact: false,
  columns: ['reference', 'payer', 'failure', 'application', 'created'],
};

export const TABLE_VIEW_COOKIE = 'payment_table';

const COMPACT = 'compact';
const SEPARATOR = '.';

/** Ignores what only a later release knows. */
export function readTableView(cookie: string | undefined): TableView {
  if (cookie === undefined) return DEFAULT_TABLE_VIEW;
  const words = cookie.split(SEPARATOR);
  return { isCompact: words.includes(COMPACT), columns: knownColumns(words) };
}

export function writeTableView({ isCompact, columns }: TableView): string {
  return [isCompact ? COMPACT : 'comfortable', ...columns].join(SEPARATOR);
}

/** In the order of the table. */
export function knownColumns(names: readonly string[]): PaymentColumn[] {
  return (Object.keys(PAYMENT_COLUMNS) as PaymentColumn[]).filter((column) => names.includes(column));
}
