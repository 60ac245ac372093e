import type { FastifyReply, FastifyRequest } from 'fastify';
import { COMMON_HEADERS } from './common-headers.ts';

/** A response whose body is known. */
export interface CompleteResponse {
  status: number;
  /** Names and values in turn. */
  headers: readonly string[];
  body: Buffer;
}

const COMMON = Object.entries(COMMON_HEADERS).flat();

/**
 * Writes a response past Fastify's `reply.send`, which collects headers in an object, runs hooks, and copies the headers to Node. Only for
 * responses of the public API that are already counted: no `onSend` hook runs. `onResponse` hooks do.
 */
export function sendComplete(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: CompleteResponse,
): void {
  const all = [...COMMON, 'x-request-id', request.id, ...headers];
  for (const name in request.rateLimit) all.push(name, request.rateLimit[name] as string);
  const { deprecation } = request.routeOptions.config;
  for (const name in deprecation) all.push(name, deprecation[name] as string);
  if (request.server.isStopping()) all.push('connection', 'close');
  // RFC 9110 §8.6: the length of a 304 would be that of the response to an unconditional request.
  if (status !== 304) all.push('content-length', String(body.length));
  reply.hijack();
  reply.raw.writeHead(status, all);
  // One character for each byte, so that Node writes headers and body in one chunk, and encodes neither.
  reply.raw.end(body.toString('latin1'), 'latin1');
}
