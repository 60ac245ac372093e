import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { JSON_CONTENT_TYPE } from '@tollgate/contracts/json-content-type';
import { PAYMENT_LIMITS } from '@tollgate/contracts/payment';
import { Problem } from '@tollgate/contracts/problem';
import Negotiator from 'negotiator';
import { queryOf } from './target.ts';

export const MAX_BODY_BYTES = PAYMENT_LIMITS.bodyBytes;

const MAX_REPORTED_PARAMETERS = 10;

/** RFC 9112 §6: one of these two headers announces a body. */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) !== 0);
}

/** No operation has query parameters: silently ignoring one would hide a caller's mistake. Throws invalid-request. */
export function rejectQuery(target: string): void {
  const query = queryOf(target);
  if (query === '') return;
  const names = [...new Set(new URLSearchParams(query).keys())].slice(0, MAX_REPORTED_PARAMETERS);
  throw new Problem('invalid-request', 'This operation has no query parameters.', {
    errors: names.map((parameter) => ({
      parameter,
      code: 'unknown',
      detail: 'Unknown parameter.',
    })),
  });
}

/** Throws not-acceptable if the caller does not accept the response's media type (RFC 9110 §12.5.1). */
export function requireAccepted(request: IncomingMessage, mediaType: string): void {
  const { accept } = request.headers;
  if (accept === undefined || accept === '*/*' || accept === mediaType) return;
  if (new Negotiator(request).mediaType([mediaType]) === undefined) {
    throw new Problem('not-acceptable', `The Accept header does not allow ${mediaType}.`);
  }
}

/** Throws unsupported-media-type or content-too-large if the body cannot be JSON of an allowed size. */
export function requireJsonBody(headers: IncomingHttpHeaders, maxBytes = MAX_BODY_BYTES): void {
  if (!hasBody(headers)) return;
  if (!JSON_CONTENT_TYPE.test(headers['content-type'] ?? '')) {
    throw new Problem('unsupported-media-type', 'The Content-Type of the body must be application/json.');
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Problem('unsupported-media-type', 'The body must be sent without a Content-Encoding.');
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw contentTooLarge(maxBytes);
}

export function contentTooLarge(maxBytes: number): Problem {
  return new Problem('content-too-large', `The body is larger than ${maxBytes} bytes.`);
}
