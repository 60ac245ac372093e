import { type Dispatcher, request } from 'undici';
import { readBody } from './read-body.ts';

export type CheckedFetch = (url: string, init: CheckedFetchInit) => Promise<Response>;

interface CheckedFetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string | null;
  /** Aborts the request, also while the body is read. */
  signal: AbortSignal;
}

/** Statuses whose responses have no body, which the `Response` constructor enforces (Fetch Standard §6.4). */
const NULL_BODY_STATUSES = new Set([204, 205, 304]);

/**
 * Fetches through the agent. Redirects are not followed, because the server chooses their address. A longer body than
 * `maxBytes` rejects, and the rest is not transferred.
 */
export function createCheckedFetch(agent: Dispatcher, { maxBytes }: { maxBytes: number }): CheckedFetch {
  return async (url, { method, headers, body = null, signal }) => {
    const received = await request(url, {
      dispatcher: agent,
      method: method as Dispatcher.HttpMethod,
      headers,
      body,
      signal,
      // The signal is the only deadline: undici's own timeouts restart with every byte of a slow response.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const { body: bytes, truncated } = await readBody(received.body, maxBytes);
    signal.throwIfAborted();
    if (truncated) throw new Error(`The response is longer than ${maxBytes} bytes.`);
    const { statusCode: status } = received;
    return new Response(NULL_BODY_STATUSES.has(status) ? null : new Uint8Array(bytes), {
      status,
      headers: headersOf(received.headers),
    });
  };
}

function headersOf(received: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) headers.append(name, one);
    }
  }
  return headers;
}
