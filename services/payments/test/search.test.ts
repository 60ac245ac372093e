import { newId } from '@tollgate/contracts/platform/ids';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { erasePayment } from '../src/erasure/erase-payment.ts';
import { listPayments } from '../src/history/list-payments.ts';
import type { NewPayment, PaymentDocument } from '../src/lifecycle/payment.ts';
import { idEndKeyOf } from '../src/lifecycle/search-keys.ts';
import { aNewPayment } from './a-new-payment.ts';
import {
  aMember,
  anActor,
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';

const REFILL = new URL('../src/commands/refill-search-keys.ts', import.meta.url);

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
      amount: 129_990,
      reference: 'Order-2026/0042 refund EU',
      purpose: 'Büromöbel für Straße 9',
      payer: party({ name: 'Zoë  van der Ångström', account: 'DE89 3704', email: 'Zoe@Example.com' }),
      metadata: [{ key: 'cart', value: 'Cart #778' }],
    });
    await aStoredPayment({ team_id: teamId, reference: 'other' });
  });

  test.each([
    ...['order-2026/0042 REFUND eu', 'ORDER-2', '2026', '0042 ref', 'refund'],
    ...['zoë van der', 'ZOE\u0308', '  ångström ', 'Der Å', 'zoe@example.com', 'zoe@', 'de89 37'],
    // Words in any order.
    ...['zoë ångström', 'angstrom zoe', 'order 2026', 'refund zoe@example.com', '#0042'],
    // Letters without their accents, and the other way round.
    ...['zoe', 'Angström', 'buromobel', 'strasse', 'straße'],
    ...['1299.90', '1,299.90 EUR', '1.299,90 €', '€1299,90', 'refund 1299.90', 'eur refund'],
    ...['DE893704', 'de89 3704', 'cart', '778', '#778', 'cart order'],
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

  test('the search finds a payment by the end of its id, also as the dashboard shortens it', async () => {
    const own = newId('team');
    const { _id } = await aStoredPayment({ team_id: own, createdAt: new Date() });
    const [beginning, end] = [_id.slice(0, 12), _id.slice(-6)];
    const ends = [end, end.toUpperCase(), _id.slice('pay_'.length), `pay_…${end}`, `pay_...${end}`];
    for (const text of [...ends, `${beginning}…${end}`]) expect(await found(own, text)).toEqual([_id]);
    expect(await found(own, `${beginning}…000000`)).toEqual([]);
  });

  test('the search finds a payment by the id of the request that created it', async () => {
    const own = newId('team');
    const requestId = newId('request');
    const { _id } = await aStoredPayment({ team_id: own, requestId, createdAt: new Date() });
    await aStoredPayment({ team_id: own, createdAt: new Date() });
    expect(await found(own, requestId)).toEqual([_id]);
    expect(await found(own, newId('request'))).toEqual([]);
  });

  test('the search finds a payment with the keys of release 1.0.0 by the beginning of a text, with its accents', async () => {
    const own = newId('team');
    const { _id } = await aStoredPayment({ team_id: own, reference: 'x' });
    const search_keys = ['order 7 für müller', '7 für müller', 'für müller', 'müller', 'de89 3704'];
    await payments.connection
      .collection<PaymentDocument>('payments')
      .updateOne({ _id, team_id: own }, { $set: { search_keys } });
    for (const text of ['order 7 für', '7 FÜR', 'müller', 'de89 37'])
      expect(await found(own, text)).toEqual([_id]);
    expect(await found(own, 'muller')).toEqual([]);
  });

  test('the command refills the search keys of payments that an earlier release created, and is safe to repeat', async () => {
    const own = newId('team');
    const { _id, search_keys } = await aStoredPayment({ team_id: own, reference: 'Müller', purpose: 'rent' });
    await payments.connection
      .collection<PaymentDocument>('payments')
      .updateOne({ _id, team_id: own }, { $set: { search_keys: ['müller'] } });
    const env = { MONGODB_URL: payments.infra.mongodbUrl };
    const outputs = [];
    for (const _ of ['first', 'second']) {
      const running = startProcessUnderTest(REFILL, env);
      expect(await running.exited).toEqual([0, null]);
      outputs.push(running.output());
    }
    expect(outputs[0]).toMatch(/refilled the search keys of [1-9]/);
    expect(outputs[1]).toContain('refilled the search keys of 0.');
    const stored = await payments.connection.collection<PaymentDocument>('payments').findOne({ _id });
    expect(stored?.search_keys).toEqual(search_keys);
    for (const text of ['muller', 'rent']) expect(await found(own, text)).toEqual([_id]);
  });

  test.each(['rder', 'example.com', 'eu', '.*', 'zoe 2027', '1299.9', '129.99', 'refund 1.00'])(
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
  const others = { purpose: 'Engine', metadata: { cart: 'cart-778' } };
  const { id } = await payments.create(principal, { reference: 'order-7', payer, ...others });
  await payments.settleAfter(5_000);
  const sought = ['lovelace', 'ada@', 'order-7', 'engine', '778'];
  for (const text of sought) expect(await found(principal.team_id, text)).toEqual([id]);
  await erasePayment(
    { ...payments.app, clock: payments.clock },
    anActor(principal, 'admin'),
    { payment_id: id },
    newId('request'),
  );
  for (const text of sought) expect(await found(principal.team_id, text)).toEqual([]);
  for (const text of [id, id.slice(-6)]) expect(await found(principal.team_id, text)).toEqual([id]);
  const stored = await payments.connection.collection<PaymentDocument>('payments').findOne({ _id: id });
  expect(stored?.search_keys).toEqual([idEndKeyOf(id)]);
});
