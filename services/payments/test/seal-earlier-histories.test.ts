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
const strict = (signingKeys: string) =>
  createHistorySeals({ keys: historyKeys.parse(signingKeys, {}), acceptUnsealed: false });

test('the command seals earlier payments, is safe to repeat, follows a rotated key, and names what is not believed', async () => {
  const first = createSigningKeys('1');
  const unsealed = aNewPayment();
  await payments.collection.insertOne(unsealed as never);
  expect(strict(first).distrust(await stored(unsealed._id))).toBe('unsealed');

  expect(await run(first)).toMatchObject({ code: 0, output: expect.stringContaining('sealed 1.') });
  expect(strict(first).distrust(await stored(unsealed._id))).toBeNull();
  expect((await run(first)).output).toContain('sealed 0.');

  const second = createSigningKeys('2');
  expect(await run(`${second},${first}`)).toMatchObject({
    code: 0,
    output: expect.stringContaining('sealed 1.'),
  });
  expect(strict(second).distrust(await stored(unsealed._id))).toBeNull();

  await payments.collection.updateOne({ _id: unsealed._id as never }, { $set: { amount: 1 } });
  const { code, output } = await run(second);
  expect(code).toBe(1);
  expect(output).toContain(`${unsealed._id}: altered`);
});

test('the command seals the decision of a settlement that was interrupted', async () => {
  const principal = aPrincipal({ environment: 'live' });
  const { id } = await payments.create(principal);
  const now = new Date(payments.clock.now());
  const cause = { type: 'member', id: 'mem_1' } as const;
  const decision = { outcome: { status: 'succeeded' }, cause, request_id: null } as const;
  await claimForDecision(payments.app.store, await payments.stored(principal, id), { now, decision });
  const unset = { 'settlement.decision_seal': 1, 'history.0.seal': 1, 'history.1.seal': 1 } as const;
  await payments.collection.updateOne({ _id: id as never }, { $unset: unset });
  const keys = createSigningKeys();
  await run(keys);
  expect(strict(keys).distrust(await stored(id))).toBeNull();
});
