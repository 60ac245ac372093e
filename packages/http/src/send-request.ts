import {
  type Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';

/** Larger response headers fail the request with this code. */
export const HEADERS_TOO_LARGE = 'HPE_HEADER_OVERFLOW';
export const MAX_RESPONSE_HEADER_BYTES = 16 * 1024;

export interface HttpRequest {
  method: string;
  headers: Record<string, string>;
  body: Buffer | string | null;
  /** Aborts the request, also while the body is read. */
  signal: AbortSignal;
}

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** Fails when the connection closes before its end. Read or destroy it. */
  body: Readable;
  /** Whether the whole body was received. */
  isComplete(): boolean;
}

/**
 * Sends a request once, without following redirects. Skips informational responses, which a server may send unasked (RFC 9110 §15.2).
 * undici and `fetch` fail at a `100 Continue`, after the server has received the request.
 *
 * @param agent for the protocol of the URL; by default that of Node
 */
export function sendRequest(
  url: URL,
  { method, headers, body, signal }: HttpRequest,
  agent?: Agent,
): Promise<HttpResponse> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = send(url, { method, headers, agent, maxHeaderSize: MAX_RESPONSE_HEADER_BYTES });
    let received: IncomingMessage | undefined;
    const abort = (): void => {
      received?.destroy(signal.reason);
      request.destroy();
      // A request that still waits for its connection reports its end only when it has one.
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort);
    const respond = (response: IncomingMessage): void => {
      received = response;
      resolve({
        status: response.statusCode as number,
        headers: response.headers,
        body: response,
        isComplete: () => response.complete,
      });
    };
    request.once('response', respond);
    // Nobody asked for another protocol. What follows on the connection is not HTTP.
    request.once('upgrade', (response, socket) => {
      socket.destroy();
      respond(response);
    });
    // Later errors are also those of the body, which reports them.
    request.on('error', reject);
    request.once('close', () => {
      signal.removeEventListener('abort', abort);
      reject(new Error('The connection closed without a response.'));
    });
    request.end(body ?? undefined);
  });
}
