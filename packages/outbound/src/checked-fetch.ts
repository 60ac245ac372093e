import type { IncomingHttpHeaders } from 'node:http';
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
    const received = await agent.request(url, { method, headers, body, maxBytes, signal });
    const { status, end } = received;
    if (end === 'too-long') throw new Error(`The response is longer than ${maxBytes} bytes.`);
    if (end === 'broken-off') throw new Error('The connection closed in the middle of the response.');
    return new Response(NULL_BODY_STATUSES.has(status) ? null : new Uint8Array(received.body), {
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
