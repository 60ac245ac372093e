// A webhook receiver with Hono, for Workers, Deno, and Bun.
import { WebhookVerificationError, webhooks } from '@tollgate/sdk';
import { Hono } from 'hono';

const app = new Hono<{ Bindings: { WEBHOOK_SECRET: string } }>();

app.post('/hooks', async (context) => {
  // The bytes as received, and not context.req.json().
  const body = await context.req.arrayBuffer();
  const event = await webhooks.verify(body, context.req.raw.headers, context.env.WEBHOOK_SECRET);
  if (event.type === 'payment.succeeded') console.log(`${event.data.reference} is paid.`);
  return context.body(null, 204);
});

app.onError((error, context) => {
  if (error instanceof WebhookVerificationError) return context.text(error.message, 400);
  throw error;
});

export default app;
