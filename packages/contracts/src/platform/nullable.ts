import Type from 'typebox';

/** A value or `null`. The key stays required. */
export function Nullable<T extends Type.TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}
