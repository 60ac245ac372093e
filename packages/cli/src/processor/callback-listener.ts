import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KEEP_ALIVE_MS } from '@tollgate/http/keep-alive';
import { ADAPTER_LIMITS } from '@tollgate/processor-adapter/contract/payment-state';

export interface ReceivedCallback {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Stands in for Tollgate's callback listener. */
export interface CallbackListener {
  port: number;
  /**
   * Returns the callbacks about this payment as they arrive, and the means to choose each response. Until `respond` returns,
   * the adapter waits.
   */
  expect(paymentId: string, respond?: (attempt: number) => number | Promise<number>): ExpectedCallbacks;
  close(): Promise<void>;
}

export interface ExpectedCallbacks {
  /** Resolves with the first callback that matches, or with null at the deadline. */
  next(matches: (callback: ReceivedCallback, index: number) => boolean): Promise<ReceivedCallback | null>;
}

interface Expectation {
  received: ReceivedCallback[];
  respond: (attempt: number) => number | Promise<number>;
  arrived: () => void;
}

const ACCEPTED = 204;

export async function startCallbackListener(
  { host, port }: { host: string; port: number },
  deadlineMs: number,
): Promise<CallbackListener> {
  const expectations = new Map<string, Expectation>();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (request, response) => {
    const body = await readBody(request).catch(() => null);
    if (body === null) return response.writeHead(413).end();
    const callback = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
    };
    // Whatever is wrong with a callback, a check says so: the payment id in it is enough to find the check.
    const expectation = [...expectations].find(([id]) => body.includes(id))?.[1];
    if (!expectation) return response.writeHead(ACCEPTED).end();
    const attempt = expectation.received.push(callback);
    expectation.arrived();
    response.writeHead(await expectation.respond(attempt)).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

  return {
    port: (server.address() as AddressInfo).port,
    expect(paymentId, respond = () => ACCEPTED) {
      const expectation: Expectation = { received: [], respond, arrived: () => undefined };
      expectations.set(paymentId, expectation);
      return { next: (matches) => nextMatch(expectation, matches, deadlineMs) };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function nextMatch(
  expectation: Expectation,
  matches: (callback: ReceivedCallback, index: number) => boolean,
  deadlineMs: number,
): Promise<ReceivedCallback | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), deadlineMs);
    expectation.arrived = () => {
      const match = expectation.received.find(matches);
      if (match === undefined) return;
      clearTimeout(timer);
      resolve(match);
    };
    expectation.arrived();
  });
}

async function readBody(request: AsyncIterable<Buffer>): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > ADAPTER_LIMITS.bodyBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
