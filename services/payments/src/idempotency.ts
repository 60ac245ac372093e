import { createHash } from 'node:crypto';
import { IDEMPOTENCY_KEY_FORMAT, MAX_IDEMPOTENCY_KEY_LENGTH } from '@tollgate/contracts/headers';
import { Problem } from '@tollgate/contracts/problem';
import canonicalize from 'canonicalize';
import type { BoundKey } from './payment.ts';

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

/** Visible ASCII, RFC 20. */
const KEY = new RegExp(`^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY_LENGTH}}$`);
/** sf-string of RFC 8941 §3.3.3: `"` and `\` occur only after a `\`. */
const QUOTED_KEY = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * Returns the key in an `Idempotency-Key` header, or null without the header. The quoted and the unquoted form are the
 * same key.
 *
 * @throws Problem `invalid-idempotency-key`
 */
export function parseIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const key = header.startsWith('"') ? QUOTED_KEY.exec(header)?.[1]?.replace(/\\(["\\])/g, '$1') : header;
  if (key === undefined || !KEY.test(key)) {
    throw new Problem(
      'invalid-idempotency-key',
      `The Idempotency-Key must be one key of ${IDEMPOTENCY_KEY_FORMAT}, bare or in double quotes.`,
      {
        errors: [
          {
            header: 'Idempotency-Key',
            code: 'invalid',
            detail: `Must be ${IDEMPOTENCY_KEY_FORMAT}.`,
          },
        ],
      },
    );
  }
  return key;
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
