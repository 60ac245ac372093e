import Type, { type TSchema, type TString, type TStringOptions } from 'typebox';

/** An object that may have no other fields: every request. */
export const closed = { additionalProperties: false } as const;

/** A request or a reply without fields. */
export const Nothing = Type.Object({}, closed);

/** A value or `null`. The key stays required. */
export function Nullable<T extends TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

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

/** The sentence of each pattern. Validators report the pattern alone, which says nothing to a person. */
const SENTENCES = new Map<string, string>();

/**
 * A text that must match a pattern.
 * @param sentence what rejects any other text, such as "This must be an email address."
 */
export function TextOfPattern(pattern: string, sentence: string, options: TStringOptions = {}) {
  SENTENCES.set(pattern, sentence);
  return Type.String({ pattern, ...options });
}

/** Undefined for the pattern of a schema that was created otherwise. */
export function sentenceOfPattern(pattern: string): string | undefined {
  return SENTENCES.get(pattern);
}
