import { refused } from './usage-range.ts';

/** Where a page ended: this group of this point. */
export interface Place {
  pointMs: number;
  group: string;
}

const FORM = /^(\d{1,15}):([\w ]*)$/;

export function formatPlace({ pointMs, group }: Place): string {
  return Buffer.from(`${pointMs}:${group}`).toString('base64url');
}

/** Throws `invalid-request` for a cursor that no page has given. */
export function parsePlace(cursor: string): Place {
  const [, pointMs, group] = FORM.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (pointMs === undefined || group === undefined)
    throw refused(
      '/cursor',
      'The cursor was not returned by this list. Send next_cursor of another page, unchanged.',
    );
  return { pointMs: Number(pointMs), group };
}
