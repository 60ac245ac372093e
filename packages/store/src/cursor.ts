import { Problem } from '@tollgate/contracts/problem';

/** An opaque cursor. What it contains is not secret and grants no access: every query names the team itself. */
export function encodeCursor(content: string): string {
  return Buffer.from(content).toString('base64url');
}

/** The content of a cursor, which the caller must validate: a client can send anything. */
export function decodeCursor(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString();
}

/** As `decodeCursor`, for content in JSON; undefined if it is not valid JSON. */
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
