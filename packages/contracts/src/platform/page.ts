import Type from 'typebox';
import { Nullable } from './schema.ts';

export const MAX_PAGE_SIZE = 100;

/** Fields of every list request. `cursor` is opaque: the `next_cursor` or `previous_cursor` of another page. */
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

/** The only page of a bounded list. */
export function wholeList<Row>(data: Row[]): { data: Row[]; next_cursor: null; previous_cursor: null } {
  return { data, next_cursor: null, previous_cursor: null };
}

/** A field of a request, such as a filter, that is absent or has text. */
export function OptionalText(maxLength: number, description: string) {
  return Type.Optional(Type.String({ minLength: 1, maxLength, description }));
}

/** A filter of a list request. The description says whether it includes the time. */
export function TimeFilter(description: string) {
  return Type.Optional(Type.String({ format: 'date-time', description: `${description} (RFC 3339)` }));
}
