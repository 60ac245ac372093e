import { createSigningKeys } from '@tollgate/security/test/issuer-keys';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentDocument } from '../src/lifecycle/payment.ts';
import { historyKeys } from '../src/seals/history-keys.ts';
import { createHistorySeals } from '../src/seals/history-seal.ts';
import { claimForDecision } from '../src/settlement/claim-decision.ts';
import { aNewPayment } from './a-new-payment.ts';
import {
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';

const COMMAND = new URL('../src/commands/seal-earlier-histories.ts', import.meta.url);

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
const strict = (signingKeys: string) => createHistorySeals(historyKeys.parse(signingKeys, {}));

/** A payment whose settlement was interrupted after the decision of a member. */
async function anInterruptedSettlement(): Promise<string> {
  const principal = aPrincipal({ environment: 'live' });
  const { id } = await payments.create(principal);
  const now = new Date(payments.clock.now());
  const cause = { type: 'member', id: 'mem_1' } as const;
  const decision = { outcome: { status: 'succeeded' }, cause, request_id: null } as const;
  await claimForDecision(payments.app.store, await payments.stored(principal, id), { now, decision });
  const unset = { 'settlement.decision_seal': 1, 'history.0.seal': 1, 'history.1.seal': 1 } as const;
  await payments.collection.updateOne({ _id: id as never }, { $unset: unset });
  return id;
}

test('the command seals earlier payments and interrupted decisions, follows a rotated key, is safe to repeat, and names what fails verification', async () => {
  const [first, second] = [createSigningKeys('1'), createSigningKeys('2')];
  const interrupted = await anInterruptedSettlement();
  const [unsealed, altered] = [aNewPayment(), aNewPayment()];
  await payments.collection.insertMany([unsealed, altered] as never[]);
  expect(strict(first).verify(await stored(unsealed._id))).toBe('unsealed');

  expect(await run(first)).toMatchObject({ code: 0, output: expect.stringContaining('sealed 3.') });
  for (const id of [unsealed._id, altered._id, interrupted]) {
    expect(strict(first).verify(await stored(id))).toBeNull();
  }

  await payments.collection.updateOne({ _id: altered._id as never }, { $set: { amount: 1 } });
  const rotated = await run(`${second},${first}`);
  expect(rotated).toMatchObject({ code: 1, output: expect.stringContaining('sealed 2.') });
  expect(rotated.output).toContain(`${altered._id}: altered`);
  for (const id of [unsealed._id, interrupted]) {
    expect(strict(second).verify(await stored(id))).toBeNull();
  }

  expect((await run(`${second},${first}`)).output).toContain('sealed 0.');
});
