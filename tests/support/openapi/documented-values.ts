import fc, { type Arbitrary } from 'fast-check';

/** The part of JSON Schema that occurs in requests of the documents. */
export interface DocumentSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: DocumentSchema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: DocumentSchema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, DocumentSchema>;
  required?: string[];
  propertyNames?: DocumentSchema;
  additionalProperties?: boolean | DocumentSchema;
  maxProperties?: number;
}

export type Resolve = (schema: DocumentSchema) => DocumentSchema;

/** Values that a schema allows, with those at its limits. `texts` are for fields with rules that only words describe. */
export interface ValueOptions {
  resolve: Resolve;
  texts: Record<string, Arbitrary<string>>;
}

const MAX_ITEMS = 3;
const LETTERS = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');

/** @param name of the field that holds the value */
export function allowedValues(
  schema: DocumentSchema,
  name: string,
  options: ValueOptions,
): Arbitrary<unknown> {
  const resolved = options.resolve(schema);
  const { type, anyOf, enum: values } = resolved;
  if (anyOf) return fc.oneof(...anyOf.map((branch) => allowedValues(branch, name, options)));
  if (values) return fc.constantFrom(...values);
  if (Array.isArray(type))
    return fc.oneof(...type.map((one) => allowedValues({ ...resolved, type: one }, name, options)));
  switch (type) {
    case 'object':
      return objects(resolved, options);
    case 'array':
      return arrays(resolved, name, options);
    case 'string':
      return options.texts[name] ?? strings(resolved);
    case 'integer': {
      const { minimum = 0, maximum = 1_000_000 } = resolved;
      return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum }));
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      throw new Error(
        `The schema of ${name} has no type that the generator knows: ${JSON.stringify(resolved)}`,
      );
  }
}

function objects(schema: DocumentSchema, options: ValueOptions): Arbitrary<object> {
  const {
    properties,
    additionalProperties,
    propertyNames,
    required = [],
    maxProperties = MAX_ITEMS,
  } = schema;
  if (typeof additionalProperties === 'object') {
    const value = allowedValues(additionalProperties, '', options);
    return fc.dictionary(strings(propertyNames ?? {}), value, {
      maxKeys: Math.min(maxProperties, MAX_ITEMS),
    });
  }
  const fields = Object.entries(properties ?? {}).map(
    ([name, property]) => [name, allowedValues(property, name, options)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: required as never[], noNullPrototype: true });
}

function arrays(schema: DocumentSchema, name: string, options: ValueOptions): Arbitrary<unknown[]> {
  const { items = {}, minItems = 0, maxItems = MAX_ITEMS, uniqueItems = false } = schema;
  const limits = { minLength: minItems, maxLength: Math.min(maxItems, Math.max(minItems, MAX_ITEMS)) };
  const item = allowedValues(items, name, options);
  return uniqueItems ? fc.uniqueArray(item, limits) : fc.array(item, limits);
}

function strings({ pattern, format, minLength = 0, maxLength = 40 }: DocumentSchema): Arbitrary<string> {
  if (format === 'date-time')
    return fc
      .date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  if (format === 'date') return fc.constant('2026-03-31');
  if (pattern !== undefined)
    return fc
      .stringMatching(new RegExp(pattern))
      .filter((text) => text.length >= minLength && text.length <= maxLength);
  return fc.oneof(
    fc.string({ unit: LETTERS, minLength, maxLength: Math.min(maxLength, minLength + 10) }),
    fc.string({ unit: LETTERS, minLength: maxLength, maxLength }),
  );
}

/** Values of all types, and those beyond the limits of the schema. Most of them violate it. */
export function otherValues(schema: DocumentSchema, resolve: Resolve): unknown[] {
  const limits = [schema, ...(schema.anyOf ?? [])]
    .map(resolve)
    .flatMap((one) => [
      ...(one.minimum === undefined ? [] : [one.minimum - 1]),
      ...(one.maximum === undefined ? [] : [one.maximum + 1]),
      ...(one.maxLength === undefined ? [] : ['a'.repeat(one.maxLength + 1)]),
      ...(one.maxItems === undefined
        ? []
        : [Array.from({ length: one.maxItems + 1 }, (_, index) => `${index}`)]),
    ]);
  return [null, true, -1, 1.5, '', 'x', 'null', [], [null], {}, { unknown: 1 }, ...limits];
}
