import type { UsageRow } from '@tollgate/contracts/usage';
import { expect, it } from 'vitest';
import { usageCsv } from './usage-csv.ts';

it('usage as CSV has one line per row of each page, with the group before the counts and empty cells for missing latencies', async () => {
  const row: UsageRow = {
    at: '2026-11-20T08:00:00.000Z',
    operation: 'read_payment',
    requests: 21,
    succeeded: 1,
    replayed: 2,
    client_errors: 3,
    rate_limited: 4,
    server_errors: 5,
    aborted: 6,
    p50_ms: 1.5,
    p95_ms: null,
    p99_ms: null,
  };
  async function* pages() {
    yield [row];
    yield [{ ...row, requests: 22 }];
  }
  expect((await Array.fromAsync(usageCsv(pages(), ['operation']))).join('')).toBe(
    [
      'at,operation,requests,succeeded,replayed,client_errors,rate_limited,server_errors,aborted,p50_ms,p95_ms,p99_ms',
      '2026-11-20T08:00:00.000Z,read_payment,21,1,2,3,4,5,6,1.5,,',
      '2026-11-20T08:00:00.000Z,read_payment,22,1,2,3,4,5,6,1.5,,',
      '',
    ].join('\r\n'),
  );
});
