import { callRpc } from '@tollgate/bus/rpc';
import type { Principal } from '@tollgate/contracts/applications/principal';
import {
  getPayment,
  getTimeline,
  hasPayments,
  listPayments,
  summarizePayments,
} from '@tollgate/contracts/payments/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { MAX_REPLY_BYTES } from '@tollgate/contracts/platform/rpc-contract';
import type { Static } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownerOfPrincipal } from '../src/store/payment-owner.ts';
import { aNewPayment } from './a-new-payment.ts';
import {
  aMember,
  anActor,
  aPrincipal,
  CLIENT_ADDRESS,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';
import { type ServedPayments, servePayments } from './served-payments.ts';

let payments: PaymentsUnderTest;
let served: ServedPayments;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
  served = await servePayments(payments);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await served.stop();
  await payments.stop();
});

type ListRequest = Static<typeof listPayments.request>;

async function asViewer(principal: Principal) {
  return {
    actorToken: await payments.signActor(anActor(principal, 'viewer')),
    // A reply on a busy machine may take longer than callers of the platform wait for one.
    deadlineMs: 30_000,
  };
}
const list = async (principal: Principal, request: ListRequest = {}) =>
  callRpc(payments.bus, listPayments, request, await asViewer(principal));
const rejection = (code: string) => ({ details: expect.objectContaining({ code }) });

test('a viewer reads each payment in full, and lists without metadata', async () => {
  const principal = aPrincipal();
  const created = await payments.create(principal, { metadata: { order: '7' }, reference: 'o-7' });
  const more = { application_id: principal.application_id, processor: 'sandbox' };
  const asked = { payment_id: created.id };
  const detail = await callRpc(payments.bus, getPayment, asked, await asViewer(principal));
  const { expires_at } = detail;
  expect(detail).toEqual({ ...created, ...more, processor_url: null, difference: null, expires_at });
  expect(Date.parse(expires_at) - Date.parse(created.created_at)).toBe(24 * 3_600_000);
  const { metadata: _, processor_url: __, difference: ___, ...row } = detail;
  expect((await list(principal)).data).toEqual([row]);
});

test('a viewer reads every transition of a payment, with its cause and its request', async () => {
  const principal = aPrincipal();
  const { id } = await payments.create(principal, { payment_method: 'pm_decline' });
  await payments.settleAfter(5_000);
  const asked = { payment_id: id };
  const timeline = await callRpc(payments.bus, getTimeline, asked, await asViewer(principal));
  const { history } = await payments.stored(principal, id);
  const key = { type: 'key', id: principal.key_id, address: CLIENT_ADDRESS };
  const processor = { type: 'processor', id: 'sandbox', address: null };
  expect(timeline).toEqual({
    data: [
      ['payment.created', 1, key, history[0]?.request_id],
      ['payment.processing', 2, processor, null],
      ['payment.failed', 3, processor, null],
    ].map(([type, version, cause, request_id], at) => ({
      event_id: history[at]?.event_id,
      type,
      version,
      occurred_at: history[at]?.occurred_at.toISOString(),
      cause,
      request_id,
    })),
    next_cursor: null,
    previous_cursor: null,
    reversals: [],
  });
  expect(timeline.data[0]?.request_id).toMatch(/^req_/);
});

test('a viewer reads the payments of the own team, of both environments or of one', async () => {
  const live = aPrincipal({ environment: 'live' });
  const sandbox = { ...live, environment: 'sandbox' } as const;
  const mine = [(await payments.create(live)).id, (await payments.create(sandbox)).id].sort();
  const ids = async (request: ListRequest) => (await list(live, request)).data.map(({ id }) => id).sort();
  expect(await ids({})).toEqual(mine);
  expect(await ids({ environment: 'live' })).toHaveLength(1);
  expect(await ids({ environment: 'sandbox' })).toHaveLength(1);
});

test('a viewer reads nothing of another team, whatever the request names', async () => {
  const owner = aPrincipal();
  const { id } = await payments.create(owner, { reference: 'theirs', payer: { email: 'a@b' } });
  const stranger = await asViewer(aPrincipal());
  const one = { payment_id: id };
  const notFound = rejection('not-found');
  await expect(callRpc(payments.bus, getPayment, one, stranger)).rejects.toMatchObject(notFound);
  await expect(callRpc(payments.bus, getTimeline, one, stranger)).rejects.toMatchObject(notFound);
  const theirs = { application_id: owner.application_id };
  for (const filter of [{}, { reference: 'theirs' }, { payer: 'a@b' }, theirs] satisfies ListRequest[]) {
    expect(await callRpc(payments.bus, listPayments, filter, stranger)).toEqual({
      data: [],
      next_cursor: null,
      previous_cursor: null,
    });
  }
  const sums = { environment: 'sandbox', ...theirs } as const;
  const { statuses } = await callRpc(payments.bus, summarizePayments, sums, stranger);
  expect(Object.values(statuses)).toEqual([0, 0, 0, 0, 0]);
});

test('a viewer is rejected without an actor', async () => {
  await expect(callRpc(payments.bus, listPayments, {})).rejects.toMatchObject(rejection('forbidden'));
});

test('a service learns whether an application has a payment in any environment', async () => {
  const has = async ({ team_id, application_id }: Principal) =>
    (await callRpc(payments.bus, hasPayments, { team_id, application_id })).has_payments;
  for (const environment of ['live', 'sandbox'] as const) {
    const principal = { ...aPrincipal(), environment };
    expect(await has(principal)).toBe(false);
    await payments.create(principal);
    expect(await has(principal)).toBe(true);
    expect(await has({ ...principal, application_id: newId('application') })).toBe(false);
    expect(await has({ ...principal, team_id: newId('team') })).toBe(false);
  }
});

