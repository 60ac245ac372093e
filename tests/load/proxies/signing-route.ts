import { createHmac } from 'node:crypto';
import fastify from 'fastify';
import { Pool } from 'undici';
import { forward } from './forward.ts';

/** The least gateway of Tollgate's shape: a Fastify route that signs each request for the upstream, and does nothing else. */
const [port, upstream = ''] = process.argv.slice(2);
const pool = new Pool(upstream, { connections: 128, pipelining: 1 });
const KEY = Buffer.alloc(32, 1);

const app = fastify();
// Passes the body on unread.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', (_request, _payload, done) => done(null));
app.all('/*', ({ method, url, raw: request }, reply) => {
  const signature = createHmac('sha256', KEY).update(`${method} ${url}`).digest('base64url');
  reply.hijack();
  forward(pool, { request, response: reply.raw, added: { 'x-signature': signature } });
});
await app.listen({ host: '127.0.0.1', port: Number(port) });
