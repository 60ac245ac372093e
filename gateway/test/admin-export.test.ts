import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { issueActorToken } from '@tollgate/contracts/accounts/rpc';
import { listApplications } from '@tollgate/contracts/applications/rpc';
import { exportRecords, recordExport } from '@tollgate/contracts/audit/rpc';
import { MAX_LISTED_IDS } from '@tollgate/contracts/payments/payment-history';
import { listPayments } from '@tollgate/contracts/payments/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { queryUsage } from '@tollgate/contracts/usage/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_EXPORTS_PER_ACTOR } from '../src/admin-api/export-files.ts';
import { paymentColumns } from '../src/admin-api/payment-columns.ts';
import { type AdminClient, adminClient } from './support/admin-client.ts';
import { exampleAuditRecord, examplePaymentRow, exampleUsageRow } from './support/examples.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from './support/gateway-under-test.ts';
import { type Services, startServices } from './support/services.ts';

const READER_PATIENCE_MS = 300;

let gateway: GatewayUnderTest;
let services: Services;
let token: string;
let admin: AdminClient;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ adminTimings: { readerPatienceMs: READER_PATIENCE_MS } });
  services = await startServices(gateway.bus);
});
beforeEach(async () => {
  await services.serve(recordExport, () => exampleAuditRecord());
  await services.serve(listApplications, () => ({ data: [], next_cursor: null, previous_cursor: null }));
  token = services.signIn();
  admin = adminClient(gateway.adminUrl, token);
});
afterAll(async () => {
  await services.stop();
  await gateway.stop();
});

/** Serves pages of these sizes in order of their cursors. */
async function servePages(
  sizes: number[],
  row: () => ReturnType<typeof examplePaymentRow> = examplePaymentRow,
) {
  await services.serve(listPayments, ({ cursor = '0' }) => ({
    data: Array.from({ length: sizes[Number(cursor)] ?? 0 }, row),
    next_cursor: Number(cursor) + 1 < sizes.length ? String(Number(cursor) + 1) : null,
    previous_cursor: null,
  }));
}

const pagesRead = () => services.received(listPayments).length;

