import httpProxy from '@fastify/http-proxy';
import fastify from 'fastify';

/** The measure: @fastify/http-proxy as it comes, in front of the upstream that is given as the first argument. */
const app = fastify();
await app.register(httpProxy, { upstream: process.argv[2] as string });
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
