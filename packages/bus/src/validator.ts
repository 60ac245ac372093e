import type { FieldError } from '@tollgate/contracts/problem';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import Format from 'typebox/format';

/**
 * typebox's `date-time` also takes RFC 9557 suffixes and leap seconds, which `Date` reads as NaN: an expiry that passed validation
 * would then compare as "never". RFC 3339 that `Date` can read is what every contract means.
 */
Format.Set('date-time', (value) => Format.IsDateTime(value) && !Number.isNaN(Date.parse(value)));

const validators = new WeakMap<TSchema, Validator>();

/** Fields at fault, empty when the value follows the schema. Each schema is compiled once. */
export function schemaErrors(schema: TSchema, value: unknown): FieldError[] {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema) as Validator;
    validators.set(schema, validator);
  }
  return validator.Check(value) ? [] : validator.Errors(value).flatMap(fieldErrors);
}

/** Points at the member itself where typebox names it in `params` and points at its parent. */
function fieldErrors(error: TLocalizedValidationError): FieldError[] {
  if (error.keyword === 'required') {
    return error.params.requiredProperties.map((name) => ({
      pointer: child(error.instancePath, name),
      code: 'required',
      detail: 'must be present',
    }));
  }
  if (error.keyword === 'additionalProperties') {
    return error.params.additionalProperties.map((name) => ({
      pointer: child(error.instancePath, name),
      code: 'unknown-field',
      detail: 'is not a known field',
    }));
  }
  return [{ pointer: error.instancePath, code: error.keyword, detail: error.message }];
}

/** RFC 6901 §3: `~` and `/` inside a member name are escaped. */
function child(pointer: string, name: string): string {
  return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
