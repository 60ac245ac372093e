import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { PLAIN_TEXT_FORMATS, PLAIN_TEXT_SENTENCE } from './plain-text.ts';
import type { FieldError } from './problem.ts';
import { sentenceOfPattern } from './schema.ts';

/**
 * Enough for the largest body with every field invalid; typebox stops at 8 by default. The setting is of the whole process, so it belongs
 * to the contracts: every process of the platform returns the same errors, also where components share one.
 */
export const MAX_FINDINGS = 256;
Settings.Set({ maxErrors: MAX_FINDINGS });

/** Longer than any pointer to a known field. Callers choose the names of unknown fields, which may be as long as a body. */
const MAX_POINTER_LENGTH = 200;

/**
 * Converts schema validation errors to the `errors` member of a problem: one entry per invalid field, of the
 * first `MAX_FINDINGS` findings.
 */
export function fieldErrors(errors: readonly TLocalizedValidationError[]): FieldError[] {
  const found = new Map<string, FieldError>();
  for (const error of errors.filter((error) => !isEcho(error))) {
    for (const fieldError of describe(error)) {
      const pointer = shortPointer(fieldError.pointer ?? '');
      if (!found.has(pointer)) found.set(pointer, { ...fieldError, pointer });
    }
  }
  return [...found.values()];
}

/**
 * A nullable field is a union with `null`. Besides the actual error, the validator reports the `null` branch and the
 * union itself, and besides the error of a key, the map itself. Only the actual error helps the caller.
 */
function isEcho({ keyword, params }: TLocalizedValidationError): boolean {
  return keyword === 'anyOf' || keyword === 'propertyNames' || (keyword === 'type' && params.type === 'null');
}

const UNKNOWN_FIELD = { code: 'unknown', detail: 'This field does not exist.' };

function describe(error: TLocalizedValidationError): FieldError[] {
  const at = error.instancePath;
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        pointer: `${at}/${escapePointer(name)}`,
        code: 'missing',
        detail: 'This field is required.',
      }));
    // The validator reports an unknown field twice: at its place, and after all others at its parent. It stops at a
    // maximum number of errors, so with many unknown fields only the first kind is present.
    case 'boolean':
      return [{ pointer: at, ...UNKNOWN_FIELD }];
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({
        pointer: `${at}/${escapePointer(name)}`,
        ...UNKNOWN_FIELD,
      }));
    case 'type':
      return [{ pointer: at, code: 'wrong-type', detail: ofType(error.params.type) }];
    default:
      return [{ pointer: at, code: 'invalid', detail: isOfKey(error) ? ofKey(error) : sentenceOf(error) }];
  }
}

/** The pointer of an invalid key is that of its value, which may be valid. */
function isOfKey({ schemaPath }: TLocalizedValidationError): boolean {
  return schemaPath.endsWith('/propertyNames');
}

function ofKey(error: TLocalizedValidationError): string {
  return sentenceOf(error).replace(/^This( value)?/, 'The key');
}

export const FORMAT_SENTENCES: Record<string, string> = {
  'date-time': 'This must be a time with its time zone, such as 2026-01-31T09:30:00Z.',
  date: 'This must be a date, such as 2026-01-31.',
  [PLAIN_TEXT_FORMATS.line]: PLAIN_TEXT_SENTENCE,
  [PLAIN_TEXT_FORMATS.lines]: PLAIN_TEXT_SENTENCE,
};
const INVALID = 'This value is not valid.';

const atMostEntries = (limit: number) => `This must have at most ${limit} entries.`;
export const LIMIT_SENTENCES: Record<string, (limit: number) => string> = {
  minLength: (limit) =>
    limit === 1 ? 'This must not be empty.' : `This must have at least ${limit} characters.`,
  maxLength: (limit) => `This must have at most ${limit} characters.`,
  minimum: (limit) => `This must be ${limit} or more.`,
  maximum: (limit) => `This must be ${limit} or less.`,
  minItems: (limit) => `This must have at least ${limit === 1 ? 'one entry' : `${limit} entries`}.`,
  maxItems: atMostEntries,
  maxProperties: atMostEntries,
};

/** Never the validator's own message: it contains regular expressions and terms of JSON Schema. */
function sentenceOf({ keyword, params }: TLocalizedValidationError): string {
  if ('allowedValues' in params) return oneOf(params.allowedValues);
  if ('pattern' in params) return sentenceOfPattern(String(params.pattern)) ?? INVALID;
  if ('format' in params) return FORMAT_SENTENCES[params.format] ?? INVALID;
  if ('limit' in params) return LIMIT_SENTENCES[keyword]?.(Number(params.limit)) ?? INVALID;
  return keyword === 'uniqueItems' ? 'This must not have the same entry twice.' : INVALID;
}

export function oneOf(values: readonly unknown[]): string {
  return `This must be one of: ${values.join(', ')}.`;
}

export function ofType(type: string | readonly string[]): string {
  return type === 'integer' ? 'This must be a whole number.' : `This must be of type ${type}.`;
}

/** The pointer, or the pointer of the object that contains the field if it is too long to repeat. */
function shortPointer(pointer: string): string {
  return pointer.length <= MAX_POINTER_LENGTH ? pointer : pointer.slice(0, pointer.lastIndexOf('/'));
}

/** RFC 6901 §3 */
function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
