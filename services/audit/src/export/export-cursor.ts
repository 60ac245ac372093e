import { decodeJsonCursor, encodeCursor, invalidCursor } from '@tollgate/store/cursor';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

const Count = Type.Integer({ minimum: 0 });

/** How far an export has come. It decides nothing about whose records are read: anyone who makes one up reads their own team's. */
const Cursor = Type.Object(
  {
    /** The next record and head. */
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

/** Throws `invalid-request` for what no chunk has given. */
export function parseExportCursor(text: string): ExportCursor {
  const value = decodeJsonCursor(text);
  if (schema.Check(value)) return value;
  throw invalidCursor('Send `next_cursor` of the previous part, unchanged.');
}
