import { newId } from '@tollgate/contracts/platform/ids';
import { verify } from '@tollgate/processor-adapter/contract/signature';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIN, startAdapterProcess, WEBHOOK_SECRET } from './adapter-process.ts';
import * as support from './support.ts';

/** A payment of its own for each test. */
const ownPayment = () => ({ id: newId('payment'), created_at: new Date().toISOString() });
const processorPayment = (changes = {}) => support.processorPayment({ ...ownPayment(), ...changes });
const recurringPayment = () => support.recurringPayment(ownPayment());

describe('the adapter as a process', () => {
  let context: Awaited<ReturnType<typeof startAdapterProcess>>;
  beforeAll(async () => {
    context = await startAdapterProcess();
  });
  afterAll(() => context.stop());

  const callbacksAbout = (id: string) =>
    context.receiver.received.filter(({ body }) => body['payment_id'] === id);
  const chargesOf = (id: string) =>
    context.mollie.account.charges.filter(({ paymentId }) => paymentId === id);

  /** A payment that waits for its payer. */
  async function aWaitingPayment() {
    const payment = processorPayment();
    const started = await context.tollgate.start(payment);
    return { id: payment.id, started, mollieId: String(started.body['reference']) };
  }

  it('the adapter as a process takes a payment from its start to a callback that the payer has paid', async () => {
    const { tollgate, mollie, sendWebhook, secrets } = context;

    const { id, started, mollieId } = await aWaitingPayment();
    expect(started.status).toBe(200);
    expect(started.body).toMatchObject({ status: 'action_required', reference: mollieId });
    mollie.account.settle(mollieId, 'paid');
    expect(await sendWebhook(mollieId)).toBe(ACCEPTED);

    await expect.poll(() => callbacksAbout(id)).toHaveLength(1);
    const [callback] = callbacksAbout(id);
    expect(callback?.body).toEqual({
      payment_id: id,
      status: 'succeeded',
      reference: mollieId,
      ...support.PAID_MONEY,
    });
    verify(secrets, { headers: callback?.headers ?? {}, body: callback?.text ?? '' }, Date.now());
    expect((await tollgate.status(id)).body).toMatchObject({ status: 'succeeded' });
    expect(chargesOf(id)).toHaveLength(1);
  });

  it('the adapter as a process reports a change once, also for duplicate and late webhooks', async () => {
    const { tollgate, mollie, sendWebhook } = context;
    const { id, mollieId } = await aWaitingPayment();
    expect(await sendWebhook(mollieId)).toBe(ACCEPTED);
    mollie.account.settle(mollieId, 'paid');

    expect(await Promise.all([sendWebhook(mollieId), sendWebhook(mollieId)])).toEqual([ACCEPTED, ACCEPTED]);
    mollie.account.settle(mollieId, 'expired');
    expect(await sendWebhook(mollieId)).toBe(ACCEPTED);

    await expect.poll(() => callbacksAbout(id)).toHaveLength(1);
    expect((await tollgate.status(id)).body).toMatchObject({ status: 'succeeded' });
  });

  it('the adapter as a process has a webhook repeated while Mollie does not respond', async () => {
    const { mollie, sendWebhook } = context;
    const { id, mollieId } = await aWaitingPayment();
    mollie.account.settle(mollieId, 'paid');
    mollie.faults.push({ method: 'GET', kind: 503 });

    expect(await sendWebhook(mollieId)).toBe(REPEATED);
    expect(await sendWebhook(mollieId)).toBe(ACCEPTED);

    await expect.poll(() => callbacksAbout(id)).toHaveLength(1);
  });

  it('the adapter as a process responds to a webhook about anything else like to any other, and does not ask Mollie', async () => {
    const { mollie, webhook, receiver } = context;
    const before = [mollie.requests.length, receiver.received.length];

    for (const body of ['id=tr_unknown', 'id=', '', '{"type":"hook.ping"}', 'id=tr_x&id=tr_y']) {
      expect(await webhook(body), body).toBe(200);
    }

    expect([mollie.requests.length, receiver.received.length]).toEqual(before);
  });

  it('the adapter as a process rejects a webhook with a wrong signature', async () => {
    const { webhook } = context;

    expect(await webhook('{"entityId":"tr_1"}', { 'x-mollie-signature': 'sha256=00' })).toBe(401);
  });

  it('the adapter as a process responds with 5xx while Mollie fails, and with the outcome afterwards', async () => {
    const { tollgate, mollie } = context;
    const payment = recurringPayment();
    mollie.faults.push({ method: 'POST', kind: 'lost-response' }, { method: 'POST', kind: 429 });

    expect((await tollgate.start(payment)).status).toBe(502);
    expect((await tollgate.status(payment.id)).status).toBe(502);
    const reference = mollie.account.payments[0]?.id;
    expect((await tollgate.status(payment.id)).body).toMatchObject({ status: 'succeeded', reference });
    expect(chargesOf(payment.id)).toHaveLength(1);
  });

  it('the adapter as a process responds with 422 when Mollie does not accept the payment', async () => {
    const { tollgate } = context;

    const rejected = await tollgate.start(processorPayment({ return_url: null }));

    expect(rejected.status).toBe(422);
    expect(rejected.body).toMatchObject({ failure: { code: 'return_url_required' } });
  });

  it('the adapter as a process reports the rejection of a payment whose start had an unknown outcome', async () => {
    const { tollgate, mollie } = context;
    const payment = processorPayment({ amount: 1_000_000_000 });
    mollie.faults.push({ method: 'POST', kind: 'lost-response' });
    expect((await tollgate.start(payment)).status).toBe(502);

    expect((await tollgate.status(payment.id)).body).toMatchObject({
      status: 'failed',
      failure: { code: 'amount_not_accepted' },
    });
    expect((await tollgate.start(payment)).status).toBe(422);
  });

  it('the adapter as a process responds with the actual state when the payer pays during the cancellation', async () => {
    const { tollgate, mollie } = context;
    const { id, mollieId } = await aWaitingPayment();
    mollie.account.allowCancel(mollieId);
    const before = () => mollie.account.settle(mollieId, 'paid');
    mollie.faults.push({ method: 'DELETE', before, kind: 409 });

    expect((await tollgate.cancel(id)).body).toMatchObject({ status: 'succeeded' });
  });

  it('the adapter as a process logs neither the key nor the secrets', async () => {
    const { tollgate, mollie, adapter, secret } = context;
    const payment = processorPayment();
    for (const kind of [401, 'garbage', 'proxy-error', 'lost-request'] as const) {
      mollie.faults.push({ method: 'POST', kind });
      expect((await tollgate.start(payment)).status).toBe(502);
    }

    const output = adapter().output();
    expect(output).toContain('its outcome is unknown');
    for (const value of [mollie.apiKey, secret, WEBHOOK_SECRET]) expect(output).not.toContain(value);
  });

  it('charges once when it is killed while Mollie creates the payment', async () => {
    const { tollgate, mollie, adapter, restart } = context;
    const payment = recurringPayment();
    const execution = Promise.withResolvers<void>();
    mollie.account.execution = execution.promise;
    const before = mollie.requests.length;
    const interrupted = tollgate.start(payment).catch((error: Error) => error);
    await expect.poll(() => mollie.requests).toHaveLength(before + 1);
    await adapter().end('SIGKILL');
    expect(await interrupted).toBeInstanceOf(Error);
    execution.resolve();
    await restart();

    expect((await tollgate.start(payment)).body).toMatchObject({ status: 'succeeded' });
    expect((await tollgate.start(payment)).body).toMatchObject({ status: 'succeeded' });
    expect(chargesOf(payment.id)).toHaveLength(1);
  });
});

it('the adapter names every missing variable, and does not start', async () => {
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
