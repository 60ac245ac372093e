import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aLivePrincipal, startWithAdapter } from './adapter-under-test.ts';
import { type PaymentsUnderTest, START_TIMEOUT_MS } from './payments-under-test.ts';
import type { ScriptedAdapter } from './scripted-adapter.ts';
import { settleDue } from './settle-due.ts';

/** These tests wait for it. */
const DEADLINE_MS = 1_000;

const principal = aLivePrincipal();

let context: Awaited<ReturnType<typeof startWithAdapter>>;
let adapter: ScriptedAdapter;
let payments: PaymentsUnderTest;
beforeAll(async () => {
  context = await startWithAdapter({ deadlineMs: DEADLINE_MS });
  ({ adapter, payments } = context);
}, START_TIMEOUT_MS);
afterAll(() => context.stop());
beforeEach(() => adapter.fail(() => 'none'));

const started = (fields?: object) => context.started(principal, fields);
const askAfter = (ms: number, id: string) => context.askAfter(ms, principal, id);
const cancel = (id: string, key?: string) => context.cancel(principal, id, key);

test('a payment stays as it is while the adapter hangs, and is charged once in the end', async () => {
  adapter.fail(() => 'hang');
  const payment = await started({ payment_method: 'tok_1' });
  expect(payment).toMatchObject({ status: 'pending', version: 1 });
  const { processor_calls = [] } = await payments.stored(principal, payment.id);
  expect(processor_calls).toMatchObject([{ call: 'start', status: null, error: expect.any(String) }]);
  adapter.fail(() => 'none');
  expect((await askAfter(10_000, payment.id)).status).toBe('succeeded');
  expect(adapter.entries.get(payment.id)?.charges).toBe(1);
});

test('a cancellation without a reply in time returns 202, and is completed by a worker', async () => {
  const { id } = await started();
  adapter.fail((call) => (call === 'cancel' ? 'hang' : 'none'));
  const response = await cancel(id, 'k3');
  expect(response.statusCode).toBe(202);
  expect(response.json()).toMatchObject({
    status: 'pending',
    cancellation_requested_at: expect.any(String),
  });
  expect((await cancel(id, 'k3')).statusCode).toBe(202);
  expect((await cancel(id)).statusCode).toBe(202);
  adapter.fail(() => 'none');
  expect((await askAfter(300_000, id)).status).toBe('canceled');
  const replay = await cancel(id, 'k3');
  expect([replay.statusCode, replay.json().status]).toEqual([200, 'canceled']);
  const { history } = await payments.stored(principal, id);
  expect(history.filter(({ type }) => type === 'payment.cancellation_requested')).toHaveLength(1);
});

test('a cancellation of many payments occupies few calls of an adapter that hangs, and each is canceled later', async () => {
  const ids = await Promise.all(
    Array.from({ length: 15 }, async () => (await payments.create(principal)).id),
  );
  await settleDue(payments.app);
  const before = adapter.calls.length;
  adapter.fail(() => 'hang');
  const responses = await Promise.all(ids.map((id) => cancel(id)));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(ids.map(() => 202));
  expect(adapter.calls.length - before).toBeLessThanOrEqual(10);
  adapter.fail(() => 'none');
  await payments.settleAfter(300_000);
  for (const id of ids) expect((await payments.read(principal, id)).status).toBe('canceled');
});
