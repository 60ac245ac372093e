import { hash } from 'node:crypto';
import httpProxy from '@fastify/http-proxy';
import rateLimit from '@fastify/rate-limit';
import fastify from 'fastify';
import metrics from 'fastify-metrics';
import { pino } from 'pino';

/**
 * What a team builds instead of Tollgate's gateway: @fastify/http-proxy with keys looked up by their hash, a rate limit for each key,
 * metrics, and an access log.
 */
const [port, upstream = '', keyHash = ''] = process.argv.slice(2);
const KEYS = new Map([[keyHash, { id: 'key_1', scopes: ['payments'] }]]);
/** As Tollgate's gateway, which writes in blocks. */
const LOG = pino.destination({ sync: false, minLength: 8 * 1024 });

declare module 'fastify' {
  interface FastifyRequest {
    keyId: string;
  }
}

const app = fastify({ loggerInstance: pino(LOG), disableRequestLogging: true });
app.decorateRequest('keyId', '');
app.addHook('onRequest', async (request, reply) => {
  const key = KEYS.get(hash('sha256', request.headers.authorization?.slice('Bearer '.length) ?? ''));
  if (!key?.scopes.includes('payments')) return reply.code(401).send({ error: 'invalid key' });
  request.keyId = key.id;
});
app.addHook('onResponse', async ({ id, method, keyId, log }, reply) => {
  const { statusCode, elapsedTime } = reply;
  log.info(
    { request_id: id, method, key_id: keyId, status: statusCode, duration_ms: elapsedTime },
    'request',
  );
});
await app.register(metrics.default, { endpoint: '/metrics' });
await app.register(rateLimit, { max: 1_000_000, timeWindow: 1_000, keyGenerator: ({ keyId }) => keyId });
await app.register(httpProxy, { upstream });
await app.listen({ host: '127.0.0.1', port: Number(port) });
