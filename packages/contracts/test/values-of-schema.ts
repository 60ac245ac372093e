import fc, { type Arbitrary } from 'fast-check';
import type { JsonSchema } from '../src/platform/json-schema.ts';

interface GeneratedSchema extends JsonSchema {
  const?: unknown;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  uniqueItems?: boolean;
}

const MAX_ITEMS = 3;
const MAX_EXTRA_FIELDS = 3;

/**
 * Values as a later release may write them: valid for the schema, except that every object has extra fields and every
 * enumeration may hold an unknown value.
 */
export function laterValues(schema: GeneratedSchema): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.oneof(fc.constantFrom(...schema.enum), fc.string());
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(laterValues));
  switch (schema.type) {
    case 'object':
      return laterObjects(schema);
    case 'array':
      return arrays(schema);
    case 'string':
      return strings(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000_000 });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

function laterObjects({
  properties = {},
  patternProperties,
  required = [],
}: GeneratedSchema): Arbitrary<object> {
  const fields = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, laterValues(schema)])),
    { requiredKeys: [...required] },
  );
  if (patternProperties) return maps(patternProperties);
  return fc.tuple(extraFields(), fields).map(([extra, known]) => ({ ...extra, ...known }));
}

/** The names cannot be those of known fields. */
function extraFields(): Arbitrary<object> {
  const name = fc.string({ minLength: 1, maxLength: 10 }).map((text) => `new ${text}`);
  return fc.dictionary(name, fc.jsonValue({ maxDepth: 1 }), { maxKeys: MAX_EXTRA_FIELDS });
}

function maps(patternProperties: Record<string, GeneratedSchema>): Arbitrary<object> {
  const [[pattern, schema] = ['', {}]] = Object.entries(patternProperties);
  return fc.dictionary(fc.stringMatching(new RegExp(pattern)), laterValues(schema), { maxKeys: MAX_ITEMS });
}

function arrays({ items, uniqueItems, minItems = 0 }: GeneratedSchema): Arbitrary<unknown[]> {
  if (Array.isArray(items)) return fc.tuple(...items.map(laterValues));
  const maxLength = Math.max(minItems, MAX_ITEMS);
  const item = laterValues((items as GeneratedSchema | undefined) ?? {});
  const limits = { minLength: minItems, maxLength };
  return uniqueItems ? fc.uniqueArray(item, limits) : fc.array(item, limits);
}

function strings({ pattern, format, minLength = 0, maxLength = 100 }: GeneratedSchema): Arbitrary<string> {
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') })
      .map((date) => date.toISOString());
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength, maxLength });
}
