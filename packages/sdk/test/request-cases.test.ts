import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TollgateError } from '../src/index.ts';
import { Tollgate } from '../src/tollgate.ts';
import { API_KEY, type CallCase, type RequestCase, readCases } from './cases/case-file.ts';
import { type ReceivedRequest, type ScriptedServer, startScriptedServer } from './cases/scripted-server.ts';
import { virtualClock } from './cases/virtual-clock.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server?.stop());

function callOf(tollgate: Tollgate, { operation, id = '', params = {}, ...options }: CallCase) {
  const all = {
    ...(options.timeout_ms !== undefined && { timeoutMs: options.timeout_ms }),
    ...(options.idempotency_key !== undefined && { idempotencyKey: options.idempotency_key }),
  };
  if (operation === 'create') return tollgate.payments.create(params as never, all);
  if (operation === 'retrieve') return tollgate.payments.retrieve(id, all);
  return tollgate.payments.cancel(id, params, all);
}

function expectError(error: TollgateError, { expect: expected }: CallCase) {
  expect({ error: error.name, code: error.code }).toEqual({ error: expected.error, code: expected.code });
  for (const [field, value] of [
    ['status', expected.status],
    ['requestId', expected.request_id],
    ['idempotencyKey', expected.idempotency_key],
    ['retryAfterMs', expected.retry_after_ms],
  ] as const) {
    if (value !== undefined) expect(error).toMatchObject({ [field]: value });
  }
  if (expected.problem) expect(error.problem).toMatchObject(expected.problem);
  const shown = [error.stack, JSON.stringify(error), inspect(error, { depth: 9, showHidden: true })];
  expect(shown.join()).not.toContain(API_KEY);
}

function expectRequests(requests: ReceivedRequest[], { expect: expected }: CallCase) {
  expect(requests).toHaveLength(expected.attempts);
  for (const { method, path, headers, body } of requests) {
    expect({ method, path, body }).toEqual({
      method: expected.request.method,
      path: expected.request.path,
      body: expected.request.body,
    });
    expect(headers).toMatchObject({
      accept: 'application/json',
      authorization: `Bearer ${API_KEY}`,
      ...expected.request.headers,
    });
    expect(headers['idempotency-key'] === undefined).toBe(method === 'GET');
    expect(headers['content-type']).toBe(method === 'GET' ? undefined : 'application/json');
  }
  expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBeLessThanOrEqual(1);
}

describe('the client', () => {
  it.each(readCases<RequestCase>('requests.json'))('$name', async ({ client = {}, replies, calls }) => {
    const session = await server.start(replies);
    const clock = virtualClock();
    const options = {
      apiKey: API_KEY,
      baseUrl: session.baseUrl,
      ...(client.timeout_ms !== undefined && { timeoutMs: client.timeout_ms }),
      ...(client.max_retries !== undefined && { maxRetries: client.max_retries }),
    };
    const tollgate = new Tollgate(options, clock);
    const keys = new Set<string | undefined>();
    let seen = 0;
    for (const call of calls) {
      clock.waitsMs.length = 0;
      const outcome = await callOf(tollgate, call).then(
        (payment) => ({ payment }),
        (error) => ({ error }),
      );
      if (call.expect.payment) expect(outcome).toMatchObject({ payment: call.expect.payment });
      else expectError((outcome as { error: TollgateError }).error, call);

      const requests = (await session.requests()).slice(seen);
      seen += requests.length;
      expectRequests(requests, call);
      expect(clock.waitsMs).toHaveLength(call.expect.waits_ms.length);
      for (const [index, [least, most]] of call.expect.waits_ms.entries()) {
        expect(clock.waitsMs[index]).toBeGreaterThanOrEqual(least);
        expect(clock.waitsMs[index]).toBeLessThanOrEqual(most);
      }
      if (call.operation !== 'retrieve') keys.add(requests[0]?.headers['idempotency-key']);
    }
    expect(keys.size).toBe(calls.filter(({ operation }) => operation !== 'retrieve').length);
  });
});
