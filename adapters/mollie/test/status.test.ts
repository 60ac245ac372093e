import { expect, it } from 'vitest';
import { PAID_MONEY, processorPayment, recurringPayment, setUp } from './support.ts';

const HOUR_MS = 3_600_000;
const ID = 'tr_0000000001';
const SUCCEEDED = { status: 'succeeded', reference: ID, ...PAID_MONEY };

it.each([
  ['pending', { status: 'processing', reference: ID }],
  ['authorized', { status: 'processing', reference: ID }],
  ['paid', SUCCEEDED],
  ['canceled', { status: 'canceled', reference: ID }],
  ['expired', { status: 'canceled', reference: ID }],
])('the status of a started payment translates %s', async (mollieStatus, state) => {
  const { start, status, mollie } = await setUp();
  await start(processorPayment());
  mollie.account.settle(ID, mollieStatus);

  expect(await status(processorPayment(), ID)).toEqual(state);
});

it('the status of a started payment translates open with a checkout page to action_required, and without one to processing', async () => {
  const { start, status, mollie } = await setUp();
  mollie.account.recurringStatus = 'open';
  await start(processorPayment());
  await start(recurringPayment({ id: 'pay_2' }));

  expect(await status(processorPayment(), ID)).toMatchObject({ status: 'action_required' });
  expect(await status(recurringPayment({ id: 'pay_2' }), 'tr_0000000002')).toMatchObject({
    status: 'processing',
  });
});

it.each([
  ['insufficient_funds', { failureReason: 'insufficient_funds' }],
  ['declined', { failureReason: 'refused_by_issuer' }],
  ['insufficient_funds', { bankReasonCode: 'AM04', bankReason: 'Insufficient funds' }],
  ['payment_failed', { failureReason: 'a_reason_of_the_future' }],
  ['payment_failed', { failureReason: 'constructor' }],
  ['payment_failed', null],
])('the status of a started payment translates failed to %s with the details %j', async (code, details) => {
  const { start, status, mollie } = await setUp();
  await start(processorPayment());
  mollie.account.settle(ID, 'failed', details);

  expect(await status(processorPayment(), ID)).toMatchObject({ status: 'failed', failure: { code } });
});

it('the status of a started payment can be asked about again after the payment ended, with what the adapter has kept', async () => {
  const { start, status, mollie } = await setUp();
  await start(processorPayment());
  mollie.account.settle(ID, 'paid');
  const kept = processorPayment({ purpose: null, return_url: null });
  expect(await status(kept, ID)).toEqual(SUCCEEDED);
});

it.each([
  ['a part that was captured', { amountCaptured: { value: '1.00', currency: 'EUR' } }, { amount: 100 }],
  ['another amount', { amount: { value: '1.00', currency: 'JPY' } }, { amount: 1, currency: 'JPY' }],
  ['a refund', { amountRefunded: { value: '0.99', currency: 'EUR' } }, { refunded_amount: 99 }],
  ['a chargeback', { amountChargedBack: { value: '19.99', currency: 'EUR' } }, { disputed_amount: 1999 }],
])('the status of a started payment comes with %s', async (_, changes, reported) => {
  const { start, status, mollie } = await setUp();
  await start(processorPayment());
  mollie.account.settle(ID, 'paid');
  mollie.account.change(ID, changes);

  expect(await status(processorPayment(), ID)).toEqual({
    status: 'succeeded',
    reference: ID,
    ...PAID_MONEY,
    ...reported,
  });
});

it.each(['canceled', 'expired', 'failed'])(
  'the status of a started payment comes with a part that was captured before %s',
  async (end) => {
    const { start, status, mollie } = await setUp();
    await start(processorPayment());
    mollie.account.settle(ID, end);
    mollie.account.change(ID, { amountCaptured: { value: '1.00', currency: 'EUR' } });

    expect(await status(processorPayment(), ID)).toMatchObject({ amount: 100, currency: 'EUR' });
  },
);

it('the status of a started payment throws for the payment of another payment, and cancels nothing', async () => {
  const { start, status, cancel, mollie } = await setUp();
  await start(processorPayment());
  mollie.account.allowCancel(ID);
  mollie.account.change(ID, { metadata: { payment_id: 'pay_another' } });

  await expect(status(processorPayment(), ID)).rejects.toThrow('belongs to another payment');
  await expect(cancel(processorPayment(), ID)).rejects.toThrow('belongs to another payment');
  expect(mollie.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

it('the status of a started payment throws for a status that it does not know', async () => {
  const { start, status, mollie } = await setUp();
  await start(processorPayment());
  mollie.account.settle(ID, 'partially_paid');

  await expect(status(processorPayment(), ID)).rejects.toThrow('unknown status "partially_paid"');
});

it.each([401, 429, 500, 'lost-response', 'garbage', 'proxy-error'] as const)(
  'the status of a started payment throws after %s, and never guesses',
  async (kind) => {
    const { start, status, mollie } = await setUp();
    await start(processorPayment());
    mollie.faults.push({ method: 'GET', kind });

    await expect(status(processorPayment(), ID)).rejects.toThrow();
  },
);

it('the status of a started payment throws when the account does not have the payment', async () => {
  const { status } = await setUp();

  await expect(status(processorPayment(), 'tr_unknown')).rejects.toThrow('No payment exists');
});

it.each([
  ['within the hour', 0],
  ['after the hour', 2 * HOUR_MS],
])(
  'the status of a payment whose start has an unknown outcome is the one of the payment that Mollie created, %s',
  async (_when, laterMs) => {
    const { start, status, mollie, clock } = await setUp();
    mollie.faults.push({ method: 'POST', kind: 'lost-response' });
    await expect(start(recurringPayment())).rejects.toThrow();
    clock.advance(laterMs);

    expect(await status(recurringPayment(), null)).toEqual(SUCCEEDED);
    expect(mollie.account.charges).toHaveLength(1);
  },
);

it.each([
  ['within the hour', 0],
  ['after the hour', 2 * HOUR_MS],
])(
  'the status of a payment whose start has an unknown outcome completes a start that did not reach Mollie, %s',
  async (_when, laterMs) => {
    const { start, status, mollie, clock } = await setUp();
    mollie.faults.push({ method: 'POST', kind: 'lost-request' });
    await expect(start(recurringPayment())).rejects.toThrow();
    clock.advance(laterMs);

    expect(await status(recurringPayment(), null)).toEqual(SUCCEEDED);
    expect(await status(recurringPayment(), null)).toEqual(SUCCEEDED);
    expect(mollie.account.charges).toHaveLength(1);
  },
);

it('the status of a payment whose start has an unknown outcome is rejected when Mollie does not accept the payment', async () => {
  const { status } = await setUp();

  await expect(status(processorPayment({ amount: 1_000_000_000 }), null)).rejects.toMatchObject({
    failure: { code: 'amount_not_accepted' },
  });
});
