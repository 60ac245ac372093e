import type { TSchema } from 'typebox';
import { elementSchema, type JsonSchema, withoutNull } from './json-schema.ts';

/**
 * A copy of a JSON value with only the fields that its schema names, at every depth: what a writer sends. All entries of
 * a map stay, whatever their names.
 */
export function namedFields(schema: TSchema, value: unknown): unknown {
  return fieldsOf(schema, value);
}

function fieldsOf(schema: JsonSchema, value: unknown): unknown {
  const inner = withoutNull(schema);
  if (Array.isArray(value)) {
    const element = elementSchema(inner);
    return element ? value.map((item) => fieldsOf(element, item)) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const { properties, patternProperties } = inner;
  if (patternProperties) return mapEntries(value, Object.values(patternProperties)[0] ?? {});
  if (!properties) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => Object.hasOwn(properties, name))
      .map(([name, field]) => [name, fieldsOf(properties[name] as JsonSchema, field)]),
  );
}

function mapEntries(map: object, schema: JsonSchema): object {
  return Object.fromEntries(Object.entries(map).map(([name, entry]) => [name, fieldsOf(schema, entry)]));
}
