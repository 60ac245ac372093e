import { newId } from '@tollgate/contracts/platform/ids';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { erasePayment } from '../src/erasure/erase-payment.ts';
import { listPayments } from '../src/history/list-payments.ts';
import type { NewPayment, PaymentDocument } from '../src/lifecycle/payment.ts';
import { aNewPayment } from './a-new-payment.ts';
import {
  aMember,
  anActor,
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';

let payments: PaymentsUnderTest;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
}, START_TIMEOUT_MS);
afterAll(() => payments.stop());

async function aStoredPayment(changes: Partial<NewPayment>): Promise<PaymentDocument> {
  const payment = aNewPayment({ dueAt: null, ...changes });
  await payments.app.store.insert(payment);
  return payment;
}
async function found(teamId: string, search: string): Promise<string[]> {
  const { data } = await listPayments(payments.app, aMember(teamId), { search });
  return data.map(({ id }) => id);
}
const party = (fields: Partial<NonNullable<PaymentDocument['payer']>>) => ({
  ...{ name: null, account: null, email: null },
  ...fields,
});

describe('the search', () => {
  const teamId = newId('team');
  let payment: PaymentDocument;
  beforeAll(async () => {
    payment = await aStoredPayment({
      team_id: teamId,
      reference: 'Order-2026/0042 refund EU',
      payer: party({ name: 'Zoë  van der Ångström', account: 'DE89 3704', email: 'Zoe@Example.com' }),
    });
    await aStoredPayment({ team_id: teamId, reference: 'other' });
  });

  test.each([
    ...['order-2026/0042 REFUND eu', 'ORDER-2', '2026', '0042 ref', 'refund'],
    ...['zoë van der', 'ZOE\u0308', '  ångström ', 'Der Å', 'zoe@example.com', 'zoe@', 'de89 37'],
  ])('the search finds a payment by %j', async (search) => {
    expect(await found(teamId, search)).toEqual([payment._id]);
  });

  test('the search finds a payment by its id, in upper case, too', async () => {
    expect(await found(teamId, payment._id)).toEqual([payment._id]);
    const restriction = { search: payment._id, status: 'failed' } as const;
    expect((await listPayments(payments.app, aMember(teamId), restriction)).data).toEqual([]);
    expect(await found(teamId, ` ${payment._id.toUpperCase()}`)).toEqual([payment._id]);
  });

  test('the search finds a payment by the beginning of its id', async () => {
    const own = newId('team');
    const { _id } = await aStoredPayment({ team_id: own, createdAt: new Date() });
    expect(await found(own, _id.slice(0, -1))).toEqual([_id]);
    expect(await found(own, _id.slice(0, 'pay_01'.length).toUpperCase())).toEqual([_id]);
    expect(await found(own, 'pay_7')).toEqual([]);
  });

  test.each(['rder', 'example.com', 'zoë ångström', 'order 2026', 'eu', '.*'])(
    'the search does not find a payment by %j',
    async (search) => {
      expect(await found(teamId, search)).toEqual([]);
    },
  );

  test('the search does not find payments of another team', async () => {
    expect(await found(newId('team'), payment._id)).toEqual([]);
  });

  test('the search compares the whole of a text that is longer than a key', async () => {
    const own = newId('team');
    const long = 'r'.repeat(200);
    const { _id } = await aStoredPayment({ team_id: own, reference: `${long}1` });
    await aStoredPayment({ team_id: own, reference: `${long}2` });
    expect(await found(own, `${long}1`)).toEqual([_id]);
    expect(await found(own, long)).toHaveLength(2);
  });
});

test('the search does not find an erased payment by its personal data, and still by its id', async () => {
  const principal = aPrincipal();
  const payer = { name: 'Ada Lovelace', email: 'ada@example.com' };
  const { id } = await payments.create(principal, { reference: 'order-7', payer });
  await payments.settleAfter(5_000);
  const sought = ['lovelace', 'ada@', 'order-7'];
  for (const text of sought) expect(await found(principal.team_id, text)).toEqual([id]);
  await erasePayment(
    { ...payments.app, clock: payments.clock },
    anActor(principal, 'admin'),
    { payment_id: id },
    newId('request'),
  );
  for (const text of sought) expect(await found(principal.team_id, text)).toEqual([]);
  expect(await found(principal.team_id, id)).toEqual([id]);
});
