import { USAGE_GROUPS, type UsageGroup, type UsageRow } from '@tollgate/contracts/usage/usage';
import type { CsvColumns } from './csv.ts';

const GROUP_COLUMNS = {
  application: 'application_id',
  key: 'key_id',
  environment: 'environment',
  operation: 'operation',
  outcome: 'outcome',
} as const satisfies Record<UsageGroup, keyof UsageRow>;

/** New ones are appended: readers of the file may rely on the position. */
const COUNT_COLUMNS = [
  'requests',
  'succeeded',
  'replayed',
  'client_errors',
  'rate_limited',
  'server_errors',
  'aborted',
  'p50_ms',
  'p95_ms',
  'p99_ms',
] as const satisfies (keyof UsageRow)[];

/** Columns of the export, in order: the time, the dimensions that `groupBy` names, and the counts. */
export function usageColumns(groupBy = ''): CsvColumns<UsageRow> {
  const named = new Set(groupBy.split(','));
  const groups = USAGE_GROUPS.filter((group) => named.has(group)).map((group) => GROUP_COLUMNS[group]);
  const names = ['at', ...groups, ...COUNT_COLUMNS] as const;
  return Object.fromEntries(names.map((name) => [name, (row: UsageRow) => row[name] ?? null]));
}
