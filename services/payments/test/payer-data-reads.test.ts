import { callRpc } from '@tollgate/bus/rpc';
import type { Actor } from '@tollgate/contracts/actor';
import { AuditEntry } from '@tollgate/contracts/audit';
import { HOUR_MS } from '@tollgate/contracts/durations';
import { newId } from '@tollgate/contracts/ids';
import { openReader } from '@tollgate/contracts/open-reader';
import { getPayment, listPayments } from '@tollgate/contracts/rpc/payments';
import { MAX_UNRECORDED_PAGES, PAYER_DATA_READS } from '@tollgate/store/payer-data-reads';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  anActor,
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';
import { type ServedPayments, servePayments } from './served-payments.ts';

/** The audit log is unavailable throughout, so that every record stays in the outbox. */
let payments: PaymentsUnderTest;
/** Two instances that share the requests. */
let served: ServedPayments[];
beforeAll(async () => {
  // MongoDB deletes counts whose hour is long over by its own clock.
  payments = await startPaymentsUnderTest({}, createFakeClock(Date.now()));
  served = [await servePayments(payments), await servePayments(payments)];
}, START_TIMEOUT_MS);
afterAll(async () => {
  for (const instance of served) await instance.stop();
  await payments.stop();
});
beforeEach(() => payments.clock.advance(HOUR_MS));

interface Reads {
  team_id: string;
  pages: string[];
  outbox: AuditEntry[];
}
const readsOf = (teamId: string) =>
  payments.connection.collection<Reads>(PAYER_DATA_READS).find({ team_id: teamId }).toArray();
const entriesOf = async (teamId: string) => (await readsOf(teamId)).flatMap(({ outbox }) => outbox);

async function aTeam(environment: 'live' | 'sandbox' = 'live') {
  const principal = { ...aPrincipal(), environment };
  const payment = await payments.create(principal, { payer: { name: 'Ada Lovelace' } });
  const viewer: Actor = anActor(principal, 'viewer');
  const call = { actorToken: await payments.signActor(viewer) };
  return {
    id: principal.team_id,
    viewer,
    readPage: (page: number) => callRpc(payments.bus, listPayments, { amount_max: 10_000 + page }, call),
    readPayment: () => callRpc(payments.bus, getPayment, { payment_id: payment.id }, call),
  };
}

/** Fewer than one instance takes of a team at once. */
const AT_ONCE = 20;

const pages = (count: number) => Array.from({ length: count }, (_, index) => index);

async function readPages({ readPage }: Awaited<ReturnType<typeof aTeam>>, count: number): Promise<void> {
  const all = pages(count);
  while (all.length > 0) await Promise.all(all.splice(0, AT_ONCE).map(readPage));
}

describe('pages of live payments', () => {
  test('are recorded once in an hour, when one more than the limit is read, by any instances', async () => {
    const team = await aTeam();
    await readPages(team, MAX_UNRECORDED_PAGES);
    await readPages(team, MAX_UNRECORDED_PAGES);
    expect(await entriesOf(team.id)).toEqual([]);
    await team.readPayment();
    await readPages(team, MAX_UNRECORDED_PAGES * 2);
    const entries = await entriesOf(team.id);
    expect(entries).toHaveLength(1);
    expect(openReader(AuditEntry).read(entries[0])).not.toBeNull();
    expect(entries[0]).toMatchObject({
      team_id: team.id,
      environment: 'live',
      action: 'payments.paged',
      actor: { type: 'member', name: team.viewer.name },
      target: { type: 'payments', id: team.id },
    });
  });

  test('are recorded before the page that exceeds the limit is returned, also when others are read at once', async () => {
    const team = await aTeam();
    await readPages(team, MAX_UNRECORDED_PAGES + 1);
    expect(await entriesOf(team.id)).toHaveLength(1);
  });

  test('are recorded by a repeated request when the first one was cut off before it was recorded', async () => {
    const team = await aTeam();
    await readPages(team, MAX_UNRECORDED_PAGES + 1);
    // As an instance leaves it that was killed between the count and the record.
    const counted = pages(MAX_UNRECORDED_PAGES).map(String);
    await team.readPage(0);
    const collection = payments.connection.collection<Reads & { recorded_at?: Date }>(PAYER_DATA_READS);
    await collection.updateOne(
      { team_id: team.id },
      { $unset: { recorded_at: 1 }, $set: { outbox: [], pages: counted } },
    );
    await team.readPage(7);
    expect(await entriesOf(team.id)).toHaveLength(1);
  });

  test('count anew in the next hour', async () => {
    const team = await aTeam();
    await readPages(team, MAX_UNRECORDED_PAGES);
    payments.clock.advance(HOUR_MS);
    const call = { actorToken: await payments.signActor(team.viewer) };
    await callRpc(payments.bus, listPayments, { amount_max: 99_999 }, call);
    expect(await entriesOf(team.id)).toEqual([]);
  });

  test('of another team, and of the sandbox, are not counted', async () => {
    const [team, other] = [await aTeam(), await aTeam('sandbox')];
    await readPages(team, MAX_UNRECORDED_PAGES);
    await readPages(other, MAX_UNRECORDED_PAGES + 5);
    expect(await entriesOf(team.id)).toEqual([]);
    expect(await readsOf(other.id)).toEqual([]);
    expect(await readsOf(newId('team'))).toEqual([]);
  });
});
