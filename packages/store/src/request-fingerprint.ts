import { createHash } from 'node:crypto';
import { Problem } from '@tollgate/contracts/platform/problem';
import canonicalize from 'canonicalize';

/** Part of every stored fingerprint, so that a later algorithm can recognize fingerprints of this version. */
const FINGERPRINT_VERSION = '1';

/**
 * SHA-256 of the operation and the RFC 8785 form of the parsed request. A repeated request must have the same
 * fingerprint.
 */
export function fingerprint(operation: string, request: unknown): string {
  const canonical = canonicalize(request);
  if (canonical === undefined) throw new Error('Only parsed JSON can be fingerprinted');
  const digest = createHash('sha256').update(`${operation}\n${canonical}`).digest('hex');
  return `${FINGERPRINT_VERSION}:${digest}`;
}

/**
 * An idempotency key is bound to one request.
 *
 * @throws Problem `idempotency-key-reused` when `bound` belongs to a request other than `request`
 */
export function assertSameFingerprint(bound: string, request: string): void {
  if (bound === request) return;
  throw new Problem(
    'idempotency-key-reused',
    'This Idempotency-Key was already used for a request with a different path or body.',
    { errors: [{ header: 'Idempotency-Key', code: 'reused', detail: 'Already used for another request.' }] },
  );
}
