import { createHash } from 'node:crypto';
import { Problem } from '@tollgate/contracts/problem';
import canonicalize from 'canonicalize';
import type { BoundKey } from '../payments/payment.ts';

/** Part of every stored fingerprint, so that a later algorithm can recognize fingerprints of this version. */
const FINGERPRINT_VERSION = '1';

export interface FingerprintedRequest {
  method: string;
  /** The operation's path with the decoded payment id, without a query. */
  path: string;
  /** The parsed body as received; `{}` when absent. */
  body: unknown;
}

/** SHA-256 of method, path, and the RFC 8785 form of the body. A repeated request must have the same fingerprint. */
export function fingerprint({ method, path, body }: FingerprintedRequest): string {
  const canonicalBody = canonicalize(body);
  if (canonicalBody === undefined) throw new Error('Only a parsed JSON body can be fingerprinted');
  const digest = createHash('sha256').update(`${method}\n${path}\n${canonicalBody}`).digest('hex');
  return `${FINGERPRINT_VERSION}:${digest}`;
}

/** The key that the request binds when it succeeds; null without a key. */
export function keyToBind(idempotencyKey: string | null, request: FingerprintedRequest): BoundKey | null {
  return idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: fingerprint(request) };
}

/** Binds a request without an idempotency key to its id. A key of a caller contains no space, so it is never the same. */
export function requestIdAsKey(requestId: string): string {
  return `request ${requestId}`;
}

/**
 * A key is bound to the one request that succeeded with it.
 *
 * @throws Problem `idempotency-key-reused` when `bound` belongs to a request other than `request`
 */
export function assertSameRequest(bound: BoundKey, request: BoundKey): void {
  if (bound.fingerprint === request.fingerprint) return;
  throw new Problem(
    'idempotency-key-reused',
    'This Idempotency-Key was already used for a request with a different path or body.',
    { errors: [{ header: 'Idempotency-Key', code: 'reused', detail: 'Already used for another request.' }] },
  );
}
