// A shop that sends its payers to the processor: TOLLGATE_API_KEY=… WEBHOOK_SECRET=whsec_… node redirect-shop.ts
import { Tollgate, WebhookVerificationError, webhooks } from '@tollgate/sdk';
import express, { type NextFunction, type Request, type Response } from 'express';

const {
  TOLLGATE_API_KEY = '',
  TOLLGATE_URL = 'http://localhost:8081',
  WEBHOOK_SECRET = '',
  PORT = '4000',
} = process.env;
const tollgate = new Tollgate({ apiKey: TOLLGATE_API_KEY, baseUrl: TOLLGATE_URL });
// In place of the database of the shop: the orders that are paid, and the payments of each order that ended without money.
const paidOrders = new Set<string>();
const endedPayments = new Map<string, Set<string>>();
const app = express();

// The payer presses "Pay". The key makes a second press the same payment, until it has ended.
app.post('/orders/:order/pay', async ({ params: { order } }, response) => {
  const orderUrl = `http://localhost:${PORT}/orders/${order}`;
  const payment = await tollgate.payments.create(
    {
      amount: 1_999,
      currency: 'EUR',
      reference: order,
      payment_method: 'pm_redirect',
      return_url: orderUrl,
    },
    { idempotencyKey: `order-${order}-${endedPayments.get(order)?.size ?? 0}`, waitForAction: true },
  );
  response.redirect(303, payment.next_action?.url ?? orderUrl);
});

// The payer returns. That proves nothing: the webhook does, and may arrive later.
app.get('/orders/:order', ({ params: { order } }, response) => {
  response.send(paidOrders.has(order) ? 'Your order is paid.' : 'We are waiting for your payment.');
});

app.post('/hooks', express.raw({ type: 'application/json' }), async (request, response) => {
  const event = await webhooks.verify(request.body, request.headers, WEBHOOK_SECRET);
  const order = event.data.reference ?? '';
  // An event can come twice. Adding to a set again changes nothing.
  if (event.type === 'payment.succeeded') paidOrders.add(order);
  if (event.type === 'payment.failed' || event.type === 'payment.canceled')
    endedPayments.set(order, new Set(endedPayments.get(order)).add(event.data.id));
  response.sendStatus(204);
});

app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (error instanceof WebhookVerificationError) response.status(400).send(error.message);
  else next(error);
});

app.listen(Number(PORT));
