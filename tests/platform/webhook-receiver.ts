import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Environment } from '@tollgate/contracts/environment';
import type { WebhookBody } from '@tollgate/contracts/event-types';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

export interface ReceivedWebhook {
  path: string;
  headers: IncomingHttpHeaders;
  /** `webhook-id`. */
  id: string;
  /** As it came over the wire. */
  rawBody: Buffer;
  /** `rawBody`, parsed. */
  body: WebhookBody;
  /** `performance.now()` when it was complete. */
  receivedAtMs: number;
}

/** What a receiver returns; 204 at once, without a body, where nothing else is said. */
export interface WebhookAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  delayMs?: number;
}

export interface WebhookReceiver {
  /** To make an endpoint of. */
  url: string;
  /** In the order of arrival, repetitions too. Once there is a secret, only what it has signed. */
  received: ReceivedWebhook[];
  /** Why requests were not taken: they get 400, and are not among `received`. */
  refused: string[];
  /** Requests that are not complete yet. */
  underWay(): number;
  /** From now on every request is verified with this secret, and with no other. */
  trust(secret: string): void;
  /** How to respond to accepted requests from now on. */
  answer(webhook: ReceivedWebhook): WebhookAnswer;
  close(): Promise<void>;
}

export interface WebhookReceiverOptions {
  secret?: string;
  answer?: WebhookReceiver['answer'];
  /** Of the endpoint that it stands behind: for `live` it listens on HTTPS and {@link LIVE_PORT}. */
  environment?: Environment;
}

/** The only port of live endpoints that needs no privileges, so there is one such receiver at a time. */
const LIVE_PORT = 8443;

/** Of 127.0.0.1, signed by itself. Its key lies beside it, so nobody but a platform under test may trust it. */
export const RECEIVER_CERTIFICATE_PATH = tlsPath('certificate.pem');

/** What an application runs behind its endpoint: a server on 127.0.0.1 that takes what the official library of Standard Webhooks finds genuine. */
export async function startWebhookReceiver(options: WebhookReceiverOptions = {}): Promise<WebhookReceiver> {
  const isLive = options.environment === 'live';
  let verifier = options.secret === undefined ? null : new Webhook(options.secret);

  const server = isLive ? createTlsServer(readTls()) : createServer();
  let underWay = 0;
  server.on('request', async (request, response) => {
    underWay += 1;
    response.once('close', () => {
      underWay -= 1;
    });
    const chunks: Buffer[] = [];
    // A sender that is killed in the midst of a request has sent nothing.
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const { url: path = '', headers } = request;
    take(path, headers, Buffer.concat(chunks), response);
  });

  function take(path: string, headers: IncomingHttpHeaders, rawBody: Buffer, response: ServerResponse) {
    const refusal = refusalOf(verifier, headers, rawBody);
    if (refusal !== null) {
      receiver.refused.push(refusal);
      response.writeHead(400).end(refusal);
      return;
    }
    const id = String(headers['webhook-id']);
    const body = JSON.parse(rawBody.toString()) as WebhookBody;
    const webhook = { path, headers, id, rawBody, body, receivedAtMs: performance.now() };
    receiver.received.push(webhook);
    const { status = 204, headers: answered = {}, body: text = '', delayMs = 0 } = receiver.answer(webhook);
    setTimeout(() => response.writeHead(status, answered).end(text), delayMs);
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(isLive ? LIVE_PORT : 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `${isLive ? 'https' : 'http'}://127.0.0.1:${port}/hooks`,
    received: [],
    refused: [],
    underWay: () => underWay,
    trust(secret) {
      verifier = new Webhook(secret);
    },
    answer: options.answer ?? (() => ({})),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

function refusalOf(verifier: Webhook | null, headers: IncomingHttpHeaders, rawBody: Buffer): string | null {
  if (verifier === null) return null;
  try {
    verifier.verify(rawBody, headers as Record<string, string>);
    return null;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.message;
    throw error;
  }
}

function readTls() {
  return { cert: readFileSync(RECEIVER_CERTIFICATE_PATH), key: readFileSync(tlsPath('key.pem')) };
}

function tlsPath(file: string): string {
  return fileURLToPath(new URL(`./receiver-tls/${file}`, import.meta.url));
}
