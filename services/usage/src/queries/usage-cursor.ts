import { decodeCursor, encodeCursor, invalidCursor } from '@tollgate/store/cursor';

/** The last group of a page, and its point. */
export interface Place {
  pointMs: number;
  group: string;
}

const FORM = /^(\d{1,15}):([\w ]*)$/;

export function formatPlace({ pointMs, group }: Place): string {
  return encodeCursor(`${pointMs}:${group}`);
}

/** Throws `invalid-request` for a cursor that no page returned. */
export function parsePlace(cursor: string): Place {
  const [, pointMs, group] = FORM.exec(decodeCursor(cursor)) ?? [];
  if (pointMs === undefined || group === undefined)
    throw invalidCursor('Send `next_cursor` of the previous page, unchanged.');
  return { pointMs: Number(pointMs), group };
}
