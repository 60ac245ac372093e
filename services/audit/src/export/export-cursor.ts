import { decodeJsonCursor, encodeCursor, invalidCursor } from '@tollgate/store/cursor';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

const Count = Type.Integer({ minimum: 0 });

/** The progress of an export. It does not select the team: a forged cursor still reads only the caller's own team. */
const Cursor = Type.Object(
  {
    /** The next record and tree head. */
    seq: Count,
    head: Count,
    last_head: Count,
    /** Lines so far. */
    records: Count,
    heads: Count,
  },
  { additionalProperties: false },
);
export type ExportCursor = Static<typeof Cursor>;
const schema = Compile(Cursor);

export function formatExportCursor(cursor: ExportCursor): string {
  return encodeCursor(JSON.stringify(cursor));
}

/** Throws `invalid-request` for a cursor that no chunk returned. */
export function parseExportCursor(text: string): ExportCursor {
  const value = decodeJsonCursor(text);
  if (schema.Check(value)) return value;
  throw invalidCursor('Send `next_cursor` of the previous part, unchanged.');
}
