import type { AdminRoute } from '@tollgate/contracts/admin-api/route';
import { Problem } from '@tollgate/contracts/platform/problem';

/** A version that no resource reaches: the service rejects the precondition, after it has authorized the caller. */
const NO_VERSION = Number.MAX_SAFE_INTEGER;

const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;
const VERSION_TAG = /^"([1-9]\d{0,14})"$/;

/**
 * Rejects the header for changes that cannot depend on a version: silently ignoring the header would break its promise. Throws Problem:
 * invalid-request.
 */
export function rejectIfMatch(header: string | undefined): void {
  if (header !== undefined) throw rejected('unknown', 'This operation does not accept an If-Match header.');
}

/**
 * Returns the version in `If-Match`, or undefined for any version. RFC 9110 §13.1.1 requires strong comparison, so a
 * weak tag and a tag that the gateway never sent match nothing.
 * Throws Problem: precondition-required, or invalid-request unless the header is exactly one entity tag.
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
  if (!ENTITY_TAG.test(tag)) throw rejected('invalid', 'Send one entity tag such as "7", or *.');
  return Number(VERSION_TAG.exec(tag)?.[1] ?? NO_VERSION);
}

/**
 * The error of a precondition that no version can meet says why. Callers send the tag that they got, so a proxy has changed it.
 */
export function explainEntityTag(error: unknown, header: string | undefined): unknown {
  const isMismatch = error instanceof Problem && error.details.code === 'precondition-failed';
  if (!isMismatch || header === undefined || VERSION_TAG.test(header.trim())) return error;
  const { code, detail: _, ...more } = error.details;
  return new Problem(code, header.trim().startsWith('W/') ? WEAK_TAG : UNKNOWN_TAG, more);
}

const WEAK_TAG =
  'If-Match has a weak entity tag, which never matches (RFC 9110 §13.1.1). A proxy weakens the ETag of a response that it compresses: turn compression off for this API there, such as with "gzip off" in nginx, read the resource again, and repeat the change.';
const UNKNOWN_TAG =
  'If-Match has an entity tag that this API never sends. Send the ETag of the response unchanged. If a proxy appends a suffix to it, such as -gzip, turn compression off for this API there, or set "DeflateAlterETag NoChange" in Apache.';

function rejected(code: string, detail: string): Problem {
  return new Problem('invalid-request', 'The If-Match header is not valid.', {
    errors: [{ header: 'If-Match', code, detail }],
  });
}
