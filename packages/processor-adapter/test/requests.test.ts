import { connect } from 'node:net';
import { eventually } from '@tollgate/test-kit/eventually';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  type Call,
  callId,
  InvalidSignature,
  newSecret,
  parseSecrets,
  type SigningSecrets,
  sign,
  verify,
} from '../src/contract/signature.ts';
import type { PaymentStore } from '../src/store/payment-store.ts';
import { startAdapter } from './support/adapter-under-test.ts';
import { aPayment, createCaller, MONEY, type Response, send } from './support/tollgate.ts';

const NOW_MS = Date.UTC(2026, 0, 1);

describe('a request', () => {
  /** Requests that are signed for a payment that exists, with one fault each. */
  async function withFault(fault: {
    secrets?: SigningSecrets;
    ageMs?: number;
    call?: Call;
    signedId?: string;
    headers?: Record<string, string>;
  }): Promise<{ responses: Response[]; calls: string[] }> {
    const adapter = await startAdapter();
    const payment = aPayment();
    await adapter.tollgate.start(payment);
    const calls = [...adapter.processor.calls];
    const responses: Response[] = [];
    for (const [call, method, path, body] of [
      ['start', 'POST', '/payments', JSON.stringify(payment)],
      ['status', 'GET', `/payments/${payment.id}`, undefined],
      ['cancel', 'POST', `/payments/${payment.id}/cancel`, undefined],
    ] as const) {
      const id = callId(fault.call ?? call, fault.signedId ?? payment.id);
      const nowMs = adapter.clock.now() - (fault.ageMs ?? 0);
      const headers = {
        ...sign(fault.secrets ?? adapter.secrets, { id, body: body ?? '' }, nowMs),
        ...fault.headers,
      };
      responses.push(await send(adapter.url() + path, { method, headers, ...(body && { body }) }));
    }
    expect(adapter.processor.calls).toEqual(calls);
    return { responses, calls };
  }

  it.each([
    ['is signed with another secret', { secrets: parseSecrets(newSecret()) }],
    ['was signed more than 300 seconds ago', { ageMs: 301_000 }],
    ['is signed for a time more than 300 seconds ahead', { ageMs: -302_000 }],
    ['is signed for another payment', { signedId: aPayment().id }],
    ['is signed for another call', { call: 'refund' as Call }],
    ['has an empty signature', { headers: { 'webhook-signature': 'v1,' } }],
    ['has a timestamp that is no number', { headers: { 'webhook-timestamp': 'now' } }],
  ])('a request gets 401, and reaches no code of the adapter, when it %s', async (_, fault) => {
    const { responses } = await withFault(fault);
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401]);
    for (const { headers } of responses) expect(headers.get('webhook-signature')).toBeNull();
  });

  it('a request gets 401 without any signature', async () => {
    const { url } = await startAdapter();
    const { status, body } = await send(`${url()}/payments`, { method: 'POST', body: '{}' });
    expect(status).toBe(401);
    expect(body['detail']).toContain('webhook-id');
  });

  it('a request gets 401 when the signature of a status is used for a cancellation', async () => {
    const adapter = await startAdapter();
    const payment = aPayment();
    await adapter.tollgate.start(payment);
    const headers = {
      ...sign(adapter.secrets, { id: callId('status', payment.id), body: '' }, adapter.clock.now()),
    };
    const url = `${adapter.url()}/payments/${payment.id}/cancel`;
    expect(await send(url, { method: 'POST', headers })).toMatchObject({ status: 401 });
    expect(await adapter.tollgate.status(payment.id)).toMatchObject({ body: { status: 'action_required' } });
  });

  it('a request gets 401 when it is a signed response or callback of the adapter itself', async () => {
    const adapter = await startAdapter();
    const payment = aPayment();
    const { headers, text } = await adapter.tollgate.start(payment);
    adapter.processor.payments.set(payment.id, { status: 'succeeded', reference: 'ref_1', ...MONEY });
    await adapter.webhook({ paymentId: payment.id });
    await eventually('the callback arrives', () => adapter.receiver.received.length === 1);
    const calls = [...adapter.processor.calls];
    const messages = [{ text, headers: Object.fromEntries(headers) }, ...adapter.receiver.received];
    for (const message of messages) {
      const signature = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
        name,
        String(message.headers[name]),
      ]);
      const request = { method: 'POST', headers: Object.fromEntries(signature), body: message.text };
      for (const path of ['/payments', `/payments/${payment.id}/cancel`]) {
        expect(await send(adapter.url() + path, request)).toMatchObject({ status: 401 });
      }
    }
    expect(adapter.processor.calls).toEqual(calls);
  });

  it('a request gets 401 when a byte of the body was changed', async () => {
    const adapter = await startAdapter();
    const payment = aPayment();
    const body = JSON.stringify(payment);
    const headers = { ...sign(adapter.secrets, { id: callId('start', payment.id), body }, NOW_MS) };
    const changed = body.replace('1250', '9250');
    const response = await send(`${adapter.url()}/payments`, { method: 'POST', headers, body: changed });
    expect(response.status).toBe(401);
    expect(adapter.processor.calls).toEqual([]);
  });

  it.each([
    ['is not JSON', '{'],
    ['is empty', ''],
    ['is not an object', '[]'],
    ['names the amount twice', '{"amount":1,"amount":2}'],
  ])('a request gets 400 or 401 when the body %s', async (_, body) => {
    const { url, secrets, processor } = await startAdapter();
    const headers = { ...sign(secrets, { id: callId('start', aPayment().id), body }, NOW_MS) };
    const { status } = await send(`${url()}/payments`, { method: 'POST', headers, body });
    expect([400, 401]).toContain(status);
    expect(processor.calls).toEqual([]);
  });

  it('a request gets 413 when the body is larger than 256 KiB', async () => {
    const { tollgate } = await startAdapter();
    const { status } = await tollgate.start(aPayment({ purpose: 'x'.repeat(256 * 1024) }));
    expect(status).toBe(413);
  });

  it('a request gets 404 without a signature for an unknown path, so that Tollgate concludes nothing from it', async () => {
    const { url } = await startAdapter();
    const { status, headers } = await send(`${url()}/payment`);
    expect(status).toBe(404);
    expect(headers.get('webhook-signature')).toBeNull();
  });

  it('a request to /healthz gets 200 without a signature', async () => {
    const { url } = await startAdapter();
    expect(await send(`${url()}/healthz`)).toMatchObject({ status: 200 });
  });

  it('a request gets 503, and reaches no code of the adapter, when the disk fails', async () => {
    const diskFull = () => {
      throw new Error('database or disk is full');
    };
    const faultyStore = (store: PaymentStore) => ({
      ...store,
      insertStarted: diskFull,
      dueCallbacks: diskFull,
    });
    const { url, tollgate, processor, log } = await startAdapter({ faultyStore });
    expect(await tollgate.start(aPayment())).toMatchObject({ status: 503 });
    expect(await send(`${url()}/healthz`)).toMatchObject({ status: 503 });
    expect(processor.calls).toEqual([]);
    expect(log()).toContain('database or disk is full');
  });

  it('a request for Tollgate is not served by the listener for webhooks', async () => {
    const { webhooksUrl, secrets } = await startAdapter();
    const caller = createCaller(
      () => webhooksUrl(),
      secrets,
      () => NOW_MS,
    );
    await expect(caller.status(aPayment().id)).rejects.toThrow(InvalidSignature);
  });

  it('a request that carries a webhook gets 413 when the body is larger than 512 KiB', async () => {
    const { webhooksUrl } = await startAdapter();
    const body = 'x'.repeat(512 * 1024 + 1);
    expect(await send(`${webhooksUrl()}/webhooks`, { method: 'POST', body })).toMatchObject({ status: 413 });
  });
});

