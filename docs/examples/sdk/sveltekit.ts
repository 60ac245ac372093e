// A webhook receiver with SvelteKit: src/routes/hooks/+server.ts
import type { RequestHandler } from '@sveltejs/kit';
import { WebhookVerificationError, webhooks } from '@tollgate/sdk';

export const POST: RequestHandler = async ({ request }) => {
  try {
    // The bytes as received, and not request.json(). In a project, use $env/dynamic/private in place of process.env.
    const body = await request.arrayBuffer();
    const event = await webhooks.verify(body, request.headers, process.env.WEBHOOK_SECRET ?? '');
    if (event.type === 'payment.succeeded') console.log(`${event.data.reference} is paid.`);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return new Response(error.message, { status: 400 });
    throw error;
  }
};
