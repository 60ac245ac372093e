import type { AdminRoute } from '@tollgate/contracts/admin-api/route';
import { Problem } from '@tollgate/contracts/problem';

/** A version that nothing reaches: the service finds the precondition failed, after it has checked who may know. */
const NO_VERSION = Number.MAX_SAFE_INTEGER;

const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;
const VERSION_TAG = /^"([1-9]\d{0,14})"$/;

/** For changes that cannot be bound to a version: the header ignored in silence would promise what does not hold. Throws invalid-request. */
export function refuseIfMatch(header: string | undefined): void {
  if (header !== undefined) throw refused('unknown', 'This operation takes no If-Match header.');
}

/**
 * The version that `If-Match` names, or undefined for whatever version it is. RFC 9110 §13.1.1 compares strongly, so a weak tag
 * and one that no response here carried match nothing.
 * Throws Problem: precondition-required, or invalid-request for what is not one entity tag.
 */
export function readIfMatch(header: string | undefined, ifMatch: AdminRoute['ifMatch']): number | undefined {
  if (header === undefined) {
    if (ifMatch !== 'required') return undefined;
    throw new Problem(
      'precondition-required',
      'This change requires an If-Match header with the ETag of the resource, or `*` for any version.',
    );
  }
  const tag = header.trim();
  if (tag === '*') return undefined;
  if (!ENTITY_TAG.test(tag)) throw refused('invalid', 'Send one entity tag such as "7", or *.');
  return Number(VERSION_TAG.exec(tag)?.[1] ?? NO_VERSION);
}

function refused(code: string, detail: string): Problem {
  return new Problem('invalid-request', 'The If-Match header is not valid.', {
    errors: [{ header: 'If-Match', code, detail }],
  });
}
