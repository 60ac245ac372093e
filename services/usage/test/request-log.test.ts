import { randomBytes } from 'node:crypto';
import { DAY_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import { firstIdAt, siblingId } from '@tollgate/contracts/platform/id-time';
import { newId } from '@tollgate/contracts/platform/ids';
import type { LoggedRequest } from '@tollgate/contracts/usage/logged-request';
import { formatRequestLine, type RequestLine } from '@tollgate/contracts/usage/request-line';
import { getRequest, listRequests } from '@tollgate/contracts/usage/rpc';
import type { UsageWindow } from '@tollgate/contracts/usage/usage';
import { idempotencyDigest } from '@tollgate/security/idempotency-digest';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeFault } from '../src/windows/check-window.ts';
import { type Harness, NOW, type Service, startHarness } from './harness.ts';
import { aCaller, createTestGateway, type TestCaller } from './windows.ts';

let harness: Harness;
let service: Service;
let caller: TestCaller;
const gateway = createTestGateway();

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
});
afterAll(() => harness.stop());
beforeEach(() => {
  caller = aCaller();
});

/** Ids of requests contain the time of their arrival. */
const idAt = (timeMs: number) =>
  siblingId('request', firstIdAt('request', timeMs), randomBytes(12).toString('hex'));

type TestLine = Partial<RequestLine> & { of?: TestCaller; atMs?: number };

/** A window whose requests are all logged and counted. */
function windowOf(...requests: TestLine[]): UsageWindow {
  const callers = [...new Set(requests.map(({ of = caller }) => of))];
  const lines = requests.map(({ of = caller, atMs = NOW, ...fields }) =>
    formatRequestLine({
      caller: callers.indexOf(of),
      operation: 'read_payment',
      outcome: 'succeeded',
      durationUs: 12_345,
      id: idAt(atMs),
      status: 200,
      code: null,
      address: '192.0.2.7',
      paymentId: null,
      idempotencyKey: null,
      ...fields,
    }),
  );
  return {
    ...gateway.window(
      NOW,
      callers.map((of) => ({ caller: of })),
    ),
    log: { callers, lines },
  };
}

const list = (filters: object = {}, { team_id, environment } = caller) =>
  harness.call(team_id, listRequests, { environment, ...filters });
const idsOf = (page: { data: LoggedRequest[] }) => page.data.map(({ id }) => id);

it('a logged request has what the gateway recorded, and the time of its arrival', async () => {
  const id = idAt(NOW);
  const paymentId = newId('payment');
  await service.app.ingest(
    windowOf({ id, paymentId, outcome: 'client_error', status: 404, code: 'payment-not-found' }),
  );
  const { team_id, ...owner } = caller;
  const logged = {
    id,
    ...owner,
    operation: 'read_payment',
    outcome: 'client_error',
    status: 404,
    code: 'payment-not-found',
    duration_ms: 12.345,
    client_address: '192.0.2.7',
    payment_id: paymentId,
    method: 'GET',
    path: `/v1/payments/${paymentId}`,
    idempotency_key_digest: null,
    errors: [],
    created_at: new Date(NOW).toISOString(),
  };
  expect((await list()).data).toEqual([logged]);
  expect(await harness.call(team_id, getRequest, { request_id: id })).toEqual(logged);
});

it('a logged request has the errors of its fields', async () => {
  const window = windowOf({}, { outcome: 'client_error', status: 400, code: 'invalid-request' });
  const errors = [{ pointer: '/amount', code: 'missing' }];
  await service.app.ingest({ ...window, log: { ...window.log, errors: [{ line: 1, errors }] } });
  expect((await list({ status: '400' })).data).toMatchObject([{ errors }]);
  expect((await list({ status: '200' })).data).toMatchObject([{ errors: [] }]);
});

it('a logged request of a gateway of the previous release has no idempotency key', async () => {
  const window = windowOf({ operation: 'create_payment' });
  const lines = window.log.lines.map((line) => line.split(' ').slice(0, 9).join(' '));
  await service.app.ingest({ ...window, log: { ...window.log, lines } });
  expect((await list()).data).toMatchObject([{ idempotency_key_digest: null, path: '/v1/payments' }]);
});

it('the requests with an idempotency key are found by the key and by its digest', async () => {
  const idempotencyKey = idempotencyDigest(caller.team_id, 'order-1042');
  const ids = [idAt(NOW), idAt(NOW)];
  await service.app.ingest(windowOf({}, ...ids.map((id) => ({ id, idempotencyKey }))));
  for (const idempotency_key of ['order-1042', idempotencyKey])
    expect(idsOf(await list({ idempotency_key })).toSorted()).toEqual(ids.toSorted());
  expect(idsOf(await list({ idempotency_key: 'order-1043' }))).toEqual([]);
});

it('a logged request is stored once, however often its window arrives', async () => {
  const window = windowOf({}, {}, {});
  await service.app.ingest(window);
  await service.app.ingest(window);
  // As when a process died after it had stored one of two windows of a batch.
  await Promise.all([service.app.ingest(window), service.app.ingest(windowOf({}))]);
  expect(idsOf(await list())).toHaveLength(4);
});

