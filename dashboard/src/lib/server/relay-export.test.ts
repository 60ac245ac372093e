import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdminClient } from '@tollgate/admin-client/admin-client';
import { USAGE_CSV_PATH } from '@tollgate/contracts/admin-api/routes';
import { afterEach, expect, it } from 'vitest';
import { csvFileName, relayExport } from './relay-export.ts';

/** Stands in for the gateway. */
const gateway = createServer();
afterEach(async () => {
  gateway.removeAllListeners('request').closeAllConnections();
  await new Promise((resolve) => gateway.close(resolve));
});

/** Requests an export of usage from a gateway that responds as given. */
async function requestExport(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  signal = new AbortController().signal,
): Promise<Response> {
  gateway.on('request', respond).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const { port } = gateway.address() as AddressInfo;
  const admin = createAdminClient({ baseUrl: `http://127.0.0.1:${port}`, token: 'a-token' });
  const query = { environment: 'live', group_by: 'application,key' };
  return relayExport({ locals: { admin }, request: { signal } }, USAGE_CSV_PATH, query, 'usage.csv');
}

it('an export is relayed from the gateway with the name that the dashboard gives it', async () => {
  const received: IncomingMessage[] = [];
  const response = await requestExport((request, reply) => {
    received.push(request);
    reply.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end('at,requests\r\n');
  });
  expect(received.map(({ url }) => url)).toEqual([
    `${USAGE_CSV_PATH}?environment=live&group_by=application%2Ckey`,
  ]);
  expect(received[0]?.headers.authorization).toBe('Bearer a-token');
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="usage.csv"',
  });
  expect(await response.text()).toBe('at,requests\r\n');
});

it('an export fails with the problem of the gateway, such as the limit of exports per member', async () => {
  const problem = { status: 429, code: 'rate-limited', detail: 'The limit of 2 open exports is reached.' };
  const response = requestExport((_request, reply) => {
    reply.writeHead(429, { 'content-type': 'application/problem+json', 'retry-after': '5' });
    reply.end(JSON.stringify(problem));
  });
  await expect(response).rejects.toMatchObject({ ...problem, retryAfterS: 5 });
});

it('an export ends at the gateway when the download is canceled', async () => {
  const download = new AbortController();
  const closed = Promise.withResolvers<void>();
  await requestExport((_request, reply) => {
    reply.on('close', closed.resolve).writeHead(200).write('at,requests\r\n');
  }, download.signal);
  download.abort();
  await closed.promise;
});

it('an export fails when the gateway cuts it off', async () => {
  const response = await requestExport((_request, reply) => {
    reply.writeHead(200).write('at,requests\r\n', () => reply.destroy());
  });
  await expect(response.text()).rejects.toThrow('terminated');
});

it('a CSV file is named by its environment, its content, and the day', () => {
  expect(csvFileName('live', 'payments', 'from-2026-10-01')).toBe(
    'tollgate-live-payments-from-2026-10-01.csv',
  );
  expect(csvFileName('live', 'usage')).toMatch(/^tollgate-live-usage-\d{4}-\d\d-\d\d\.csv$/);
});
