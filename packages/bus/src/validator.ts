import { fieldErrors } from '@tollgate/contracts/field-errors';
import type { FieldError } from '@tollgate/contracts/problem';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

const validators = new WeakMap<TSchema, Validator>();

export function isValid(schema: TSchema, value: unknown): boolean {
  return validatorOf(schema).Check(value);
}

/** The fields at fault in a value that is not valid. An empty list does not mean that it is: `isValid` decides. */
export function schemaErrors(schema: TSchema, value: unknown): FieldError[] {
  return fieldErrors(validatorOf(schema).Errors(value));
}

/** Each schema is compiled once. */
function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema) as Validator;
    validators.set(schema, validator);
  }
  return validator;
}
