import type { IncomingMessage } from 'node:http';
import { Problem } from '@tollgate/contracts/platform/problem';
import { hasBody } from './content-rules.ts';

/** All header lines together with the request line. */
export const MAX_HEADER_BYTES = 16 * 1024;
const MAX_HEADERS = 100;

/**
 * Headers that may occur once: Node silently keeps the first of two or joins them, and another hop may choose
 * otherwise.
 */
const SINGLE = new Set(['host', 'authorization', 'content-type', 'content-encoding', 'idempotency-key']);

/**
 * Throws malformed-request (or invalid-idempotency-key) for headers that are valid HTTP but ambiguous or meaningless
 * here.
 */
export function checkHeaders(request: IncomingMessage): void {
  const { rawHeaders, headers } = request;
  if (rawHeaders.length > MAX_HEADERS * 2)
    throw malformed(`The request has more than ${MAX_HEADERS} headers.`);

  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) throw duplicate(name, request.method);
    seen.add(name);
  }
  // RFC 9112 §3.2. Node's own response to this has no body and no request id.
  if (headers.host === undefined && request.httpVersion !== '1.0') {
    throw malformed('The request has no Host header.');
  }
  // RFC 9110 §9.3.1: a body in a GET has no meaning and enables request smuggling.
  if ((request.method === 'GET' || request.method === 'HEAD') && hasBody(headers)) {
    throw malformed(`A ${request.method} request must not have a body.`);
  }
  checkTransferEncoding(request);
}

/** RFC 9112 §6.1: what another hop reads as the end of the body must be what Node reads as its end. */
function checkTransferEncoding({ headers, httpVersion }: IncomingMessage): void {
  const codings = headers['transfer-encoding'];
  if (codings === undefined) return;
  if (httpVersion === '1.0') throw malformed('An HTTP/1.0 request must not have a Transfer-Encoding header.');
  if (codings.trim().toLowerCase() !== 'chunked') {
    throw new Problem('unsupported-transfer-encoding', 'The only supported transfer coding is chunked.');
  }
}

function duplicate(header: string, method: string | undefined): Problem {
  // Only a POST has an idempotency key.
  const isKey = header === 'idempotency-key' && method === 'POST';
  const code = isKey ? 'invalid-idempotency-key' : 'malformed-request';
  return new Problem(code, `The request has the header ${header} more than once.`, {
    errors: [{ header, code: 'duplicate', detail: 'Send this header only once.' }],
  });
}

function malformed(detail: string): Problem {
  return new Problem('malformed-request', detail);
}
