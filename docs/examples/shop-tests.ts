// Tests of a shop that need no Tollgate: node --test shop-tests.ts
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Payment, ServerError, Tollgate, webhooks } from '@tollgate/sdk';

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

// The code of the shop.
async function pay(tollgate: Tollgate, order: string): Promise<string> {
  try {
    const payment = await tollgate.payments.create(
      { amount: 1_999, currency: 'EUR', reference: order },
      { idempotencyKey: `order-${order}` },
    );
    return payment.next_action?.url ?? `/orders/${order}`;
  } catch (error) {
    if (error instanceof ServerError) return '/try-again-later';
    throw error;
  }
}

async function receive(request: Request, paidOrders: Set<string>): Promise<void> {
  const event = await webhooks.verify(await request.arrayBuffer(), request.headers, SECRET);
  if (event.type === 'payment.succeeded' && event.data.reference) paidOrders.add(event.data.reference);
}

// A client whose requests get this response.
function tollgateWith(status: number, body: object): Tollgate {
  return new Tollgate({
    apiKey: 'tg_sandbox_test',
    baseUrl: 'http://tollgate.test',
    fetch: async () => Response.json(body, { status }),
    maxRetries: 0,
  });
}

test('the shop sends the payer to the page of the processor', async () => {
  const payment: Partial<Payment> = {
    id: 'pay_1',
    object: 'payment',
    status: 'pending',
    next_action: { type: 'redirect', url: 'https://bank.test' },
  };
  assert.equal(await pay(tollgateWith(201, payment), '1001'), 'https://bank.test');
});

test('the shop asks the payer to try again while Tollgate is unavailable', async () => {
  assert.equal(await pay(tollgateWith(503, { code: 'unavailable' }), '1001'), '/try-again-later');
});

test('the shop marks an order as paid once, however often the event arrives', async () => {
  const paidOrders = new Set<string>();
  const event = { type: 'payment.succeeded', data: { id: 'pay_1', reference: '1001' } } as const;
  const signed = await webhooks.generateTestRequest(event, SECRET);
  for (const _attempt of [1, 2]) {
    await receive(new Request('http://shop.test/hooks', { method: 'POST', ...signed }), paidOrders);
  }
  assert.deepEqual([...paidOrders], ['1001']);
});
