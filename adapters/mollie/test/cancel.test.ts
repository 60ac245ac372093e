import { expect, it } from 'vitest';
import { PAID_MONEY, processorPayment, recurringPayment, setUp } from './support.ts';

const HOUR_MS = 3_600_000;
const ID = 'tr_0000000001';
const SUCCEEDED = { status: 'succeeded', reference: ID, ...PAID_MONEY };

it('canceling a started payment cancels it at Mollie, and again returns canceled', async () => {
  const { start, cancel, mollie } = await setUp();
  await start(processorPayment());
  mollie.account.allowCancel(ID);

  expect(await cancel(processorPayment(), ID)).toEqual({ status: 'canceled', reference: ID });
  expect(await cancel(processorPayment(), ID)).toEqual({ status: 'canceled', reference: ID });
  expect(mollie.account.payments[0]?.status).toBe('canceled');
});

it('canceling a started payment leaves a payment open that Mollie does not cancel, until it expires', async () => {
  const { start, cancel, mollie } = await setUp();
  await start(processorPayment());

  expect(await cancel(processorPayment(), ID)).toMatchObject({ status: 'action_required' });
  mollie.account.settle(ID, 'expired');
  expect(await cancel(processorPayment(), ID)).toEqual({ status: 'canceled', reference: ID });
  expect(mollie.requests.map(({ method }) => method)).not.toContain('DELETE');
});

it('canceling a started payment returns succeeded when the payer pays at the same moment', async () => {
  const { start, cancel, mollie } = await setUp();
  await start(processorPayment());
  mollie.account.allowCancel(ID);
  const pay = () => {
    mollie.account.settle(ID, 'paid');
    Object.assign(mollie.account.payments[0] as object, { isCancelable: false });
  };
  mollie.faults.push({ method: 'DELETE', before: pay });

  expect(await cancel(processorPayment(), ID)).toEqual(SUCCEEDED);
});

it.each([409, 410] as const)(
  'canceling a started payment returns the current state after %s',
  async (kind) => {
    const { start, cancel, mollie } = await setUp();
    await start(processorPayment());
    mollie.account.allowCancel(ID);
    mollie.faults.push({ method: 'DELETE', before: () => mollie.account.settle(ID, 'pending'), kind });

    expect(await cancel(processorPayment(), ID)).toEqual({ status: 'processing', reference: ID });
  },
);

it.each([429, 500, 503, 'lost-request', 'lost-response', 'garbage'] as const)(
  'canceling a started payment throws after %s, and claims nothing',
  async (kind) => {
    const { start, cancel, mollie } = await setUp();
    await start(processorPayment());
    mollie.account.allowCancel(ID);
    mollie.faults.push({ method: 'DELETE', kind });

    await expect(cancel(processorPayment(), ID)).rejects.toThrow();
  },
);

it.each(['paid', 'pending', 'authorized'])(
  'canceling a started payment does not cancel a payment that is %s',
  async (mollieStatus) => {
    const { start, cancel, mollie } = await setUp();
    await start(processorPayment());
    mollie.account.settle(ID, mollieStatus);

    expect(await cancel(processorPayment(), ID)).not.toMatchObject({ status: 'canceled' });
  },
);

it('canceling a payment whose start has an unknown outcome returns succeeded when the charge was carried out', async () => {
  const { start, cancel, mollie } = await setUp();
  mollie.faults.push({ method: 'POST', kind: 'lost-response' });
  await expect(start(recurringPayment())).rejects.toThrow();

  expect(await cancel(recurringPayment(), null)).toEqual(SUCCEEDED);
});

it('canceling a payment whose start has an unknown outcome cancels the payment that waits for the bank', async () => {
  const { start, cancel, mollie } = await setUp();
  mollie.account.recurringStatus = 'pending';
  mollie.faults.push({ method: 'POST', kind: 'lost-response' });
  await expect(start(recurringPayment())).rejects.toThrow();
  mollie.account.allowCancel(ID);

  expect(await cancel(recurringPayment(), null)).toEqual({ status: 'canceled', reference: ID });
});

it('canceling a payment whose start has an unknown outcome prevents a charge whose request reaches Mollie after the cancellation', async () => {
  const { adapter, cancel, mollie, clock } = await setUp();
  const late = Promise.withResolvers<void>();
  const call = new AbortController();
  mollie.faults.push({ method: 'POST', before: () => late.promise });
  const start = adapter.start(recurringPayment(), {
    firstStartedAt: new Date(clock.now()),
    signal: call.signal,
  });
  await expect.poll(() => mollie.requests).toHaveLength(1);
  call.abort();
  await expect(start).rejects.toThrow();

  expect(await cancel(recurringPayment(), null)).toEqual({ status: 'canceled', reference: null });
  expect(await cancel(recurringPayment(), null)).toEqual({ status: 'canceled', reference: null });
  late.resolve();
  await mollie.idle();

  expect(mollie.account.charges).toEqual([]);
  expect(mollie.account.payments).toHaveLength(1);
  expect(mollie.account.payments[0]?.request).not.toHaveProperty('customerId');
});

it('canceling a payment whose start has an unknown outcome reports a charge that was carried out between looking and preventing it', async () => {
  const { start, cancel, mollie } = await setUp();
  mollie.faults.push({ method: 'POST', kind: 'lost-request' });
  await expect(start(recurringPayment())).rejects.toThrow();
  mollie.faults.push({ method: 'POST', before: () => start(recurringPayment()) });

  await expect(cancel(recurringPayment(), null)).rejects.toThrow();
  expect(await cancel(recurringPayment(), null)).toEqual(SUCCEEDED);
  expect(mollie.account.charges).toHaveLength(1);
});

it('canceling a payment whose start has an unknown outcome creates nothing for a payment that only a payer can pay', async () => {
  const { cancel, mollie } = await setUp();

  expect(await cancel(processorPayment(), null)).toEqual({ status: 'canceled', reference: null });
  expect(mollie.account.payments).toEqual([]);
});

it('canceling a payment whose start has an unknown outcome claims nothing while Mollie cannot be asked', async () => {
  const { cancel, mollie, clock } = await setUp();
  clock.advance(2 * HOUR_MS);
  mollie.faults.push({ method: 'GET', kind: 503 });

  await expect(cancel(recurringPayment(), null)).rejects.toThrow();
});
