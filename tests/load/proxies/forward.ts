import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Pool } from 'undici';

/** Forwards a request with its headers, those that are added, and its body, and the response. It neither checks nor records anything. */
export function forward(
  pool: Pool,
  { request, response, added = {} }: { request: IncomingMessage; response: ServerResponse; added?: object },
): void {
  const { method = 'GET', url: path = '/', headers } = request;
  const { connection: _, ...forwarded } = headers;
  const body = method === 'GET' ? null : request;
  const chunks: Buffer[] = [];
  pool.dispatch(
    { method, path, headers: { ...forwarded, ...added }, body },
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
}
