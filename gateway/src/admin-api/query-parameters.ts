import { type FieldError, Problem } from '@tollgate/contracts/problem';
import type { TProperties, TSchema } from 'typebox';
import { queryOf } from '../request/target.ts';

const MAX_REPORTED_PARAMETERS = 10;
const INTEGER = /^-?\d{1,16}$/;

/**
 * The parameters of a query as the members of a request: integers and booleans as such, all else as text. What is not what its
 * schema says is left as text, for the schema to refuse. Throws invalid-request for unknown and repeated parameters.
 */
export function readQuery(target: string, properties: TProperties): Record<string, unknown> {
  const parameters = new URLSearchParams(queryOf(target));
  const errors: FieldError[] = [];
  const members: Record<string, unknown> = {};
  for (const name of new Set(parameters.keys())) {
    const [value = '', ...others] = parameters.getAll(name);
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!schema) errors.push({ parameter: name, code: 'unknown', detail: 'This parameter does not exist.' });
    else if (others.length > 0) {
      errors.push({ parameter: name, code: 'duplicate', detail: 'Send this parameter once.' });
    } else members[name] = coerce(value, schema);
  }
  if (errors.length === 0) return members;
  throw new Problem('invalid-request', 'The query is not valid; `errors` names each parameter.', {
    errors: errors.slice(0, MAX_REPORTED_PARAMETERS),
  });
}

function coerce(value: string, schema: TSchema): unknown {
  const { type } = schema as { type?: string };
  if (type === 'integer' && INTEGER.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
