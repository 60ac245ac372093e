import { createSigningKeys } from '@tollgate/security/test/issuer-keys';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentDocument } from '../src/lifecycle/payment.ts';
import { claimForDecision } from '../src/processing/claim.ts';
import { historyKeys } from '../src/seals/history-keys.ts';
import { createHistorySeals } from '../src/seals/history-seal.ts';
import { createPaymentStore, type PaymentStore } from '../src/store/payment-store.ts';
import { aNewPayment } from './a-new-payment.ts';
import { type PaymentsUnderTest, START_TIMEOUT_MS, startPaymentsUnderTest } from './payments-under-test.ts';

const COMMAND = new URL('../src/commands/reseal-histories.ts', import.meta.url);

let payments: PaymentsUnderTest;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
}, START_TIMEOUT_MS);
afterAll(() => payments.stop());

async function run(signingKeys: string) {
  const env = { MONGODB_URL: payments.infra.mongodbUrl, SIGNING_KEYS: signingKeys };
  const running = startProcessUnderTest(COMMAND, env);
  const [code] = await running.exited;
  return { code, output: running.output() };
}
const stored = async (id: string) =>
  (await payments.collection.findOne({ _id: id as never })) as unknown as PaymentDocument;
const sealsOf = (signingKeys: string) => createHistorySeals(historyKeys.parse(signingKeys, {}));

/** A payment whose settlement was interrupted after the decision of a member. */
async function anInterruptedSettlement(store: PaymentStore): Promise<string> {
  const payment = await store.insert(aNewPayment());
  if (payment === null) throw new Error('The payment exists');
  const cause = { type: 'member', id: 'mem_1' } as const;
  const decision = { outcome: { status: 'succeeded' }, cause, request_id: null } as const;
  await claimForDecision(store, payment, { now: new Date(), decision });
  return payment._id;
}

test('the command moves seals of payments and interrupted decisions to a rotated key, is safe to repeat, and names what fails verification', async () => {
  const [first, second] = [createSigningKeys('1'), createSigningKeys('2')];
  const store = createPaymentStore(payments.connection, sealsOf(first));
  const interrupted = await anInterruptedSettlement(store);
  const [intact, altered, unsealed] = [aNewPayment(), aNewPayment(), aNewPayment()];
  await Promise.all([intact, altered].map((payment) => store.insert(payment)));
  await payments.collection.updateOne({ _id: altered._id as never }, { $set: { amount: 1 } });
  await payments.collection.insertOne(unsealed as never);

  const rotated = await run(`${second},${first}`);
  expect(rotated).toMatchObject({ code: 1, output: expect.stringContaining('sealed 2.') });
  expect(rotated.output).toContain(`${altered._id}: altered`);
  expect(rotated.output).toContain(`${unsealed._id}: unsealed`);
  for (const id of [intact._id, interrupted]) {
    expect(sealsOf(second).verify(await stored(id))).toBeNull();
  }

  const untrusted = [altered, unsealed].map(({ _id }) => _id);
  await payments.collection.deleteMany({ _id: { $in: untrusted as never[] } });
  expect(await run(second)).toMatchObject({ code: 0, output: expect.stringContaining('sealed 0.') });
});