describe('the secrets', () => {
  const [oldSecret, newer] = [newSecret(), newSecret()];

  it.each([
    ['the old', oldSecret],
    ['the new', newer],
    ['both', `${oldSecret},${newer}`],
  ])('the secrets can be rotated: with two, a caller that has %s is served', async (_, text) => {
    const adapter = await startAdapter({ secret: `${oldSecret} ${newer}` });
    const caller = createCaller(adapter.url, parseSecrets(text), adapter.clock.now);
    expect(await caller.start(aPayment())).toMatchObject({ status: 200 });
  });

  it('the secrets are not shown in the error about them', () => {
    for (const text of ['', 'whsec_short', 'hunter2', `${oldSecret},${newer},${oldSecret}`]) {
      expect(() => parseSecrets(text)).toThrow('must be one or two secrets');
      if (text !== '') expect(() => parseSecrets(text)).not.toThrow(text);
    }
  });
});

describe('the signature', () => {
  const secret = newSecret();
  const secrets = parseSecrets(secret);
  const message = { id: 'status:pay_1:1', body: '{"status":"succeeded","name":"Zoë"}' };

  it('the signature is accepted by the library of Standard Webhooks', () => {
    const headers = sign(secrets, message, Date.now());
    expect(new Webhook(secret).verify(message.body, { ...headers })).toEqual(JSON.parse(message.body));
  });

  it('the signature of the library of Standard Webhooks is accepted', () => {
    const at = new Date();
    const headers = {
      'webhook-id': message.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(message.id, at, message.body),
    };
    expect(verify(secrets, { headers, body: message.body }, at.getTime())).toBe(message.id);
  });
});

