import Type, { type TSchema, type TString } from 'typebox';

/** Matches every key. The pattern of `Type.String()`, `^.*$`, does not match one with a line break. */
const ANY_KEY = '^';

/**
 * An object whose keys the caller chooses. A key that does not match the schema is reported as an invalid key, and not
 * as an unknown field.
 */
export function MapOf<Value extends TSchema>(
  propertyNames: TString,
  value: Value,
  options: { maxProperties: number; description?: string },
) {
  return Type.Record(Type.String({ pattern: ANY_KEY }), value, { ...options, propertyNames });
}
