import type { UsageGroup, UsageRow } from '@tollgate/contracts/usage';

const GROUP_COLUMNS = {
  application: 'application_id',
  key: 'key_id',
  environment: 'environment',
  operation: 'operation',
  outcome: 'outcome',
} as const satisfies Record<UsageGroup, keyof UsageRow>;

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

/** Usage as a CSV file (RFC 4180), one chunk per page of rows. Ids, times and numbers never need quotes. */
export async function* usageCsv(
  pages: AsyncIterable<UsageRow[]>,
  groupBy: readonly UsageGroup[],
): AsyncGenerator<string> {
  const columns = ['at', ...groupBy.map((group) => GROUP_COLUMNS[group]), ...COUNT_COLUMNS] as const;
  yield `${columns.join(',')}\r\n`;
  for await (const rows of pages) {
    yield rows.map((row) => `${columns.map((column) => row[column] ?? '').join(',')}\r\n`).join('');
  }
}
