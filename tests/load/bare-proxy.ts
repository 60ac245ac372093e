import httpProxy from '@fastify/http-proxy';
import fastify from 'fastify';

/** The baseline: @fastify/http-proxy with default settings, in front of the upstream in the first argument. */
const app = fastify();
await app.register(httpProxy, { upstream: process.argv[2] as string });
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
