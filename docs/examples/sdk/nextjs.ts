// A webhook receiver with the App Router of Next.js: app/hooks/route.ts
import { WebhookVerificationError, webhooks } from '@tollgate/sdk';

export async function POST(request: Request): Promise<Response> {
  try {
    // The bytes as received, and not request.json().
    const body = await request.arrayBuffer();
    const event = await webhooks.verify(body, request.headers, process.env.WEBHOOK_SECRET ?? '');
    if (event.type === 'payment.succeeded') console.log(`${event.data.reference} is paid.`);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return new Response(error.message, { status: 400 });
    throw error;
  }
}
