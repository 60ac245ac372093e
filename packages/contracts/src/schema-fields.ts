/** A field of an object, for display. */
export interface FieldRow {
  name: string;
  type: string;
  required: boolean;
  description: string;
}

/** The part of JSON Schema that the contracts use. */
interface JsonSchema {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  required?: readonly string[];
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxProperties?: number;
}

/** Returns one row per field of an object in a JSON Schema. Fields of nested objects are named `outer.inner`. */
export function fieldRows(schema: object, prefix = ''): FieldRow[] {
  const object: JsonSchema = schema;
  return Object.entries(object.properties ?? {}).flatMap(([name, property]) => {
    const { inner, nullable } = unwrap(property);
    const row: FieldRow = {
      name: prefix + name,
      type: typeOf(inner) + (nullable ? ' or null' : ''),
      required: object.required?.includes(name) ?? false,
      description: [property.description ?? inner.description, boundsOf(inner)].filter(Boolean).join('. '),
    };
    return [row, ...(inner.properties ? fieldRows(inner, `${prefix}${name}.`) : [])];
  });
}

function unwrap(schema: JsonSchema): { inner: JsonSchema; nullable: boolean } {
  const inner = schema.anyOf?.find((branch) => branch.type !== 'null');
  return inner ? { inner, nullable: true } : { inner: schema, nullable: false };
}

function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(', ');
  if (schema.patternProperties) return 'object of strings';
  return schema.type ?? 'any';
}

function boundsOf(schema: JsonSchema): string {
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
