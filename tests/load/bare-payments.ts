import fastify from 'fastify';
import { openPaymentCopies } from './payment-copies.ts';

/**
 * The least payments service: a Fastify route that inserts a payment with the driver and responds with it, and checks
 * nothing.
 *
 * Usage: node bare-payments.ts <port> <MongoDB URL> <database of the stored payment>
 */
const [port, url = '', database = ''] = process.argv.slice(2);
const copies = await openPaymentCopies(url, database);
const app = fastify();
app.post('/v1/payments', async (_request, reply) => reply.code(201).send(await copies.insert()));
app.addHook('onClose', () => copies.close());
process.once('SIGTERM', () => void app.close());
await app.listen({ host: '127.0.0.1', port: Number(port) });
