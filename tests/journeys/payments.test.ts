import { Payment } from '@tollgate/contracts/payments/payment';
import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { isId, newId } from '@tollgate/contracts/platform/ids';
import { eventually } from '@tollgate/test-kit/eventually';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../support/api-client.ts';
import { joinSharedPlatform, type SharedPlatform } from '../support/platform/shared-platform.ts';
import type { TestTeam } from '../support/platform/test-team.ts';

const paymentSchema = Compile(Payment);
let platform: SharedPlatform;
let team: TestTeam;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
});
afterAll(() => platform?.leave());

describe.each(ENVIRONMENTS)('a payment in %s', (environment) => {
  it('a payment is created, read and canceled through the gateway', async () => {
    const application = await platform.createApplication(team);
    const api = apiClient(platform.baseUrl[environment], application.keys[environment]);
    const input = {
      amount: 1999,
      currency: 'eur',
      purpose: 'Two tickets',
      reference: 'order-1',
      payer: { name: 'Ada', email: 'ada@example.com' },
      payment_method: 'pm_hold',
      metadata: { seat: '12A', größe: '✓' },
    };

    const created = await api.create(input, 'order-1');
    expect(created.status).toBe(201);
    expect(paymentSchema.Errors(created.body)).toEqual([]);
    expect(created.body).toMatchObject({
      object: 'payment',
      environment,
      amount: 1999,
      currency: 'EUR',
      payer: { name: 'Ada', account: null, email: 'ada@example.com' },
      payee: null,
      metadata: { seat: '12A', größe: '✓' },
      status: 'pending',
      cancelable: true,
      version: 1,
    });
    expect(created.headers.get('location')).toBe(`/v1/payments/${created.body.id}`);
    expect(isId('request', created.headers.get('x-request-id') ?? '')).toBe(true);

    const read = await api.read(created.body.id);
    expect(read.status).toBe(200);
    expect(read.body).toEqual(created.body);

    const canceled = await api.cancel(created.body.id, { cancellation_reason: 'requested_by_customer' });
    expect(canceled.status).toBe(200);
    expect(canceled.body).toMatchObject({
      status: 'canceled',
      cancelable: false,
      version: 2,
      cancellation_reason: 'requested_by_customer',
    });
    expect(canceled.body.canceled_at).not.toBeNull();
    expect((await api.read(created.body.id)).body).toEqual(canceled.body);
  });

  it('a payment has an ETag: a conditional read responds 304 when unchanged and 200 when changed', async () => {
    const application = await platform.createApplication(team);
    const api = apiClient(platform.baseUrl[environment], application.keys[environment]);
    const { body: payment } = await api.create(
      { amount: 1, currency: 'EUR', payment_method: 'pm_hold' },
      'order-1',
    );
    const path = `/v1/payments/${payment.id}`;
    const etag = (await api.read(payment.id)).headers.get('etag') ?? '';

    const head = await api.request('HEAD', path);
    expect([head.status, head.headers.get('etag'), head.body]).toEqual([200, etag, null]);
    const unchanged = await api.request('GET', path, { headers: { 'if-none-match': etag } });
    expect([unchanged.status, unchanged.body]).toEqual([304, null]);
    await api.cancel(payment.id);
    expect((await api.request('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });
});

describe('resources of others', () => {
  it("a key of one environment is rejected at the other environment's address", async () => {
    const { keys } = await platform.createApplication(team);
    for (const [address, key] of [
      ['live', 'sandbox'],
      ['sandbox', 'live'],
    ] as const) {
      const response = await apiClient(platform.baseUrl[address], keys[key]).create();
      expect([response.status, (response.body as unknown as { code: string }).code]).toEqual([
        401,
        'invalid-api-key',
      ]);
    }
  });

  it('ids of other applications, other environments, unknown and malformed ids return the same 404', async () => {
    const [mine, other] = [await platform.createApplication(team), await platform.createApplication(team)];
    const api = apiClient(platform.baseUrl.sandbox, mine.keys.sandbox);
    const theirs = await apiClient(platform.baseUrl.sandbox, other.keys.sandbox).create();
    const live = await apiClient(platform.baseUrl.live, mine.keys.live).create(undefined, 'live');

    const responses = [];
    for (const id of [theirs.body.id, live.body.id, newId('payment'), 'pay_x', 'x', '1']) {
      for (const response of [await api.read(id), await api.cancel(id)]) {
        const { request_id, ...body } = response.body as unknown as Record<string, unknown>;
        responses.push({ status: response.status, ...body });
      }
    }
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(responses[0]).toMatchObject({ status: 404, code: 'payment-not-found' });
    expect(
      (await apiClient(platform.baseUrl.sandbox, other.keys.sandbox).read(theirs.body.id)).body.status,
    ).not.toBe('canceled');
  });
});

describe('settlement in the sandbox', () => {
  it.each([
    [null, 'succeeded', null],
    ['pm_succeed', 'succeeded', null],
    ['pm_decline', 'failed', 'declined'],
    ['pm_insufficient_funds', 'failed', 'insufficient_funds'],
  ])('payment_method %s ends as %s', async (payment_method, status, failureCode) => {
    const { keys } = await platform.createApplication(team);
    const api = apiClient(platform.baseUrl.sandbox, keys.sandbox);
    const created = await api.create({ amount: 5, currency: 'JPY', payment_method });
    let settled = created.body;
    await eventually(`the payment has ${status}`, async () => {
      settled = (await api.read(created.body.id)).body;
      return settled.status === status;
    });
    expect(settled.failure?.code ?? null).toBe(failureCode);
    expect(settled.version).toBe(3);
    const refused = await api.cancel(created.body.id);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'payment-not-cancelable', payment_status: status });
  });
});
