import type { Principal } from '@tollgate/contracts/applications/principal';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import type { Clock } from '@tollgate/runtime/clock';
import type { Keyring } from '@tollgate/security/keyring';
import { encodePrincipal, signPrincipal } from '@tollgate/security/principal-signature';
import { type TraceContext, traceHeaders } from '@tollgate/tracing/trace-context';
import type { FastifyRequest } from 'fastify';
import { type Operation, upstreamPath } from '../operations/operations.ts';
import type { UpstreamRequest } from './exchange.ts';

/** Builds the request to payments, as a part of this trace. */
export type SignRequest = (
  operation: Operation,
  request: FastifyRequest,
  trace: TraceContext | null,
) => UpstreamRequest;

const EMPTY_BODY = Buffer.alloc(0);

/**
 * The request to payments is built from validated values instead of copied from the caller's, so that no header or path of the caller
 * reaches payments by accident.
 */
export function createSignRequest({
  signingKeys,
  clock,
}: {
  signingKeys: Keyring;
  clock: Clock;
}): SignRequest {
  const encodeCaller = createEncodeCaller();

  return function signRequest(operation, request, trace) {
    if (!request.caller) throw new Error('A request reached the proxy without admission');
    const { method, relayedHeader } = operation;
    const isPost = method === 'POST';
    const path = upstreamPath(operation, request.params as { payment_id?: string });
    const body = isPost && Buffer.isBuffer(request.body) ? request.body : EMPTY_BODY;
    // An empty key is forwarded too, and payments rejects it. Dropping it here would silently make the request unsafe to retry.
    const idempotencyKey = isPost
      ? (request.headers[HEADERS.idempotencyKey] as string | undefined)
      : undefined;
    const principal = encodeCaller(request.caller.principal, request);
    const signature = signPrincipal(
      signingKeys,
      principal,
      // HEAD is sent as GET: the headers are the same by definition, and undici closes its connection after a HEAD.
      { method, path, requestId: request.id, idempotencyKey: idempotencyKey ?? '', body },
      clock.now(),
    );
    const headers: UpstreamRequest['headers'] = {
      [HEADERS.principal]: principal,
      [HEADERS.signature]: signature,
      [HEADERS.requestId]: request.id,
      ...traceHeaders(trace),
    };
    if (idempotencyKey !== undefined) headers[HEADERS.idempotencyKey] = idempotencyKey;
    if (body.length > 0) headers['content-type'] = 'application/json';
    if (relayedHeader) headers[relayedHeader] = request.headers[relayedHeader] as string | undefined;
    return { method, path, headers, body: body.length > 0 ? body : null };
  };
}

/**
 * The caller of a request, with the client's address, as the gateway sends it to payments. Keeps the newest text for as long as its
 * principal: an application sends from few addresses, and the text costs as much as a tenth of a request.
 */
function createEncodeCaller(): (principal: Principal, request: FastifyRequest) => string {
  const newest = new WeakMap<Principal, { address: string | null; encoded: string }>();
  return (principal, { clientAddress: address }) => {
    const known = newest.get(principal);
    if (known?.address === address) return known.encoded;
    const encoded = encodePrincipal({ ...principal, client_address: address });
    newest.set(principal, { address, encoded });
    return encoded;
  };
}
