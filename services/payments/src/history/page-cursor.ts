import { isId } from '@tollgate/contracts/ids';
import { Problem } from '@tollgate/contracts/problem';
import { type Place, rightBehind } from './history-place.ts';

/**
 * Where a page starts: at a cut between two payments, beside the one that is named, towards older or newer ones. What is older
 * than a cut and what is newer are all there is, so that a page gone back to is the page that was left.
 */
export interface PageCursor {
  direction: 'older' | 'newer';
  beside: Place;
  /** On which side of the payment the cut is. */
  side: 'older' | 'newer';
}

/** The place that the cut lies at: what is newer starts there, what is older ends before it. */
export function cutOf({ beside, side }: PageCursor): Place {
  return side === 'older' ? beside : rightBehind(beside);
}

/** `digest` is that of the filters that the page was made with. */
export function encodeCursor({ direction, beside, side }: PageCursor, digest: string): string {
  const content = [direction, side, beside.createdAt.getTime(), beside.id, digest];
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** @throws Problem `invalid-request` for a cursor that no page has given, or a page of other filters */
export function decodeCursor(text: string, digest: string): PageCursor {
  const [direction, side, createdAtMs, id, madeFor] = contentOf(text);
  const createdAt = new Date(Number(createdAtMs));
  if (
    !isSide(direction) ||
    !isSide(side) ||
    createdAt.getTime() !== createdAtMs ||
    typeof id !== 'string' ||
    !isId('payment', id)
  ) {
    throw refusal('Send next_cursor or previous_cursor of another page, unchanged.');
  }
  if (madeFor !== digest) {
    throw refusal('The cursor belongs to a list with other filters; begin this one without a cursor.');
  }
  return { direction, side, beside: { createdAt, id } };
}

function contentOf(text: string): unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(content) ? content : [];
  } catch {
    return [];
  }
}

function isSide(value: unknown): value is 'older' | 'newer' {
  return value === 'older' || value === 'newer';
}

function refusal(detail: string): Problem {
  return new Problem('invalid-request', 'The cursor was not returned by this list.', {
    errors: [{ pointer: '/cursor', code: 'invalid', detail }],
  });
}
