import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export type Behaviour = (request: ReceivedRequest, response: ServerResponse, raw: IncomingMessage) => void;

export interface Upstream {
  url: string;
  received: ReceivedRequest[];
  behave(behaviour: Behaviour): void;
  stop(): Promise<void>;
}

export const PAYMENT_BODY = JSON.stringify({ id: 'pay_01kdvf5600er0bqwmkpv3d9a7x', object: 'payment' });

/** Responds to a GET like payments: a payment with its ETag. */
export const respondWithPayment: Behaviour = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', etag: '"1"' }).end(PAYMENT_BODY);
};

/**
 * A server in place of payments that behaves as a test specifies: the real one cannot be made to send invalid
 * responses.
 */
export async function startUpstream(first: Behaviour = respondWithPayment): Promise<Upstream> {
  let behaviour = first;
  const received: ReceivedRequest[] = [];
  const server = createServer((raw, response) => {
    const chunks: Buffer[] = [];
    raw.on('data', (chunk: Buffer) => chunks.push(chunk));
    raw.on('end', () => {
      const request = {
        method: raw.method ?? '',
        path: raw.url ?? '',
        headers: raw.headers,
        body: Buffer.concat(chunks),
      };
      received.push(request);
      behaviour(request, response, raw);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    behave(next) {
      behaviour = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
