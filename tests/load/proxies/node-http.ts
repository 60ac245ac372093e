import { createServer, type OutgoingHttpHeaders } from 'node:http';
import { Pool } from 'undici';

/**
 * The least proxy on Node.js's server and undici: it forwards headers and bodies, and neither checks nor records
 * anything. No proxy on these two costs less.
 */
const [port, upstream = ''] = process.argv.slice(2);
const pool = new Pool(upstream, { connections: 128, pipelining: 1 });

const server = createServer((request, response) => {
  const { method = 'GET', url: path = '/', headers } = request;
  const { connection: _, ...forwarded } = headers;
  const body = method === 'GET' ? null : request;
  const chunks: Buffer[] = [];
  pool.dispatch(
    { method, path, headers: forwarded, body },
    {
      onRequestStart() {},
      onResponseStart(_controller, status, received) {
        response.writeHead(status, received as OutgoingHttpHeaders);
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        response.end(Buffer.concat(chunks));
      },
      onResponseError() {
        response.destroy();
      },
    },
  );
});
server.listen(Number(port), '127.0.0.1');