describe('a page of the largest possible rows', () => {
  // Six bytes of JSON per character; four bytes of UTF-8 for every two; a character that JSON escapes.
  test.each(['\u0001', '😀', '"'])(
    'made of %j fits into one reply, and no row is lost',
    async (character) => {
      const text = (length: number) => character.repeat(length / character.length);
      const principal = aPrincipal();
      const party = { name: text(140), account: text(64), email: `${text(252)}@${text(2)}` };
      const count = 120;
      const documents = Array.from({ length: count }, () =>
        aNewPayment({
          ...ownerOfPrincipal(principal),
          amount: 999_999_999_999,
          purpose: text(254),
          reference: text(254),
          payer: party,
          payee: party,
          payment_method: text(254),
          metadata: Array.from({ length: 50 }, (_, at) => ({ key: `k${at}`, value: text(500) })),
          dueAt: null,
        }),
      );
      const failure = { code: 'c'.repeat(64), message: text(254) };
      await Promise.all(
        documents.map((document) => payments.app.store.insert({ ...document, status: 'failed', failure })),
      );
      const found = new Set<string>();
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof list>> = await list(principal, {
          limit: 100,
          ...(cursor && { cursor }),
        });
        expect(Buffer.byteLength(JSON.stringify({ ok: page }))).toBeLessThanOrEqual(MAX_REPLY_BYTES);
        expect(page.data.length).toBeGreaterThan(0);
        for (const { id } of page.data) found.add(id);
        cursor = page.next_cursor;
      } while (cursor !== null);
      expect(found.size).toBe(count);
    },
  );
});

describe('a cursor', () => {
  const invalid = {
    details: expect.objectContaining({
      code: 'invalid-request',
      errors: [expect.objectContaining({ pointer: '/cursor' })],
    }),
  };
  const encoded = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');

  test('a cursor is rejected with filters other than those of its page, and accepted with the same filters in another notation', async () => {
    const principal = aPrincipal();
    for (let index = 0; index < 3; index += 1) await payments.create(principal);
    const filters = { currency: 'EUR', created_from: '2000-01-01T00:00:00Z' };
    const cursor = (await list(principal, { ...filters, limit: 1 })).next_cursor ?? '';
    for (const other of [
      {},
      { currency: 'EUR' },
      { ...filters, status: 'pending' as const },
      { ...filters, created_from: '2000-01-01T00:00:00.001Z' },
      { ...filters, environment: 'sandbox' as const },
    ]) {
      await expect(list(principal, { ...other, cursor })).rejects.toMatchObject(invalid);
    }
    const same = { created_from: '2000-01-01T01:00:00+01:00', currency: 'eur' };
    expect((await list(principal, { ...same, limit: 2, cursor })).data).toHaveLength(2);
  });

  test('a cursor that no page returned is rejected', async () => {
    const principal = aPrincipal();
    for (let index = 0; index < 2; index += 1) await payments.create(principal);
    const genuine = (await list(principal, { limit: 1 })).next_cursor ?? '';
    const content: unknown[] = JSON.parse(Buffer.from(genuine, 'base64url').toString());
    const changed = (at: number, value: unknown) => encoded(content.toSpliced(at, 1, value));
    expect(encoded(content)).toBe(genuine);
    for (const cursor of [
      '',
      'x',
      encoded(null),
      encoded({}),
      encoded([]),
      changed(0, 'sideways'),
      changed(1, null),
      changed(2, 'yesterday'),
      changed(2, 8_640_000_000_000_001),
      changed(2, 1.5),
      changed(3, { $gt: '' }),
      changed(3, newId('team')),
      changed(4, null),
    ]) {
      await expect(list(principal, { cursor })).rejects.toMatchObject(invalid);
    }
  });

  test('a cursor of another team reveals nothing of that team', async () => {
    const theirs = aPrincipal();
    for (let index = 0; index < 3; index += 1) await payments.create(theirs);
    const cursor = (await list(theirs, { limit: 1 })).next_cursor ?? '';
    expect((await list(aPrincipal(), { cursor })).data).toEqual([]);
  });
});

test.each([
  [{ amount_min: 2, amount_max: 1 }, '/amount_max'],
  [{ created_from: '2026-01-02T00:00:00Z', created_to: '2026-01-01T00:00:00Z' }, '/created_to'],
])('a reversed range, %j, is rejected with its field named', async (request, pointer) => {
  await expect(list(aPrincipal(), request)).rejects.toMatchObject({
    details: { code: 'invalid-request', errors: [{ pointer }] },
  });
});

test('a range that ends where it starts is empty', async () => {
  const principal = aPrincipal();
  const { created_at } = await payments.create(principal);
  const page = await list(principal, { created_from: created_at, created_to: created_at });
  expect(page).toEqual({ data: [], next_cursor: null, previous_cursor: null });
});

test(
  'while MongoDB is unavailable members are asked to retry, and see no internal error',
  async () => {
    const other = await startPaymentsUnderTest();
    const serving = await servePayments(other);
    await other.infra.mongodb.stop();
    const actorToken = await other.signActor(aMember(newId('team')));
    await expect(
      callRpc(other.bus, listPayments, {}, { actorToken, deadlineMs: 30_000 }),
    ).rejects.toMatchObject(rejection('unavailable'));
    await other.infra.mongodb.start();
    await serving.stop();
    await other.stop();
  },
  START_TIMEOUT_MS,
);
