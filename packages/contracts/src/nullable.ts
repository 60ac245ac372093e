import Type from 'typebox';

/** A value or `null`; the key itself stays required. */
export function Nullable<T extends Type.TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}
