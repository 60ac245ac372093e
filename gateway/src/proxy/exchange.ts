import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

export interface UpstreamRequest {
  method: 'GET' | 'POST';
  /** Path without a query. */
  path: string;
  headers: Record<string, string | undefined>;
  body: Buffer | null;
}

export interface UpstreamResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * The exchange ended without a response. `sent` is false only if no byte of the request can have reached the upstream.
 */
export class ExchangeError extends Error {
  readonly sent: boolean;

  constructor(message: string, sent: boolean, cause: unknown) {
    super(message, { cause });
    this.name = 'ExchangeError';
    this.sent = sent;
  }
}

export interface Exchange {
  /** Rejects with an ExchangeError. */
  response: Promise<UpstreamResponse>;
  /** Closes the connection, so that the upstream notices, and ends the exchange with an error. */
  abort(): void;
}

/** A payment is at most about 160 KiB of JSON. A larger response does not come from payments. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/**
 * Sends one request to one instance, once: undici's `dispatch` neither retries nor follows redirects. The response is
 * read completely, so that a truncated one is never relayed as complete.
 */
export function startExchange(dispatcher: Dispatcher, request: UpstreamRequest): Exchange {
  const { promise, resolve, reject } = Promise.withResolvers<UpstreamResponse>();
  let controller: Dispatcher.DispatchController | undefined;
  let aborted = false;
  let status = 0;
  let headers: IncomingHttpHeaders = {};
  const chunks: Buffer[] = [];
  let size = 0;

  function fail(error: Error): void {
    // undici calls onRequestStart right before it writes to a connected socket. Without that call, nothing was sent.
    reject(new ExchangeError(error.message, controller !== undefined, error));
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      // The client disconnected while the request waited for a connection. It must not be sent any more.
      if (aborted) started.abort(new Error('aborted'));
      else controller = started;
    },
    onResponseStart(_controller, statusCode, responseHeaders) {
      // Informational responses (1xx) precede the final one.
      status = statusCode;
      headers = responseHeaders;
    },
    onResponseData(current, chunk) {
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES)
        current.abort(new Error(`the response is larger than ${MAX_RESPONSE_BYTES} bytes`));
      else chunks.push(chunk);
    },
    onResponseEnd() {
      resolve({ status, headers, body: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) });
    },
    onResponseError(_controller, error) {
      fail(error);
    },
  };

  try {
    dispatcher.dispatch(request, handler);
  } catch (error) {
    fail(error as Error);
  }

  return {
    response: promise,
    abort() {
      aborted = true;
      if (controller) controller.abort(new Error('aborted'));
      else fail(new Error('aborted'));
    },
  };
}
