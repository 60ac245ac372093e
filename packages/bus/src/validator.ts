import { fieldErrors } from '@tollgate/contracts/platform/field-errors';
import type { FieldError } from '@tollgate/contracts/platform/problem';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

const validators = new WeakMap<TSchema, Validator>();

export function isValid(schema: TSchema, value: unknown): boolean {
  return validatorOf(schema).Check(value);
}

/**
 * Lists the invalid fields of an invalid value. An empty list does not mean that the value is valid: `isValid` decides.
 */
export function schemaErrors(schema: TSchema, value: unknown): FieldError[] {
  return fieldErrors(validatorOf(schema).Errors(value));
}

/** Compiles each schema once. */
function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema) as Validator;
    validators.set(schema, validator);
  }
  return validator;
}
