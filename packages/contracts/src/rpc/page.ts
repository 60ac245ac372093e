import Type from 'typebox';
import { Nullable } from '../nullable.ts';

export const MAX_PAGE_SIZE = 100;

/** Members of every list request. `cursor` is opaque: what `next_cursor` or `previous_cursor` of another page said. */
export const PageRequest = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE })),
  cursor: Type.Optional(Type.String({ maxLength: 512 })),
};

export function Page<Row extends Type.TSchema>(row: Row) {
  return Type.Object({
    data: Type.Array(row),
    next_cursor: Nullable(Type.String()),
    previous_cursor: Nullable(Type.String()),
  });
}

/** The one page of a list that is bounded, and so returned whole. */
export function wholeList<Row>(data: Row[]): { data: Row[]; next_cursor: null; previous_cursor: null } {
  return { data, next_cursor: null, previous_cursor: null };
}
