import Type, {
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TString,
  type TStringOptions,
} from 'typebox';
import Format from 'typebox/format';
import { ENVIRONMENTS } from './environment.ts';
import { ID_PATTERNS, ID_PREFIXES, ID_SUFFIX, ID_SUFFIX_LENGTH, type IdKind } from './ids.ts';

/** An object that may have no other fields: every request. */
export function ClosedObject<Fields extends TProperties>(fields: Fields, options: TObjectOptions = {}) {
  return Type.Object(fields, { additionalProperties: false, ...options });
}

/** A request or a reply without fields. */
export const Nothing = ClosedObject({});

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

/** Schema of one kind of id. */
export function Id(kind: IdKind, description?: string) {
  const sentence = `This must be a complete ID that starts with ${ID_PREFIXES[kind]}_.`;
  return TextOfPattern(ID_PATTERNS[kind].source, sentence, {
    ...(description !== undefined && { description }),
  });
}

/** Schema of a list of ids in one parameter of a query, as `readIds` reads it. */
export function Ids(kind: IdKind, { most, description }: { most: number; description: string }) {
  const prefix = ID_PREFIXES[kind];
  // Limited by its length, because RE2 accepts no pattern with so many repetitions.
  const pattern = `^${prefix}_${ID_SUFFIX}(?:,${prefix}_${ID_SUFFIX})*$`;
  const maxLength = most * (`${prefix}_,`.length + ID_SUFFIX_LENGTH) - 1;
  const sentence = `This must be complete IDs that start with ${prefix}_, separated by commas.`;
  return TextOfPattern(pattern, sentence, { maxLength, description });
}

export const EnvironmentSchema = Type.Enum(ENVIRONMENTS);

/**
 * How the platform writes times, on the days that every month has. Nearly every time is one of these, and the whole check of the times of a
 * payment would take longer than that of all its other fields.
 */
const WRITTEN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/**
 * TypeBox's `date-time` also accepts RFC 9557 suffixes and leap seconds, which `Date` parses as NaN: an expiry that
 * passed validation would then compare as "never". Contracts only accept RFC 3339 that `Date` can parse.
 */
Format.Set(
  'date-time',
  (value) => WRITTEN.test(value) || (Format.IsDateTime(value) && !Number.isNaN(Date.parse(value))),
);

/** A point in time, RFC 3339. The platform writes UTC with milliseconds. */
export const Time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC' });

/** A point in time with its own description. */
export function TimeOf(description: string) {
  return Type.String({ format: 'date-time', description: `${description} (RFC 3339, UTC)` });
}

/** The version that the caller read; absent means the current version. Any other version is rejected with `precondition-failed`. */
export const IfVersion = { if_version: Type.Optional(Type.Integer({ minimum: 1 })) };
