import { randomInt } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import compression, { type CompressionOptions } from 'compression';

/** Wraps the response, so that what the handler writes is compressed if the client accepts it. */
export type Compress = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Limits the length of the random header on compressed responses. */
const MAX_PADDING_BYTES = 100;

/**
 * Compresses pages and their data. Event streams must not wait for a full block.
 *
 * A compressed page shows its length, and with it whether a text that the request contains is also elsewhere on the
 * page (BREACH). Pages hold no secret that another page repeats: forms need no token, nonces are new each time, and
 * keys are shown once, in the response to a form that other sites cannot send. But a filter in an address can repeat
 * personal data, so over TLS:
 *
 * - A page that another site opens, with an address of its choice, is not compressed. Browsers without `Sec-Fetch-Site`
 *   do not say so, and get no compressed page.
 * - A random header hides small differences in the length of what such a page reloads later.
 *
 * Without TLS, content is readable anyway.
 */
export function createCompression(dashboardUrl: string): Compress {
  const isEncrypted = dashboardUrl.startsWith('https:');
  const mayCompress = (request: IncomingMessage) => !isEncrypted || isOwnRequest(request);
  const filter: CompressionOptions['filter'] = (request, response) =>
    mayCompress(request) && !isEventStream(response) && compression.filter(request, response);
  const compress = compression({ filter }) as unknown as Compress;
  return (request, response, next) => {
    if (isEncrypted) response.setHeader('x-padding', '0'.repeat(randomInt(1, MAX_PADDING_BYTES)));
    compress(request, response, next);
  };
}

export function isEventStream(response: ServerResponse): boolean {
  return String(response.getHeader('content-type') ?? '').startsWith('text/event-stream');
}

/** Whether the dashboard itself or the member, with the address bar or a bookmark, caused the request. */
function isOwnRequest({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  return site === 'same-origin' || site === 'none';
}
