import { createServer, type IncomingHttpHeaders } from 'node:http';
import { KEEP_ALIVE_MS } from '@tollgate/http/keep-alive';
import { readBody } from '@tollgate/http/read-body';
import { sendRequest } from '@tollgate/http/send-request';

export interface RelayedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface RelayedResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Decides what the sender of a request gets. Null closes the connection without a response. */
export type Handle = (
  request: RelayedRequest,
  pass: () => Promise<RelayedResponse>,
) => Promise<RelayedResponse | null>;

/** Passes HTTP requests on to another server, so that checks can observe and disturb them. */
export interface Relay {
  send(request: RelayedRequest): Promise<RelayedResponse>;
  /** Runs a job while each request gets what `handle` decides. */
  during<Result>(handle: Handle, job: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface RelayOptions {
  port: number;
  /** Origin of the server behind the relay. */
  target: string;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const REQUEST_DEADLINE_MS = 30_000;

/** They describe one connection, or an encoding that the relay does not keep. */
const NOT_PASSED = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
]);

export async function startRelay(host: string, { port, target }: RelayOptions): Promise<Relay> {
  const passOn: Handle = (_, pass) => pass();
  let handle = passOn;

  async function send({ method, path, headers, body }: RelayedRequest): Promise<RelayedResponse> {
    const signal = AbortSignal.timeout(REQUEST_DEADLINE_MS);
    const sent = { method, headers, body: body.length > 0 ? body : null };
    const response = await sendRequest(new URL(path, target), { ...sent, maxBytes: MAX_BODY_BYTES, signal });
    if (response.end === 'broken-off')
      throw new Error('The connection closed in the middle of the response.');
    return { ...response, headers: passedHeaders(response.headers) };
  }

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (incoming, outgoing) => {
    try {
      const { body, end } = await readBody(incoming, MAX_BODY_BYTES);
      if (end === 'broken-off') throw new Error('The connection closed in the middle of the request.');
      const { method = '', url: path = '' } = incoming;
      const request = { method, path, headers: passedHeaders(incoming.headers), body };
      const response = await handle(request, () => send(request));
      if (response === null) outgoing.destroy();
      else outgoing.writeHead(response.status, response.headers).end(response.body);
    } catch {
      outgoing.destroy();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

  return {
    send,
    async during(disturbed, job) {
      handle = disturbed;
      try {
        return await job();
      } finally {
        handle = passOn;
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function passedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const passed = Object.entries(headers).filter(([name]) => !NOT_PASSED.has(name));
  return Object.fromEntries(passed.map(([name, value]) => [name, String(value)]));
}
