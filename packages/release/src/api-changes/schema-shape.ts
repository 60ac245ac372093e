import { type JsonSchema, type OpenapiDocument, resolveReference } from './openapi-document.ts';

/** What a JSON Schema says about a value, however it is written. Variants of a union are merged. */
export interface Shape {
  /** Name of the schema in `components`, if it has one. */
  name: string | null;
  types: ReadonlySet<string>;
  /** The values of an enumeration as JSON; null if the schema lists none. */
  values: ReadonlySet<string> | null;
  fields: ReadonlyMap<string, Field>;
  items: JsonSchema | null;
  /** Schema of the values of a map. */
  entries: JsonSchema | null;
  /** Whether fields that are not listed are rejected. */
  closed: boolean;
  limits: ReadonlyMap<string, unknown>;
}

export interface Field {
  schema: JsonSchema;
  required: boolean;
  /** Name of the schema that declares the field, if it has one. */
  owner: string | null;
}

const LIMITS = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'pattern',
  'format',
  'default',
];

export function shapeOf(schema: JsonSchema, document: OpenapiDocument): Shape {
  if (typeof schema['$ref'] === 'string') return referenced(schema['$ref'], document);
  const { allOf, anyOf, oneOf } = schema as Record<string, JsonSchema[] | undefined>;
  const variants = anyOf ?? oneOf;
  const parts = [
    ...(allOf ?? []).map((part) => shapeOf(part, document)),
    ...(variants ? [union(variants.map((variant) => shapeOf(variant, document)))] : []),
  ];
  return parts.reduce(intersect, ownShape(schema));
}

function referenced(reference: string, document: OpenapiDocument): Shape {
  const name = reference.replace('#/components/schemas/', '');
  const shape = shapeOf(resolveReference<JsonSchema>({ $ref: reference }, document), document);
  const fields = [...shape.fields].map(
    ([key, field]) => [key, { ...field, owner: field.owner ?? name }] as const,
  );
  return { ...shape, name, fields: new Map(fields) };
}

function ownShape(schema: JsonSchema): Shape {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const required = (schema['required'] ?? []) as string[];
  const maps = Object.values((schema['patternProperties'] ?? {}) as Record<string, JsonSchema>);
  const additional = schema['additionalProperties'];
  return {
    name: null,
    types: typesOf(schema),
    values: valuesOf(schema),
    fields: new Map(
      properties.map(([key, field]) => [
        key,
        { schema: field, required: required.includes(key), owner: null },
      ]),
    ),
    items: (schema['items'] as JsonSchema | undefined) ?? null,
    entries: maps[0] ?? (typeof additional === 'object' ? (additional as JsonSchema) : null),
    closed: additional === false && maps.length === 0,
    limits: new Map(LIMITS.filter((key) => key in schema).map((key) => [key, schema[key]])),
  };
}

/** Null is not one of the values, but a type: it may be written as either. */
function valuesOf(schema: JsonSchema): Set<string> | null {
  const values = listedValues(schema)?.filter((value) => value !== null);
  return values && values.length > 0 ? new Set(values.map((value) => JSON.stringify(value))) : null;
}

/** `x-extensible-enum` lists the values of an enumeration that may grow. */
function listedValues(schema: JsonSchema): unknown[] | undefined {
  if ('const' in schema) return [schema['const']];
  return (schema['enum'] ?? schema['x-extensible-enum']) as unknown[] | undefined;
}

const ANY_TYPE = ['null', 'boolean', 'object', 'array', 'number', 'string'];

function typesOf(schema: JsonSchema): Set<string> {
  const type = schema['type'] as string | string[] | undefined;
  if (type !== undefined) return new Set([type].flat());
  return new Set(listedValues(schema)?.map(typeOfValue) ?? ANY_TYPE);
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Whether a value of this type has one of the types. */
export function isAmong(type: string, types: ReadonlySet<string>): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'));
}

function intersect(a: Shape, b: Shape): Shape {
  const fields = new Map(a.fields);
  for (const [key, field] of b.fields) {
    const other = fields.get(key);
    fields.set(
      key,
      other
        ? {
            ...field,
            schema: { allOf: [other.schema, field.schema] },
            required: other.required || field.required,
          }
        : field,
    );
  }
  const types = [...a.types, ...b.types].filter((type) => isAmong(type, a.types) && isAmong(type, b.types));
  const values = a.values && b.values ? a.values.intersection(b.values) : (a.values ?? b.values);
  return {
    name: a.name ?? b.name,
    types: new Set(types),
    values,
    fields,
    items: a.items ?? b.items,
    entries: a.entries ?? b.entries,
    closed: a.closed || b.closed,
    limits: new Map([...a.limits, ...b.limits]),
  };
}

function union(shapes: Shape[]): Shape {
  const variants = shapes.filter(({ types }) => !(types.size === 1 && types.has('null')));
  const [first, ...others] = variants;
  const merged = others.reduce(uniteTwo, first ?? ownShape({ type: 'null' }));
  // A null variant adds its type, and nothing else.
  return { ...merged, types: new Set(shapes.flatMap(({ types }) => [...types])) };
}

function uniteTwo(a: Shape, b: Shape): Shape {
  const fields = new Map<string, Field>();
  for (const key of new Set([...a.fields.keys(), ...b.fields.keys()])) {
    const [inA, inB] = [a.fields.get(key), b.fields.get(key)];
    const either = (inA ?? inB) as Field;
    const both = inA && inB;
    fields.set(key, {
      schema: both ? { anyOf: [inA.schema, inB.schema] } : either.schema,
      required: both ? inA.required && inB.required : false,
      owner: both && inA.owner !== inB.owner ? null : either.owner,
    });
  }
  return {
    name: null,
    types: a.types.union(b.types),
    values: a.values && b.values ? a.values.union(b.values) : null,
    fields,
    items: a.items && b.items ? { anyOf: [a.items, b.items] } : (a.items ?? b.items),
    entries: a.entries && b.entries ? { anyOf: [a.entries, b.entries] } : (a.entries ?? b.entries),
    closed: a.closed && b.closed,
    limits: new Map([...a.limits].filter(([key, value]) => sameJson(b.limits.get(key), value))),
  };
}

export function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
