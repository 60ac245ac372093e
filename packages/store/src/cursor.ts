import { Problem } from '@tollgate/contracts/platform/problem';

/** Encodes an opaque cursor. Its content is not secret and grants no access, because every query filters by team. */
export function encodeCursor(content: string): string {
  return Buffer.from(content).toString('base64url');
}

/** Returns the content of a cursor. The caller must validate it, because a client can send anything. */
export function decodeCursor(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString();
}

/** Like `decodeCursor`, for JSON content. Returns undefined if the content is not valid JSON. */
export function decodeJsonCursor(cursor: string): unknown {
  try {
    return JSON.parse(decodeCursor(cursor));
  } catch {
    return undefined;
  }
}

/** The error for a cursor that no page returned. */
export function invalidCursor(
  detail = 'Send `next_cursor` or `previous_cursor` of another page, unchanged.',
): Problem {
  return new Problem('invalid-request', 'The cursor is invalid.', {
    errors: [{ pointer: '/cursor', code: 'invalid', detail }],
  });
}
