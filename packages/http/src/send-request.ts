import {
  type Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type ReadBody, readBody } from './read-body.ts';

/** Larger response headers fail the request with this code. */
export const HEADERS_TOO_LARGE = 'HPE_HEADER_OVERFLOW';
export const MAX_RESPONSE_HEADER_BYTES = 16 * 1024;

export interface HttpRequest {
  method: string;
  headers: Record<string, string>;
  body: Buffer | string | null;
  /** Bytes of the body of the response that are read. The rest is not transferred. */
  maxBytes: number;
  /** Aborts the request, also while the body is read. */
  signal: AbortSignal;
}

export interface HttpResponse extends ReadBody {
  status: number;
  headers: IncomingHttpHeaders;
}

/**
 * Sends a request once, and reads its response, without following redirects. Skips informational responses, which a server may
 * send unasked (RFC 9110 §15.2). undici and `fetch` fail at a `100 Continue`, after the server has received the request.
 *
 * @param agent for the protocol of the URL; by default that of Node
 */
export function sendRequest(
  url: URL,
  { method, headers, body, maxBytes, signal }: HttpRequest,
  agent?: Agent,
): Promise<HttpResponse> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = send(url, { method, headers, agent, maxHeaderSize: MAX_RESPONSE_HEADER_BYTES });
    let isAnswered = false;
    // A request that still waits for its connection reports its end only when it has one.
    const abort = (): void => {
      reject(signal.reason);
      request.destroy();
    };
    signal.addEventListener('abort', abort);
    const respond = (response: IncomingMessage, read: ReadBody): void => {
      resolve({ status: response.statusCode as number, headers: response.headers, ...read });
    };
    request.once('response', async (response) => {
      isAnswered = true;
      respond(response, await readBody(response, maxBytes));
    });
    request.once('upgrade', (response, socket) => {
      // Nobody asked for another protocol. What follows on the connection is not HTTP.
      socket.destroy();
      respond(response, { body: Buffer.alloc(0), end: 'complete' });
    });
    // Later errors are also those of the body, which ends there.
    const fail = (error: Error): void => {
      if (!isAnswered) reject(error);
    };
    request.on('error', fail);
    request.once('close', () => {
      signal.removeEventListener('abort', abort);
      fail(new Error('The connection closed without a response.'));
    });
    request.end(body ?? undefined);
  });
}
