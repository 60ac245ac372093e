import { verify } from '@tollgate/processor-adapter/contract/signature';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { describe, expect, it } from 'vitest';
import { MAIN, startAdapterProcess } from './adapter-process.ts';
import * as support from './support.ts';

const ID = 'tr_0000000001';
const { PAYMENT_ID } = support;
const created_at = new Date().toISOString();
const processorPayment = (changes = {}) => support.processorPayment({ created_at, ...changes });
const recurringPayment = () => support.recurringPayment({ created_at });

describe('the adapter as a process', () => {
  it('takes a payment from its start to a callback that the payer has paid', async () => {
    const { tollgate, mollie, sendWebhook, receiver, secrets } = await startAdapterProcess();

    const started = await tollgate.start(processorPayment());
    expect(started.status).toBe(200);
    expect(started.body).toMatchObject({ status: 'action_required', reference: ID });
    mollie.account.settle(ID, 'paid');
    expect(await sendWebhook(ID)).toBe(ACCEPTED);

    await expect.poll(() => receiver.received).toHaveLength(1);
    const [callback] = receiver.received;
    expect(callback?.body).toEqual({ payment_id: PAYMENT_ID, status: 'succeeded', reference: ID });
    verify(secrets, { headers: callback?.headers ?? {}, body: callback?.text ?? '' }, Date.now());
    expect((await tollgate.status(PAYMENT_ID)).body).toMatchObject({ status: 'succeeded' });
    expect(mollie.account.charges).toHaveLength(1);
  });

  it('reports a change once, also for duplicate and late webhooks', async () => {
    const { tollgate, mollie, sendWebhook, receiver } = await startAdapterProcess();
    await tollgate.start(processorPayment());
    expect(await sendWebhook(ID)).toBe(ACCEPTED);
    mollie.account.settle(ID, 'paid');

    expect(await Promise.all([sendWebhook(ID), sendWebhook(ID)])).toEqual([ACCEPTED, ACCEPTED]);
    mollie.account.settle(ID, 'expired');
    expect(await sendWebhook(ID)).toBe(ACCEPTED);

    await expect.poll(() => receiver.received).toHaveLength(1);
    expect((await tollgate.status(PAYMENT_ID)).body).toMatchObject({ status: 'succeeded' });
  });

  it('has a webhook repeated while Mollie does not respond', async () => {
    const { tollgate, mollie, sendWebhook, receiver } = await startAdapterProcess();
    await tollgate.start(processorPayment());
    mollie.account.settle(ID, 'paid');
    mollie.faults.push({ method: 'GET', kind: 503 });

    expect(await sendWebhook(ID)).toBe(REPEATED);
    expect(await sendWebhook(ID)).toBe(ACCEPTED);

    await expect.poll(() => receiver.received).toHaveLength(1);
  });

  it('responds to a webhook about anything else like to any other, and does not ask Mollie', async () => {
    const { mollie, webhook, receiver } = await startAdapterProcess();

    for (const body of ['id=tr_unknown', 'id=', '', '{"type":"hook.ping"}', 'id=tr_x&id=tr_y']) {
      expect(await webhook(body), body).toBe(200);
    }

    expect(mollie.requests).toEqual([]);
    expect(receiver.received).toEqual([]);
  });

  it('rejects a webhook with a wrong signature', async () => {
    const { webhook } = await startAdapterProcess({ MOLLIE_WEBHOOK_SECRETS: 'secret' });

    expect(await webhook(`{"entityId":"${ID}"}`, { 'x-mollie-signature': 'sha256=00' })).toBe(401);
  });

  it('charges once when it is killed while Mollie creates the payment', async () => {
    const { tollgate, mollie, adapter, restart } = await startAdapterProcess();
    const execution = Promise.withResolvers<void>();
    mollie.account.execution = execution.promise;
    const interrupted = tollgate.start(recurringPayment()).catch((error: Error) => error);
    await expect.poll(() => mollie.requests).toHaveLength(1);
    await adapter().end('SIGKILL');
    expect(await interrupted).toBeInstanceOf(Error);
    execution.resolve();
    await restart();

    expect((await tollgate.start(recurringPayment())).body).toMatchObject({ status: 'succeeded' });
    expect((await tollgate.start(recurringPayment())).body).toMatchObject({ status: 'succeeded' });
    expect(mollie.account.charges).toHaveLength(1);
  });

  it('responds with 5xx while Mollie fails, and with the outcome afterwards', async () => {
    const { tollgate, mollie } = await startAdapterProcess();
    mollie.faults.push({ method: 'POST', kind: 'lost-response' }, { method: 'POST', kind: 429 });

    expect((await tollgate.start(recurringPayment())).status).toBe(502);
    expect((await tollgate.status(PAYMENT_ID)).status).toBe(502);
    expect((await tollgate.status(PAYMENT_ID)).body).toMatchObject({ status: 'succeeded', reference: ID });
    expect(mollie.account.charges).toHaveLength(1);
  });

  it('responds with 422 when Mollie does not accept the payment', async () => {
    const { tollgate } = await startAdapterProcess();

    const rejected = await tollgate.start(processorPayment({ return_url: null }));

    expect(rejected.status).toBe(422);
    expect(rejected.body).toMatchObject({ failure: { code: 'return_url_required' } });
  });

  it('reports the rejection of a payment whose start had an unknown outcome', async () => {
    const { tollgate, mollie } = await startAdapterProcess();
    const payment = processorPayment({ amount: 1_000_000_000 });
    mollie.faults.push({ method: 'POST', kind: 'lost-response' });
    expect((await tollgate.start(payment)).status).toBe(502);

    expect((await tollgate.status(PAYMENT_ID)).body).toMatchObject({
      status: 'failed',
      failure: { code: 'amount_not_accepted' },
    });
    expect((await tollgate.start(payment)).status).toBe(422);
  });

  it('responds with the actual state when the payer pays during the cancellation', async () => {
    const { tollgate, mollie } = await startAdapterProcess();
    await tollgate.start(processorPayment());
    mollie.account.allowCancel(ID);
    mollie.faults.push({ method: 'DELETE', before: () => mollie.account.settle(ID, 'paid'), kind: 409 });

    expect((await tollgate.cancel(PAYMENT_ID)).body).toMatchObject({ status: 'succeeded' });
  });

  it('logs neither the key nor the secrets', async () => {
    const { tollgate, mollie, adapter, secret } = await startAdapterProcess({
      MOLLIE_WEBHOOK_SECRETS: 'mollie-secret',
    });
    for (const kind of [401, 'garbage', 'proxy-error', 'lost-request'] as const) {
      mollie.faults.push({ method: 'POST', kind });
      expect((await tollgate.start(processorPayment())).status).toBe(502);
    }

    const output = adapter().output();
    expect(output).toContain('its outcome is unknown');
    for (const value of [mollie.apiKey, secret, 'mollie-secret']) expect(output).not.toContain(value);
  });
});

it('names every missing variable, and does not start', async () => {
  const adapter = startProcessUnderTest(MAIN, { MOLLIE_API_KEY: 'access_token' });

  const [code] = await adapter.exited;

  expect(code).not.toBe(0);
  for (const name of [
    'MOLLIE_API_KEY must',
    'MOLLIE_WEBHOOK_URL is missing',
    'TOLLGATE_SECRETS is missing',
  ]) {
    expect(adapter.output()).toContain(name);
  }
  expect(adapter.output()).not.toContain('access_token');
});

/** Whether Mollie repeats a webhook. */
const ACCEPTED = false;
const REPEATED = true;
