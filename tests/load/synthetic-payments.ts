import { createServer } from 'node:http';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { EXAMPLE_PAYMENT } from '@tollgate/gateway/docs/examples';

/**
 * In place of payments on a port: knows one payment, and responds to every creation with it, so that only the proxy in front of it
 * is measured.
 */
const PATH = `/v1/payments/${EXAMPLE_PAYMENT.id}`;
const BODY = Buffer.from(JSON.stringify(EXAMPLE_PAYMENT));
const FOUND = { 'content-type': 'application/json', 'content-length': BODY.length, etag: '"1"' };
const NOT_FOUND = Buffer.from(JSON.stringify({ code: 'payment-not-found', status: 404 }));

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    if (request.method === 'POST') response.writeHead(201, created()).end(BODY);
    else if (request.url === PATH) response.writeHead(200, FOUND).end(BODY);
    else response.writeHead(404, { 'content-type': 'application/problem+json' }).end(NOT_FOUND);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.argv[2]), '127.0.0.1');

function created() {
  return { ...FOUND, location: PATH, [HEADERS.changedAt]: new Date().toISOString() };
}
