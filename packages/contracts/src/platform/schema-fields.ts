import { elementSchema, type JsonSchema, withoutNull } from './json-schema.ts';

/** A field of an object, for display. */
export interface FieldRow {
  name: string;
  type: string;
  required: boolean;
  description: string;
}

/** The parts of JSON Schema that are shown. */
interface ShownSchema extends JsonSchema {
  const?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxProperties?: number;
}

/**
 * Returns one row per field of an object in a JSON Schema. Fields of nested objects are named `outer.inner`, those of
 * objects in an array `outer[].inner`.
 */
export function fieldRows(schema: object, prefix = ''): FieldRow[] {
  const object: JsonSchema = schema;
  return Object.entries(object.properties ?? {}).flatMap(([name, property]) => {
    const shown: ShownSchema = property;
    const inner: ShownSchema = withoutNull(property);
    const row: FieldRow = {
      name: prefix + name,
      type: typeOf(inner) + (inner === shown ? '' : ' or null'),
      required: object.required?.includes(name) ?? false,
      description: [shown.description ?? inner.description, boundsOf(inner)].filter(Boolean).join('. '),
    };
    const element = elementSchema(inner);
    return [
      row,
      ...(inner.properties ? fieldRows(inner, `${prefix}${name}.`) : []),
      ...(element?.properties ? fieldRows(element, `${prefix}${name}[].`) : []),
    ];
  });
}

function typeOf(schema: ShownSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(', ');
  if (schema.patternProperties) return 'object of strings';
  const element = elementSchema(schema);
  if (element) return `array of ${typeOf(element)}`;
  // A document writes a nullable type as a list.
  return [schema.type ?? 'any'].flat().join(' or ');
}

function boundsOf(schema: ShownSchema): string {
  const bounds: string[] = [];
  if (schema.minimum !== undefined && schema.maximum !== undefined)
    bounds.push(`${schema.minimum} to ${schema.maximum}`);
  else if (schema.minimum !== undefined) bounds.push(`At least ${schema.minimum}`);
  if (schema.maxLength !== undefined)
    bounds.push(`${schema.minLength ?? 0} to ${schema.maxLength} characters`);
  if (schema.maxProperties !== undefined) bounds.push(`At most ${schema.maxProperties} pairs`);
  for (const value of Object.values(schema.patternProperties ?? {})) {
    if (boundsOf(value) !== '') bounds.push(`Each value: ${boundsOf(value)}`);
  }
  return bounds.join('. ');
}