it('a logged request is logged without being counted when its key was rejected', async () => {
  const window = windowOf({ outcome: null, status: 401, code: 'invalid-api-key' });
  await service.app.ingest({ ...window, rows: [] });
  await service.app.rollUp();
  expect((await list()).data).toMatchObject([{ outcome: null, status: 401, code: 'invalid-api-key' }]);
});

it('a logged request is visible to its own team and environment only', async () => {
  const id = idAt(NOW);
  await service.app.ingest(windowOf({ id }));
  const other = aCaller();
  expect((await list({}, other)).data).toEqual([]);
  expect((await list({}, { ...caller, environment: 'live' })).data).toEqual([]);
  await expect(harness.call(other.team_id, getRequest, { request_id: id })).rejects.toMatchObject({
    details: { code: 'not-found' },
  });
});

it('a logged request expires after the time that the operator chose', async () => {
  const id = idAt(NOW);
  await service.app.ingest(windowOf({ id }));
  const stored = await service.connection.collection('requests').findOne({ _id: id as never });
  expect(stored?.['expires_at']).toEqual(new Date(NOW + 30 * DAY_MS));
});

it('the log is listed newest first, whatever the order of arrival, in pages of both directions', async () => {
  const ids = [4, 2, 3, 1].map((second) => idAt(NOW + second * SECOND_MS));
  for (const id of ids) await service.app.ingest(windowOf({ id }));
  const sorted = ids.toSorted().reverse();
  const first = await list({ limit: 3 });
  expect(idsOf(first)).toEqual(sorted.slice(0, 3));
  const second = await list({ limit: 3, cursor: first.next_cursor });
  expect(idsOf(second)).toEqual(sorted.slice(3));
  expect(idsOf(await list({ limit: 3, cursor: second.previous_cursor }))).toEqual(sorted.slice(0, 3));
});

it('the log contains what matches every filter', async () => {
  const payment = newId('payment');
  const otherKey = { ...caller, key_id: newId('apiKey') };
  const otherApplication = { ...caller, application_id: newId('application'), key_id: newId('apiKey') };
  const requests: Record<string, TestLine> = {
    plain: {},
    failed: { outcome: 'client_error', status: 404, code: 'payment-not-found', paymentId: payment },
    created: { operation: 'create_payment', status: 201, paymentId: payment },
    aborted: { outcome: 'aborted', status: null },
    fromElsewhere: { address: '2001:db8::1' },
    withOtherKey: { of: otherKey },
    ofOtherApplication: { of: otherApplication, outcome: 'server_error', status: 500, code: 'internal' },
    yesterday: { atMs: NOW - DAY_MS },
  };
  const nameOf = new Map<string, string>();
  const lines = Object.entries(requests).map(([name, { atMs = NOW, ...fields }]) => {
    const id = idAt(atMs);
    nameOf.set(id, name);
    return { ...fields, id };
  });
  await service.app.ingest(windowOf(...lines));
  const found = async (filters: object) =>
    idsOf(await list(filters))
      .map((id) => nameOf.get(id))
      .toSorted();

  expect(await found({ status: '404' })).toEqual(['failed']);
  expect(await found({ status: '4xx' })).toEqual(['failed']);
  expect(await found({ status: 'aborted' })).toEqual(['aborted']);
  expect(await found({ code: 'internal' })).toEqual(['ofOtherApplication']);
  expect(await found({ operation: 'create_payment' })).toEqual(['created']);
  expect(await found({ payment_id: payment })).toEqual(['created', 'failed']);
  expect(await found({ payment_id: payment, status: '2xx' })).toEqual(['created']);
  for (const client_address of ['2001:db8::1', '2001:DB8:0::1'])
    expect(await found({ client_address })).toEqual(['fromElsewhere']);
  expect(await found({ key_id: otherKey.key_id })).toEqual(['withOtherKey']);
  expect(await found({ application_id: otherApplication.application_id })).toEqual(['ofOtherApplication']);
  const noon = new Date(NOW - 1).toISOString();
  expect(await found({ created_to: noon })).toEqual(['yesterday']);
  expect(await found({ created_from: noon, status: '2xx', operation: 'create_payment' })).toEqual([
    'created',
  ]);
  await expect(list({ created_from: noon, created_to: noon })).rejects.toMatchObject({
    details: { errors: [{ pointer: '/created_to' }] },
  });
});

it('the log is not readable from a window with a line that no gateway writes', () => {
  const window = windowOf({});
  const withLine = (line: string) => describeFault({ ...window, log: { callers: [caller], lines: [line] } });
  expect(withLine('x')).toContain('is not the line of a request');
  expect(withLine(formatRequestLine({ ...lineFields(), caller: 1 }))).toContain('does not name');
  expect(withLine(formatRequestLine({ ...lineFields(), id: 'req_1' }))).toContain('has no request id');
  expect(withLine(`${formatRequestLine(lineFields())} more`)).toBeNull();
});

function lineFields(): RequestLine {
  return {
    caller: 0,
    operation: 'read_payment',
    outcome: 'succeeded',
    durationUs: 1,
    id: newId('request'),
    status: 200,
    code: null,
    address: '192.0.2.7',
    paymentId: null,
    idempotencyKey: null,
  };
}
