import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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
  /** Requests being answered now, and the most there ever were. */
  concurrent(): { now: number; most: number };
  /** How requests are answered from now on. */
  answer: (request: ReceivedRequest, response: ServerResponse) => unknown;
  stop(): Promise<void>;
}

/** A real HTTP server on 127.0.0.1 that answers 204 unless it is told otherwise. */
export async function startReceiver(options: { host?: string; port?: number } = {}): Promise<Receiver> {
  const { host = '127.0.0.1', port = 0 } = options;
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
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}
