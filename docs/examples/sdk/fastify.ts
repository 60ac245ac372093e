// A webhook receiver with Fastify: WEBHOOK_SECRET=whsec_… node fastify.ts
import { WebhookVerificationError, webhooks } from '@tollgate/sdk';
import Fastify from 'fastify';

const { WEBHOOK_SECRET = '', PORT = '4000' } = process.env;
const app = Fastify();

// The bytes as received: JSON that was parsed and written again has another signature.
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
);

app.post<{ Body: Buffer }>('/hooks', async (request, reply) => {
  const event = await webhooks.verify(request.body, request.headers, WEBHOOK_SECRET);
  if (event.type === 'payment.succeeded') console.log(`${event.data.reference} is paid.`);
  return reply.code(204).send();
});

app.setErrorHandler((error, _request, reply) => {
  if (error instanceof WebhookVerificationError) return reply.code(400).send(error.message);
  return reply.send(error);
});

await app.listen({ port: Number(PORT) });