/** Opens an export without reading it. */
async function openExport(credential = token, path = '/payments.csv'): Promise<IncomingMessage> {
  const request = get(`${gateway.adminUrl}/admin/v1${path}`, {
    headers: { authorization: `Bearer ${credential}` },
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

/** Payments that fill the buffers between the gateway and a client that reads nothing: a page is about 35 kB. */
const wide = () => examplePaymentRow({ purpose: 'x'.repeat(250) });
const ENDLESS = Array.from({ length: 10_000 }, () => 100);

test('the export of payments contains every page in order with one header line, even after empty pages', async () => {
  const rows = [
    examplePaymentRow({ amount: 1250 }),
    examplePaymentRow({ purpose: '=cmd', reference: 'a,"b"' }),
  ];
  let next = 0;
  await servePages([1, 0, 1], () => rows[next++] as (typeof rows)[number]);
  const { status, headers, text } = await admin(
    'GET /payments.csv?environment=sandbox&status=pending&amount_min=5',
  );
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="payments-sandbox-2026-01-01.csv"',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  const lines = text.split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toBe(Object.keys(paymentColumns(new Map(), 'UTC')).join(','));
  expect(lines[1]).toContain(`${rows[0]?.id},`);
  expect(lines[1]).toContain(',EUR,12.50,1250,');
  expect(lines[2]).toContain(`,"a,""b""",'=cmd,`);
  expect(lines[3]).toBe('');
  const sent = { environment: 'sandbox', status: 'pending', amount_min: 5, limit: 100 };
  expect(services.received(listPayments).map(({ request }) => request)).toEqual([
    sent,
    { ...sent, cursor: '1' },
    { ...sent, cursor: '2' },
  ]);
});

test('the export of payments contains as many payments as one selection can have', async () => {
  await servePages([MAX_LISTED_IDS]);
  const ids = Array.from({ length: MAX_LISTED_IDS }, () => newId('payment')).join(',');
  const { status, text } = await admin(
    `GET /payments.csv?${new URLSearchParams({ environment: 'live', ids })}`,
  );
  expect({ status, lines: text.trimEnd().split('\r\n').length }).toEqual({
    status: 200,
    lines: MAX_LISTED_IDS + 1,
  });
  expect(services.received(recordExport).map(({ request }) => request)).toEqual([
    { of: 'payments', environment: 'live', filters: { environment: 'live', ids } },
  ]);
});

test('the export of payments begins with a byte order mark', async () => {
  await servePages([1]);
  const [chunk] = (await once(await openExport(), 'data')) as [Buffer];
  expect(chunk.toString().startsWith('\ufeffid,')).toBe(true);
});

test.each(['limit=5', 'cursor=1', 'colour=red', 'status=paid'])(
  'the export of payments rejects %s',
  async (query) => {
    expect(await admin(`GET /payments.csv?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid-request', errors: [{ parameter: query.split('=')[0] }] },
    });
  },
);

test('the export of payments requires a session, and a client that accepts CSV', async () => {
  expect(await admin('GET /payments.csv', { token: null })).toMatchObject({ status: 401 });
  expect(await admin('GET /payments.csv', { headers: { accept: 'application/json' } })).toMatchObject({
    status: 406,
  });
  await servePages([1]);
  for (const accept of ['text/csv', 'text/csv; charset=utf-8', '']) {
    expect(await admin('GET /payments.csv', { headers: { accept } })).toMatchObject({ status: 200 });
  }
  expect(await admin('HEAD /payments.csv')).toMatchObject({ status: 200, text: '' });
});

test('the export of payments returns a problem instead of a file when its first page is rejected', async () => {
  await services.serve(listPayments, () => {
    throw new Problem('forbidden', 'No.');
  });
  const answer = await admin('GET /payments.csv');
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(answer.headers['content-disposition']).toBeUndefined();
  await services.silence(listPayments);
  expect(await admin('GET /payments.csv')).toMatchObject({ status: 503, body: { code: 'unavailable' } });
});

test('the export of payments is cut off when it fails midway: a partial file never looks complete', async () => {
  await services.serve(listPayments, ({ cursor }) => {
    if (cursor !== undefined) throw new Problem('unavailable', 'No.');
    return { data: [examplePaymentRow()], next_cursor: '1', previous_cursor: null };
  });
  await expect(admin('GET /payments.csv')).rejects.toThrow(/terminated|closed|aborted/);
});

test('the export of payments reads no further ahead than its client, and is cut off when the client reads nothing', async () => {
  await servePages(ENDLESS, wide);
  const response = await openExport();
  const closed = new Promise((resolve) => response.once('close', resolve));
  response.pause();
  await eventually('the export is cut off', () => gateway.logged().includes('The client read nothing'));
  const read = pagesRead();
  expect(read).toBeGreaterThan(1);
  // What the buffers of two sockets hold, and not the 10,000 pages.
  expect(read).toBeLessThan(500);
  response.resume();
  await closed;
  expect(response.complete).toBe(false);
  expect(pagesRead()).toBe(read);
});

test('the export of payments ends when its client disconnects', async () => {
  await servePages(ENDLESS, wide);
  const response = await openExport();
  response.destroy();
  await eventually('no page is asked for any more', async () => {
    const before = pagesRead();
    await new Promise((resolve) => setTimeout(resolve, 50));
    return pagesRead() === before;
  });
  expect(pagesRead()).toBeLessThan(500);
});

test('the export of payments ends with its session, which is checked again during the export', async () => {
  await services.serve(listPayments, ({ cursor }) => {
    // Each page takes as long as the time between two checks.
    gateway.clock.advance(30_000);
    if (cursor === '3') services.end(token);
    return {
      data: [examplePaymentRow()],
      next_cursor: String(Number(cursor ?? 0) + 1),
      previous_cursor: null,
    };
  });
  await expect(admin('GET /payments.csv')).rejects.toThrow(/terminated|closed|aborted/);
  expect(pagesRead()).toBe(4);
});

test('the export of payments is limited to a few at a time per member', async () => {
  await servePages(ENDLESS, wide);
  const memberId = newId('member');
  const sessions = Array.from({ length: MAX_EXPORTS_PER_ACTOR }, () =>
    services.signIn({ member_id: memberId }),
  );
  const open = await Promise.all(sessions.map((session) => openExport(session)));
  for (const response of open) expect(response.statusCode).toBe(200);
  const further = services.signIn({ member_id: memberId });
  expect(await admin('GET /payments.csv', { token: further })).toMatchObject({
    status: 429,
    body: { code: 'rate-limited' },
    headers: { 'retry-after': '5' },
  });
  for (const response of open) response.destroy();
  await servePages([1]);
  await eventually('there is room again', async () => {
    return (await admin('GET /payments.csv', { token: further })).status === 200;
  });
});

test('the export of payments exchanges its session for an actor token once when the file is short', async () => {
  await servePages([1, 1, 1]);
  const before = services.received(issueActorToken).length;
  await admin('GET /payments.csv');
  expect(services.received(issueActorToken).length).toBe(before + 1);
});

describe('the export of usage', () => {
  const day = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z', granularity: 'hour' };
  const path = `/usage.csv?${new URLSearchParams(day)}`;

  test('the export of usage contains every page in order, with the columns of its grouping', async () => {
    const application = newId('application');
    const pages = [
      [exampleUsageRow({ application_id: application, operation: 'create_payment' })],
      [],
      [exampleUsageRow({ application_id: application, operation: 'read_payment', p50_ms: null })],
    ];
    await services.serve(queryUsage, ({ cursor = '0' }) => ({
      data: pages[Number(cursor)] ?? [],
      next_cursor: cursor === '2' ? null : String(Number(cursor) + 1),
      previous_cursor: null,
    }));
    const { status, headers, text } = await admin(
      `GET ${path}&environment=live&group_by=operation,application`,
    );
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="usage-live-2026-01-01.csv"',
      'cache-control': 'no-store',
    });
    const counts =
      'requests,succeeded,replayed,client_errors,rate_limited,server_errors,aborted,p50_ms,p95_ms,p99_ms';
    expect(text.split('\r\n')).toEqual([
      `at,application_id,operation,${counts}`,
      `2026-01-01T00:00:00.000Z,${application},create_payment,21,1,2,3,4,5,6,1.5,,`,
      `2026-01-01T00:00:00.000Z,${application},read_payment,21,1,2,3,4,5,6,,,`,
      '',
    ]);
    const sent = { ...day, environment: 'live', group_by: 'operation,application', limit: 2_000 };
    expect(services.received(queryUsage).map(({ request }) => request)).toEqual([
      sent,
      { ...sent, cursor: '1' },
      { ...sent, cursor: '2' },
    ]);
  });

  test.each(['limit=5', 'cursor=1', 'colour=red', 'group_by=colour', 'outcome=paid'])(
    'the export of usage rejects %s',
    async (query) => {
      expect(await admin(`GET ${path}&${query}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid-request', errors: [{ parameter: query.split('=')[0] }] },
      });
    },
  );

  test('the export of usage names the parameter that the usage service rejects', async () => {
    await services.serve(queryUsage, () => {
      const errors = [{ pointer: '/to', code: 'invalid' as const, detail: 'This must be after `from`.' }];
      throw new Problem('invalid-request', 'This must be after `from`.', { errors });
    });
    const response = await admin(`GET ${path}`);
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
    expect(response.body).toHaveProperty('errors', [
      { parameter: 'to', code: 'invalid', detail: 'This must be after `from`.' },
    ]);
  });

  test('the export of usage requires a session, and a client that accepts CSV', async () => {
    expect(await admin(`GET ${path}`, { token: null })).toMatchObject({ status: 401 });
    expect(await admin(`GET ${path}`, { headers: { accept: 'application/json' } })).toMatchObject({
      status: 406,
    });
    expect(await admin(`HEAD ${path}`)).toMatchObject({ status: 200, text: '' });
  });

  test('the export of usage returns a problem instead of a file when its first page is rejected', async () => {
    await services.serve(queryUsage, () => {
      throw new Problem('forbidden', 'No.');
    });
    const response = await admin(`GET ${path}`);
    expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(response.headers['content-disposition']).toBeUndefined();
    await services.silence(queryUsage);
    expect(await admin(`GET ${path}`)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });

  test('the export of usage shares the limit of its member with other exports, and leaves that of other members alone', async () => {
    const lastPages = Promise.withResolvers<void>();
    async function cursorsAfter(cursor: string | undefined) {
      if (cursor !== undefined) await lastPages.promise;
      return { next_cursor: cursor === undefined ? '1' : null, previous_cursor: null };
    }
    await services.serve(listPayments, async ({ cursor }) => ({
      data: [examplePaymentRow()],
      ...(await cursorsAfter(cursor)),
    }));
    await services.serve(queryUsage, async ({ cursor }) => ({
      data: [exampleUsageRow()],
      ...(await cursorsAfter(cursor)),
    }));
    const open = [await openExport(token, '/payments.csv'), await openExport(token, path)];
    expect(open).toHaveLength(MAX_EXPORTS_PER_ACTOR);
    for (const further of ['/payments.csv', path]) {
      expect(await admin(`GET ${further}`)).toMatchObject({
        status: 429,
        body: { code: 'rate-limited', detail: 'The limit of 2 open exports is reached. Close one first.' },
        headers: { 'retry-after': '5' },
      });
    }
    open.push(await openExport(services.signIn(), path));
    expect(open.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);

    lastPages.resolve();
    for (const response of open) {
      response.resume();
      await once(response, 'end');
      expect(response.complete).toBe(true);
    }
    await eventually('the member can export again', async () => {
      return (await admin(`GET ${path}`)).status === 200;
    });
  });

  test('the export of usage is recorded in the audit log with its filters before the data is sent', async () => {
    await services.serve(queryUsage, () => ({ data: [], next_cursor: null, previous_cursor: null }));
    await services.serve(recordExport, () => {
      expect(services.received(queryUsage)).toEqual([]);
      return exampleAuditRecord();
    });
    expect(await admin(`GET ${path}&environment=live`)).toMatchObject({ status: 200 });
    expect(services.received(recordExport).map(({ request }) => request)).toEqual([
      { of: 'usage', environment: 'live', filters: { ...day, environment: 'live' } },
    ]);
    await services.silence(recordExport);
    expect(await admin(`GET ${path}`)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(services.received(queryUsage)).toHaveLength(1);
  });
});

test('the audit log records an export of payments with its filters before the data is sent', async () => {
  await servePages([1]);
  await services.serve(recordExport, () => {
    expect(pagesRead()).toBe(0);
    return exampleAuditRecord();
  });
  expect(await admin('GET /payments.csv?environment=live&amount_min=5')).toMatchObject({ status: 200 });
  expect(services.received(recordExport).map(({ request }) => request)).toEqual([
    { of: 'payments', environment: 'live', filters: { environment: 'live', amount_min: '5' } },
  ]);
  await admin('HEAD /payments.csv');
  expect(services.received(recordExport)).toHaveLength(1);
});

test('the audit log prevents exports of payments while it is down', async () => {
  await servePages([1]);
  await services.silence(recordExport);
  expect(await admin('GET /payments.csv')).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(pagesRead()).toBe(0);
});

test('the audit log is exported page by page, byte for byte', async () => {
  const parts = ['{"type":"export"}\n', '{"a":1}\n{"b":"é"}\n', '{"type":"end"}\n'];
  await services.serve(exportRecords, ({ cursor = '0' }) => ({
    lines: parts[Number(cursor)] ?? '',
    next_cursor: Number(cursor) < 2 ? String(Number(cursor) + 1) : null,
  }));
  const period = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' };
  const { status, headers, text } = await admin(
    `GET /audit-records/export?from=${period.from}&to=${period.to}`,
  );
  expect({ status, text }).toEqual({ status: 200, text: parts.join('') });
  expect(headers).toMatchObject({
    'content-type': 'application/x-ndjson',
    'content-disposition': 'attachment; filename="audit-records-2026-01-01.ndjson"',
  });
  expect(services.received(exportRecords).map(({ request }) => request)).toEqual([
    period,
    { ...period, cursor: '1' },
    { ...period, cursor: '2' },
  ]);
  expect(await admin('GET /audit-records/export?from=yesterday')).toMatchObject({ status: 400 });
});

test('the audit log is not exported for a period that the audit service rejects, and the problem names the parameter', async () => {
  const detail = '`from` must be in the past.';
  await services.serve(exportRecords, () => {
    const errors = [{ pointer: '/from', code: 'invalid' as const, detail }];
    throw new Problem('invalid-request', 'The period is not valid.', { errors });
  });
  const response = await admin('GET /audit-records/export?from=2030-01-01T00:00:00Z&to=2030-02-01T00:00:00Z');
  expect(response).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
  expect(response.body).toHaveProperty('errors', [{ parameter: 'from', code: 'invalid', detail }]);
});
