import httpProxy from '@fastify/http-proxy';
import fastify from 'fastify';

/** The baseline: @fastify/http-proxy with default settings on a port, in front of an upstream. */
const [port, upstream] = process.argv.slice(2) as [string, string];
const app = fastify();
await app.register(httpProxy, { upstream });
await app.listen({ host: '127.0.0.1', port: Number(port) });
