import { createServer } from 'node:http';
import { Pool } from 'undici';
import { forward } from './forward.ts';

/** The least proxy on Node.js's server and undici: no proxy on these two costs less. */
const [port, upstream = ''] = process.argv.slice(2);
const pool = new Pool(upstream, { connections: 128, pipelining: 1 });

createServer((request, response) => forward(pool, { request, response })).listen(Number(port), '127.0.0.1');
