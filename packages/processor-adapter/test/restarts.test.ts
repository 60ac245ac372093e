import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openPaymentStore } from '../src/store/payment-store.ts';
import { startAdapter } from './support/adapter-under-test.ts';
import { aPayment, MONEY } from './support/tollgate.ts';

it('a restart forgets no payment, no cancellation, and no unknown outcome', async () => {
  const { tollgate, processor, restart, clock } = await startAdapter();
  const [started, canceled, unknown] = [aPayment(), aPayment(), aPayment()];
  await tollgate.start(started);
  await tollgate.cancel(canceled.id);
  processor.after = () => {
    throw new Error('connection reset');
  };
  await tollgate.start(unknown);
  processor.after = () => {};
  clock.advance(60_000);
  await restart();

  expect(await tollgate.start(started)).toMatchObject({ body: { status: 'action_required' } });
  expect(await tollgate.start(canceled)).toMatchObject({ body: { status: 'canceled' } });
  expect(await tollgate.start(unknown)).toMatchObject({ body: { status: 'action_required' } });
  expect(await tollgate.start({ ...started, amount: 1 })).toMatchObject({ status: 400 });
  expect(processor.calls).toEqual([
    `start ${started.id}`,
    `start ${unknown.id}`,
    `status ${started.id}`,
    `start ${unknown.id}`,
  ]);
  const [, first, again] = processor.startedAt;
  expect(again).toEqual(first);
});

it('the data file is used by one process only', async () => {
  const { dataFile } = await startAdapter();
  expect(() => openPaymentStore(dataFile)).toThrow('is in use by another process');
});

it("the data file holds no payer's data of finished payments", async () => {
  const { tollgate, processor, dataFile, restart } = await startAdapter();
  const payment = aPayment({ payer: { name: 'Grace Hopper', account: null, email: null } });
  await tollgate.start(payment);
  processor.payments.set(payment.id, { status: 'succeeded', reference: 'ref_1', ...MONEY });
  await tollgate.status(payment.id);
  expect(await tollgate.start({ ...payment, payer: null })).toMatchObject({ status: 400 });
  await restart();
  expect(readFileSync(dataFile).includes('Grace')).toBe(false);
});
