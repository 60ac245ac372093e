import type { TSchema } from 'typebox';
import { elementSchema, type JsonSchema, withoutNull } from './json-schema.ts';

/** Returns a value without the fields that a schema does not name: the value itself if it has no other fields. */
type Keep = (value: unknown) => unknown;

const keepers = new WeakMap<JsonSchema, Keep>();

/**
 * A JSON value with only the fields that its schema names, at every depth: what a writer sends. All entries of a map
 * stay, whatever their names. Does not change the value; without other fields, it is the value itself.
 */
export function namedFields(schema: TSchema, value: unknown): unknown {
  return keeperOf(schema)(value);
}

/** Reads a schema once: services send thousands of values per second. */
function keeperOf(schema: JsonSchema): Keep {
  let keep = keepers.get(schema);
  if (keep === undefined) {
    keep = createKeeper(withoutNull(schema));
    keepers.set(schema, keep);
  }
  return keep;
}

function createKeeper(schema: JsonSchema): Keep {
  const element = elementSchema(schema);
  const keepElement = element && keeperOf(element);
  const { properties, patternProperties } = schema;
  const keepEntry = patternProperties && keeperOf(Object.values(patternProperties)[0] ?? {});
  const kept =
    properties && new Map(Object.entries(properties).map(([name, field]) => [name, keeperOf(field)]));
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return keepElement ? mapChanged(value, keepElement) : value;
    if (keepEntry) return mapEntries(value, keepEntry);
    return kept ? keepFields(value as Record<string, unknown>, kept) : value;
  };
}

function keepFields(value: Record<string, unknown>, kept: ReadonlyMap<string, Keep>): object {
  let named: Record<string, unknown> | null = null;
  for (const name of Object.keys(value)) {
    const keep = kept.get(name);
    const field = keep?.(value[name]);
    if (named === null && field !== value[name]) named = fieldsBefore(name, value);
    if (named !== null && keep !== undefined) named[name] = field;
  }
  return named ?? value;
}

function fieldsBefore(name: string, value: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(value);
  return Object.fromEntries(names.slice(0, names.indexOf(name)).map((before) => [before, value[before]]));
}

function mapChanged(values: unknown[], keep: Keep): unknown[] {
  const named = values.map(keep);
  return named.every((value, index) => value === values[index]) ? values : named;
}

function mapEntries(map: object, keep: Keep): object {
  const entries = Object.entries(map);
  const named = entries.map(([name, entry]) => [name, keep(entry)] as const);
  const isSame = named.every(([, entry], index) => entry === entries[index]?.[1]);
  // Not by assignment, which drops an entry named `__proto__`.
  return isSame ? map : Object.fromEntries(named);
}
