import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STUCK_BURSTS } from '../src/stuck/stuck-burst.ts';
import { aLivePrincipal, startWithAdapter } from './adapter-under-test.ts';
import { type PaymentsUnderTest, START_TIMEOUT_MS } from './payments-under-test.ts';

let context: Awaited<ReturnType<typeof startWithAdapter>>;
let payments: PaymentsUnderTest;
beforeAll(async () => {
  context = await startWithAdapter();
  ({ payments } = context);
}, START_TIMEOUT_MS);
afterAll(() => context.stop());

const bursts = () =>
  payments.connection.collection<{ _id: string; outbox: SignedAuditEntry[] }>(STUCK_BURSTS);

/** Every instance looks for stuck payments at the same time. */
async function notice(): Promise<void> {
  const { tasks } = payments.app;
  await Promise.all([tasks.noticeStuckPayments(), tasks.noticeStuckPayments(), tasks.noticeStuckPayments()]);
}

async function processingPayment(principal: ReturnType<typeof aLivePrincipal>): Promise<string> {
  const { id } = await payments.create(principal);
  const since = { status: 'processing', updated_at: new Date(payments.clock.now()) };
  await payments.collection.updateOne({ _id: id as never }, { $set: since });
  return id;
}

const entriesOf = async (teamId: string) =>
  (await bursts().find({}).toArray())
    .flatMap(({ outbox }) => outbox)
    .filter(({ team_id }) => team_id === teamId);

test('stuck payments are recorded once for each burst of a team, by several instances', async () => {
  const [principal, other] = [aLivePrincipal(), aLivePrincipal()];
  const ids = [await processingPayment(principal), await processingPayment(principal)];
  await notice();
  expect(await entriesOf(principal.team_id)).toEqual([]);
  payments.clock.advance(HOUR_MS + 1);
  await notice();
  ids.push(await processingPayment(principal));
  payments.clock.advance(HOUR_MS + 1);
  await notice();
  const entries = await entriesOf(principal.team_id);
  expect(entries).toMatchObject([
    {
      action: 'payment.stuck',
      environment: 'live',
      actor: { type: 'system' },
      target: { type: 'payments', name: 'acme' },
      changes: { stuck_payments: { before: 0, after: 2 } },
    },
  ]);
  expect(await entriesOf(other.team_id)).toEqual([]);

  await payments.collection.updateMany({ _id: { $in: ids as never[] } }, { $set: { status: 'succeeded' } });
  await notice();
  // The entry waits for the audit log, so that the burst stays.
  expect(await entriesOf(principal.team_id)).toHaveLength(1);
  await bursts().updateMany({}, { $set: { outbox: [] } });
  await notice();
  expect(await bursts().countDocuments()).toBe(0);

  await processingPayment(principal);
  payments.clock.advance(HOUR_MS + 1);
  await notice();
  expect(await entriesOf(principal.team_id)).toHaveLength(1);
});
