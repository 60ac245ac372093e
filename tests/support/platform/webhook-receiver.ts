import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { WebhookBody } from '@tollgate/contracts/payments/event-types';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

export interface ReceivedWebhook {
  path: string;
  headers: IncomingHttpHeaders;
  /** `webhook-id`. */
  id: string;
  /** The body as sent over the wire. */
  rawBody: Buffer;
  /** `rawBody`, parsed. */
  body: WebhookBody;
  /** When the request was complete, in ms since the epoch. */
  receivedAtMs: number;
}

/** The response of a receiver; the default is an immediate 204 without a body. */
export interface WebhookResponse {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  delayMs?: number;
}

export interface WebhookReceiver {
  /** The URL for an endpoint. */
  url: string;
  /** Requests in order of arrival, including repetitions. With a secret, only requests that it has signed. */
  received: ReceivedWebhook[];
  /** Why requests were rejected: they get a 400, and are not in `received`. */
  rejected: string[];
  /** Number of requests without a response so far. */
  inFlight(): number;
  /** From now on verifies every request with this secret only. */
  trust(secret: string): void;
  /** The response to accepted requests. */
  respond(webhook: ReceivedWebhook): WebhookResponse;
  close(): Promise<void>;
}

export interface WebhookReceiverOptions {
  secret?: string;
  respond?: WebhookReceiver['respond'];
  /** The environment of the endpoint: with `live` the receiver listens on HTTPS and {@link LIVE_PORT}. */
  environment?: Environment;
  /** Absent: any. */
  port?: number;
}

/** The only port for live endpoints that requires no privileges, so only one such receiver can run at a time. */
const LIVE_PORT = 8443;

/**
 * A self-signed certificate for 127.0.0.1. Its key is in the repository, so only a platform under test may trust it.
 */
export const RECEIVER_CERTIFICATE_PATH = tlsPath('certificate.pem');

/**
 * Starts the receiver of an application: a server on 127.0.0.1 that accepts requests which the official Standard
 * Webhooks library verifies.
 */
export async function startWebhookReceiver(options: WebhookReceiverOptions = {}): Promise<WebhookReceiver> {
  const isLive = options.environment === 'live';
  let verifier = options.secret === undefined ? null : new Webhook(options.secret);

  const server = isLive ? createTlsServer(readTls()) : createServer();
  let inFlight = 0;
  server.on('request', async (request, response) => {
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
    });
    const chunks: Buffer[] = [];
    // A sender that is killed during a request has not sent a complete request.
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const { url: path = '', headers } = request;
    take(path, headers, Buffer.concat(chunks), response);
  });

  function take(path: string, headers: IncomingHttpHeaders, rawBody: Buffer, response: ServerResponse) {
    const rejection = rejectionOf(verifier, headers, rawBody);
    if (rejection !== null) {
      receiver.rejected.push(rejection);
      response.writeHead(400).end(rejection);
      return;
    }
    const id = String(headers['webhook-id']);
    const body = JSON.parse(rawBody.toString()) as WebhookBody;
    const webhook = { path, headers, id, rawBody, body, receivedAtMs: Date.now() };
    receiver.received.push(webhook);
    const {
      status = 204,
      headers: responseHeaders = {},
      body: text = '',
      delayMs = 0,
    } = receiver.respond(webhook);
    setTimeout(() => response.writeHead(status, responseHeaders).end(text), delayMs);
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(isLive ? LIVE_PORT : (options.port ?? 0), '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `${isLive ? 'https' : 'http'}://127.0.0.1:${port}/hooks`,
    received: [],
    rejected: [],
    inFlight: () => inFlight,
    trust(secret) {
      verifier = new Webhook(secret);
    },
    respond: options.respond ?? (() => ({})),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

function rejectionOf(verifier: Webhook | null, headers: IncomingHttpHeaders, rawBody: Buffer): string | null {
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
