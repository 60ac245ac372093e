import { assertSameFingerprint, fingerprint } from '@tollgate/store/request-fingerprint';
import type { BoundKey } from '../lifecycle/payment.ts';

export interface FingerprintedRequest {
  method: string;
  /** The operation's path with the decoded payment id, without a query. */
  path: string;
  /** The parsed body as received; `{}` when absent. */
  body: unknown;
}

/** The key as the request binds it when it succeeds. */
export function keyToBind(key: string, { method, path, body }: FingerprintedRequest): BoundKey {
  return { key, fingerprint: fingerprint(`${method}\n${path}`, body) };
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
  assertSameFingerprint(bound.fingerprint, request.fingerprint);
}
