import type { TLocalizedValidationError } from 'typebox/error';
import type { FieldError } from './problem.ts';

/** Longer than any pointer to a field that exists. The names of unknown fields are the caller's, and as long as a body may be. */
const MAX_POINTER_LENGTH = 200;

/** What schema validation found, as the `errors` member of a problem: one entry per field at fault, the first few fields. */
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
 * A nullable field is a union with `null`, and the validator reports the `null` branch and the union itself beside what
 * is wrong with the value. Only the latter helps.
 */
function isEcho(error: TLocalizedValidationError): boolean {
  return error.keyword === 'anyOf' || (error.keyword === 'type' && error.params.type === 'null');
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
    // An unknown field is found twice: at its place, and after all of those by its parent. The validator stops at its
    // limit of findings, so where unknown fields are many only the first kind is there.
    case 'boolean':
      return [{ pointer: at, ...UNKNOWN_FIELD }];
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({
        pointer: `${at}/${escapePointer(name)}`,
        ...UNKNOWN_FIELD,
      }));
    case 'type':
      return [{ pointer: at, code: 'wrong-type', detail: ofType(error.params.type) }];
    case 'enum':
      return [
        {
          pointer: at,
          code: 'invalid',
          detail: `This must be one of: ${error.params.allowedValues.join(', ')}.`,
        },
      ];
    case 'minLength':
      return [{ pointer: at, code: 'invalid', detail: atLeast(error.params.limit) }];
    case 'maxLength':
      return [
        { pointer: at, code: 'invalid', detail: `This must have at most ${error.params.limit} characters.` },
      ];
    case 'minimum':
      return [{ pointer: at, code: 'invalid', detail: `This must be ${error.params.limit} or more.` }];
    case 'maximum':
      return [{ pointer: at, code: 'invalid', detail: `This must be ${error.params.limit} or less.` }];
    default:
      return [{ pointer: at, code: 'invalid', detail: `This ${error.message}.` }];
  }
}

function ofType(type: string | readonly string[]): string {
  return type === 'integer' ? 'This must be a whole number.' : `This must be of type ${type}.`;
}

function atLeast(characters: number): string {
  return characters === 1 ? 'This must not be empty.' : `This must have at least ${characters} characters.`;
}

/** The pointer, or for one that is too long to repeat that of the object which holds the field. */
function shortPointer(pointer: string): string {
  return pointer.length <= MAX_POINTER_LENGTH ? pointer : pointer.slice(0, pointer.lastIndexOf('/'));
}

/** RFC 6901 §3 */
function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
