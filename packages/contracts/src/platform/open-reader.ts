import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { elementSchema, type JsonSchema, withoutNull } from './json-schema.ts';

/** Reads values that another release may have written. */
export interface OpenReader<Value> {
  /**
   * Returns the value with the defaults of absent fields, or null when it does not match the schema. Unknown fields
   * stay. An enumeration may hold a value that this release does not know: handle it as "other".
   */
  read(value: unknown): Value | null;
  /** Describes the first mismatch of a value that `read` rejects. */
  describeMismatch(value: unknown): string;
}

const readers = new WeakMap<TSchema, OpenReader<unknown>>();

/**
 * The reader of a response, event, RPC reply, stream message, or KV entry. Every reader is open, so that adjacent
 * releases can run side by side: it accepts unknown fields and unknown values of enumerations, and fills in a field
 * that has a `default` when an older release did not write it. Created once per schema, and compiled at the first use.
 */
export function openReader<Schema extends TSchema>(schema: Schema): OpenReader<Static<Schema>> {
  let reader = readers.get(schema);
  if (reader === undefined) {
    reader = createReader(schema);
    readers.set(schema, reader);
  }
  return reader as OpenReader<Static<Schema>>;
}

function createReader(schema: JsonSchema): OpenReader<unknown> {
  let validator: Validator | undefined;
  const compiled = () => (validator ??= Compile(opened(schema) as TSchema) as Validator);
  const fill = fillerOf(schema);
  return {
    read(value) {
      if (!compiled().Check(value)) return null;
      return fill ? fill(value) : value;
    },
    describeMismatch(value) {
      const [error] = compiled().Errors(value);
      return error ? `${error.instancePath || 'the value'} ${error.message}` : 'the value is not valid';
    },
  };
}

/** Returns the schema without the rules that only apply to the writer. */
function opened(schema: JsonSchema): JsonSchema {
  const {
    additionalProperties,
    enum: values,
    default: _,
    if: _if,
    then: _then,
    else: _else,
    ...open
  } = schema;
  if (values !== undefined) open.type ??= typeof values[0];
  if (open.anyOf) open.anyOf = open.anyOf.map(opened);
  if (open.items)
    open.items = Array.isArray(open.items) ? open.items.map(opened) : opened(open.items as JsonSchema);
  if (open.patternProperties) open.patternProperties = mapValues(open.patternProperties, opened);
  if (open.properties) {
    const { properties } = open;
    open.properties = mapValues(properties, opened);
    open.required = (open.required ?? []).filter((name) => properties[name]?.default === undefined);
  }
  return open;
}

/** Returns a valid value with the default of every absent field that has one: the value itself if none is absent. */
type Fill = (value: unknown) => unknown;

/** Null for a schema without defaults. */
function fillerOf(schema: JsonSchema): Fill | null {
  const inner = withoutNull(schema);
  const element = elementSchema(inner);
  const fillElement = element ? fillerOf(element) : null;
  const fields = Object.entries(inner.properties ?? {})
    .map(([name, property]) => ({ name, fill: fillerOf(property), default: property.default }))
    .filter((field) => field.fill !== null || field.default !== undefined);
  if (fillElement === null && fields.length === 0) return null;
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return fillElement ? value.map(fillElement) : value;
    let filled = value as Record<string, unknown>;
    for (const { name, fill, default: ofAbsent } of fields) {
      const current = filled[name];
      const field = current === undefined ? structuredClone(ofAbsent) : fill ? fill(current) : current;
      if (field === current) continue;
      if (filled === value) filled = { ...filled };
      filled[name] = field;
    }
    return filled;
  };
}

function mapValues(schemas: Record<string, JsonSchema>, map: (schema: JsonSchema) => JsonSchema) {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, map(schema)]));
}
