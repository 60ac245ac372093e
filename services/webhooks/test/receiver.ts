import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EndpointBook } from './endpoint-book.ts';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** `performance.now()` when the body was complete. */
  at: number;
}

export interface Receiver {
  url: string;
  received: ReceivedRequest[];
  /** Connections that were made, whatever came over them. */
  connections(): number;
  /** Requests in progress now, and the most there ever were. */
  concurrent(): { now: number; most: number };
  /** How to respond to requests from now on. */
  answer: (request: ReceivedRequest, response: ServerResponse) => unknown;
  /** Rejects if a request failed verification. */
  stop(): Promise<void>;
}

export interface ReceiverOptions {
  host?: string;
  port?: number;
  /** Throws if a request is not signed correctly. Without it, requests need no signature. */
  verify?: EndpointBook['verify'];
}

/**
 * A real HTTP server on 127.0.0.1 that returns 204 unless `answer` is replaced. A request that fails verification gets 401, is not in
 * `received`, and fails the test when the receiver stops.
 */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { host = '127.0.0.1', port = 0, verify } = options;
  const unverified: unknown[] = [];
  let connections = 0;
  let now = 0;
  let most = 0;
  const server = createServer((request, response) => {
    now += 1;
    most = Math.max(most, now);
    response.on('close', () => {
      now -= 1;
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body: Buffer.concat(chunks), at: performance.now() };
      try {
        verify?.(new URL(path, receiver.url).href, headers, one.body);
      } catch (error) {
        unverified.push(error);
        response.writeHead(401).end();
        return;
      }
      receiver.received.push(one);
      receiver.answer(one, response);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const { port: taken } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}/hooks`,
    received: [],
    connections: () => connections,
    concurrent: () => ({ now, most }),
    answer: (_request, response) => response.writeHead(204).end(),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (unverified.length > 0) throw unverified[0];
    },
  };
  return receiver;
}
