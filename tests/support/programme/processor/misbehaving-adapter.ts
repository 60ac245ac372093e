import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../random.ts';

export const MISBEHAVIOURS = [
  /** 500, before the adapter has seen the call or after. */
  'error before the call',
  'error after the call',
  /** 200 and no JSON. */
  'garbage',
  /** The signed response to a call for another payment. */
  'response of another payment',
  /** A response after the deadline of the call. */
  'late response',
  /** The adapter gets the call twice. */
  'repeated call',
  /** No response. */
  'silence',
] as const;
export type Misbehaviour = (typeof MISBEHAVIOURS)[number];

/** Share of the calls that an adapter mishandles while it misbehaves. */
const SHARE = 0.5;
const LATE_MS = 1_500;

interface Response {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: Buffer;
}

export interface MisbehavingAdapter {
  url: string;
  /** From now on, some calls go wrong in this way; null ends it. */
  misbehave(how: Misbehaviour | null): void;
  stop(): Promise<void>;
}

/** A proxy between payments and an adapter, with which the adapter seems to be wrong. */
export async function startMisbehavingAdapter(
  adapterUrl: string,
  random: Random,
): Promise<MisbehavingAdapter> {
  let current: Misbehaviour | null = null;
  let latest: { url: string; response: Response } | null = null;

  async function call({ method, url = '', headers }: IncomingMessage, body: Buffer): Promise<Response> {
    const response = await new Promise<Response>((resolve, reject) => {
      request(new URL(url, adapterUrl), { method, headers }, async (received) => {
        const chunks = await received.toArray();
        resolve({
          status: received.statusCode ?? 502,
          headers: received.headers,
          body: Buffer.concat(chunks),
        });
      })
        .on('error', reject)
        .end(body);
    });
    return response;
  }

  async function respondWrongly(
    how: Misbehaviour,
    received: IncomingMessage,
    body: Buffer,
  ): Promise<Response | null> {
    switch (how) {
      case 'error before the call':
        return failed();
      case 'error after the call':
        await call(received, body);
        return failed();
      case 'garbage':
        return { ...(await call(received, body)), body: Buffer.from('<html>502') };
      case 'response of another payment': {
        const other = latest?.url === received.url ? null : latest;
        return other?.response ?? call(received, body);
      }
      case 'late response': {
        const response = await call(received, body);
        await delay(LATE_MS);
        return response;
      }
      case 'repeated call':
        await call(received, body);
        return call(received, body);
      case 'silence':
        return null;
    }
  }

  async function respond(received: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await received.toArray());
    if (current !== null && random.chance(SHARE)) {
      send(response, await respondWrongly(current, received, body));
      return;
    }
    const right = await call(received, body);
    if (right.status === 200) latest = { url: received.url ?? '', response: right };
    send(response, right);
  }

  const server = createServer((received, response) => {
    // The adapter, or payments, has closed the connection.
    respond(received, response).catch(() => received.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    misbehave(how) {
      current = how;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function failed(): Response {
  return { status: 500, headers: {}, body: Buffer.from('{}') };
}

/** Null leaves the caller without a response. */
function send(response: ServerResponse, sent: Response | null): void {
  if (sent === null) return;
  const { 'content-length': _, 'transfer-encoding': _chunked, ...headers } = sent.headers;
  response.writeHead(sent.status, headers).end(sent.body);
}
