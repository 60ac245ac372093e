import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Payment, TollgateError, WithResponse } from '../src/index.ts';
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
    timeoutMs: options.timeout_ms,
    attemptTimeoutMs: options.attempt_timeout_ms,
    idempotencyKey: options.idempotency_key,
  };
  if (operation === 'create')
    return tollgate.payments.create(params as never, { ...all, waitForAction: options.wait_for_action });
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
  if (expected.message_includes) expect(error.message).toContain(expected.message_includes);
  if (expected.problem) expect(error.problem).toMatchObject(expected.problem);
  const shown = [error.stack, JSON.stringify(error), inspect(error, { depth: 9, showHidden: true })];
  expect(shown.join()).not.toContain(API_KEY);
}

function expectPayment(payment: WithResponse<Payment>, { expect: { payment: members, response } }: CallCase) {
  expect(payment).toMatchObject(members as object);
  if (!response) return;
  expect(payment.lastResponse).toMatchObject({
    status: response.status,
    requestId: response.request_id,
    idempotencyKey: response.idempotency_key ?? expect.any(String),
    idempotentReplayed: response.idempotent_replayed,
  });
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
      'user-agent': expect.stringMatching(/^tollgate-node\/\S+/),
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
      timeoutMs: client.timeout_ms,
      attemptTimeoutMs: client.attempt_timeout_ms,
      maxRetries: client.max_retries,
    };
    const tollgate = new Tollgate(options, clock);
    const keys = new Set<string | undefined>();
    let seen = 0;
    for (const call of calls) {
      clock.waitsMs.length = 0;
      const outcome = await callOf(tollgate, call).then(
        (payment) => ({ payment }),
        (error: TollgateError) => ({ error }),
      );
      if ('payment' in outcome) expectPayment(outcome.payment, call);
      else expectError(outcome.error, call);

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
