import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BODY_LIMITS } from '@tollgate/contracts/platform/body-limits';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireJson } from '@tollgate/http/json-content';
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { queryOf } from './target.ts';

export const MAX_BODY_BYTES = BODY_LIMITS.payments;

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

/** A parameter of a media range, except for its weight. */
const PARAMETER = /;(?![ \t]*q[ \t]*=)[ \t]*[^\s;,="]*(?:[ \t]*=[ \t]*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?/gi;

/**
 * Throws not-acceptable if the caller does not accept the response's media type (RFC 9110 §12.5.1). Parameters do not matter: no media
 * type of Tollgate has one that a caller could choose, and charset has no effect on JSON (RFC 8259 §11). A list without a range is like no
 * header.
 */
export function requireAccepted(
  { headers: { accept } }: Pick<IncomingMessage, 'headers'>,
  mediaType: string,
): void {
  if (accept === undefined || accept === '*/*' || accept === mediaType) return;
  const ranges = accept.replace(PARAMETER, '');
  if (/^[\s,]*$/.test(ranges)) return;
  if (new Negotiator({ headers: { accept: ranges } }).mediaType([mediaType]) === undefined) {
    throw new Problem('not-acceptable', `The Accept header does not allow ${mediaType}.`);
  }
}

/**
 * Throws unsupported-media-type if the body is not JSON. Called with the body: proxies and tunnels announce a body that turns out to be
 * empty, without a type.
 */
export function requireJsonBody({ body, headers }: Pick<FastifyRequest, 'body' | 'headers'>): void {
  if (!Buffer.isBuffer(body) || body.length === 0) return;
  requireJson({ contentType: headers['content-type'], contentEncoding: headers['content-encoding'] });
}

export function contentTooLarge(maxBytes: number): Problem {
  return new Problem('content-too-large', `The body is larger than ${maxBytes} bytes.`);
}
