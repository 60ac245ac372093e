import { fieldErrors } from '@tollgate/contracts/platform/field-errors';
import { type FieldError, Problem } from '@tollgate/contracts/platform/problem';
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { queryOf } from '../request/target.ts';
import { toParameter } from './field-place.ts';

const MAX_REPORTED_PARAMETERS = 10;
const INTEGER = /^-?\d{1,15}$/;

/**
 * Reads the query of a request target into an object: integers and booleans as such, the rest as text. Throws
 * invalid-request.
 */
export function createReadQuery<Properties extends TProperties>(
  properties: Properties,
): (target: string) => Static<Type.TObject<Properties>> {
  const schema = Compile(Type.Object(properties, { additionalProperties: false }));
  return (target) => {
    const members = parse(target, properties);
    if (!schema.Check(members)) throw invalidQuery(fieldErrors(schema.Errors(members)).map(toParameter));
    return members as Static<Type.TObject<Properties>>;
  };
}

/** Throws invalid-request for unknown and repeated parameters: the gateway cannot know which value the caller meant. */
function parse(target: string, properties: TProperties): Record<string, unknown> {
  const parameters = new URLSearchParams(queryOf(target));
  const errors: FieldError[] = [];
  const members: Record<string, unknown> = {};
  for (const [name, value] of parameters) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!schema) errors.push({ parameter: name, code: 'unknown', detail: 'Unknown parameter.' });
    else if (Object.hasOwn(members, name)) {
      errors.push({ parameter: name, code: 'duplicate', detail: 'Send this parameter once.' });
    } else members[name] = coerce(value, schema);
    if (errors.length === MAX_REPORTED_PARAMETERS) break;
  }
  if (errors.length > 0) throw invalidQuery(errors);
  return members;
}

/** A value that does not parse as its type stays text, which the schema then rejects. */
function coerce(value: string, schema: TSchema): unknown {
  const { type } = schema as { type?: string };
  if (type === 'integer' && INTEGER.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

function invalidQuery(errors: FieldError[]): Problem {
  return new Problem('invalid-request', 'The query is not valid. `errors` names each parameter.', {
    errors,
  });
}
