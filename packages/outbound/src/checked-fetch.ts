import type { IncomingHttpHeaders } from 'node:http';
import { readBody } from '@tollgate/http/read-body';
import type { CheckedAgent } from './checked-agent.ts';

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
export function createCheckedFetch(agent: CheckedAgent, { maxBytes }: { maxBytes: number }): CheckedFetch {
  return async (url, { method, headers, body = null, signal }) => {
    const received = await agent.request(url, { method, headers, body, signal });
    const { body: bytes, truncated } = await readBody(received.body, maxBytes);
    signal.throwIfAborted();
    if (truncated) throw new Error(`The response is longer than ${maxBytes} bytes.`);
    const { status } = received;
    return new Response(NULL_BODY_STATUSES.has(status) ? null : new Uint8Array(bytes), {
      status,
      headers: headersOf(received.headers),
    });
  };
}

function headersOf(received: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) headers.append(name, one);
    }
  }
  return headers;
}