it('a slow processor gets 504 at the deadline, aborts the signal, and does not lose the result', async () => {
  const { tollgate, processor } = await startAdapter({ deadlineMs: 200 });
  const payment = aPayment();
  const slow = Promise.withResolvers<void>();
  let signal: AbortSignal | undefined;
  processor.before = (_, received) => {
    signal = received;
    return slow.promise;
  };
  expect(await tollgate.start(payment)).toMatchObject({ status: 504 });
  expect(signal?.aborted).toBe(true);
  slow.resolve();
  expect(await tollgate.start(payment)).toMatchObject({
    status: 200,
    body: { status: 'action_required' },
  });
  expect(processor.calls.filter((call) => call.startsWith('start'))).toHaveLength(1);
});

it('a slow processor delays other calls of the same payment only, and lets none run beside the slow one', async () => {
  const { tollgate, processor } = await startAdapter({ deadlineMs: 200 });
  const [slowPayment, other] = [aPayment(), aPayment()];
  const slow = Promise.withResolvers<void>();
  processor.before = (call) => (call === 'start' ? slow.promise : undefined);
  expect(await tollgate.start(slowPayment)).toMatchObject({ status: 504 });
  processor.before = () => {};
  expect(await tollgate.start(other)).toMatchObject({ status: 200 });
  expect(await tollgate.cancel(slowPayment.id)).toMatchObject({ status: 504 });
  expect(processor.calls).toEqual([`start ${slowPayment.id}`, `start ${other.id}`]);
  slow.resolve();
  expect(await tollgate.cancel(slowPayment.id)).toMatchObject({
    status: 200,
    body: { status: 'canceled' },
  });
});

it('a stop completes the call in flight', async () => {
  const { tollgate, processor, restart } = await startAdapter();
  const payment = aPayment();
  const slow = Promise.withResolvers<void>();
  processor.before = () => slow.promise;
  const start = tollgate.start(payment);
  await eventually('the call arrives', () => processor.calls.length === 1);
  const restarted = restart();
  slow.resolve();
  expect(await start).toMatchObject({ status: 200 });
  await restarted;
  expect(await tollgate.status(payment.id)).toMatchObject({ status: 200 });
});

it('a stop does not wait for idle connections', async () => {
  const { url, restart } = await startAdapter();
  const socket = connect(Number(new URL(url()).port), '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await restart();
  await closed;
});
