import { UsageRow } from '@tollgate/contracts/usage/usage';
import { expect, test } from 'vitest';
import { exampleUsageRow } from '../../test/support/examples.ts';
import { csvHeader, csvRow } from './csv.ts';
import { usageColumns } from './usage-columns.ts';

const COUNTS =
  'requests,succeeded,replayed,client_errors,rate_limited,server_errors,aborted,p50_ms,p95_ms,p99_ms';

test.each([
  [undefined, `at,${COUNTS}`],
  ['application', `at,application_id,${COUNTS}`],
  ['operation', `at,operation,${COUNTS}`],
  ['key,application', `at,application_id,key_id,${COUNTS}`],
  ['key,key', `at,key_id,${COUNTS}`],
])(
  'the CSV file of usage has a column for each dimension in group_by=%s, before the counts',
  (groupBy, header) => {
    expect(csvHeader(usageColumns(groupBy))).toBe(`\ufeff${header}\r\n`);
  },
);

test('the CSV file of usage leaves the cell of an unknown latency empty', () => {
  const row = exampleUsageRow({ operation: 'read_payment', p50_ms: 1.5, p95_ms: null, p99_ms: null });
  expect(csvRow(usageColumns('operation'), row)).toBe(
    '2026-01-01T00:00:00.000Z,read_payment,21,1,2,3,4,5,6,1.5,,\r\n',
  );
});

test('the CSV file of usage has a column for every field of a row', () => {
  const columns = Object.keys(usageColumns('application,key,environment,operation,outcome'));
  expect(columns.toSorted()).toEqual(Object.keys(UsageRow.properties).toSorted());
});
