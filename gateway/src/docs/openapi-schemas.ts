import { PLAIN_TEXT_FORMATS } from '@tollgate/contracts/platform/plain-text';
import type { TSchema } from 'typebox';

/** A JSON Schema (2020-12) as a document contains it. */
export type DocumentSchema = Record<string, unknown>;

/** The schemas that a document uses, each under `components` once. */
export interface DocumentSchemas {
  /** A closed schema: the API rejects unknown fields. */
  request(schema: object): DocumentSchema;
  /** An open schema: fields and enumeration values may be added. */
  response(schema: object): DocumentSchema;
  /** Like `request` and `response`, under a name of its own. Returns the reference. */
  namedRequest(name: string, schema: object): DocumentSchema;
  namedResponse(name: string, schema: object): DocumentSchema;
  /** All schemas that were referred to, by name. */
  components(): Record<string, DocumentSchema>;
}

type Direction = 'request' | 'response';

/** @param named schemas that become components wherever they occur, by name */
export function createDocumentSchemas(named: Record<Direction, Record<string, TSchema>>): DocumentSchemas {
  const nameOf = {
    request: new Map<object, string>(Object.entries(named.request).map(([name, schema]) => [schema, name])),
    response: new Map<object, string>(Object.entries(named.response).map(([name, schema]) => [schema, name])),
  };
  const used = new Map<string, DocumentSchema>();

  function refer(name: string, schema: object, direction: Direction): DocumentSchema {
    if (!used.has(name)) {
      used.set(name, {});
      used.set(name, convert(schema as JsonSchema, direction, visit(direction)));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  function visit(direction: Direction): Visit {
    return (schema) => {
      const name = nameOf[direction].get(schema) ?? pageName(schema, nameOf[direction]);
      return name === undefined
        ? convert(schema, direction, visit(direction))
        : refer(name, schema, direction);
    };
  }

  return {
    request: (schema) => visit('request')(schema as JsonSchema),
    response: (schema) => visit('response')(schema as JsonSchema),
    namedRequest: (name, schema) => refer(nameOf.request.get(schema) ?? name, schema, 'request'),
    namedResponse: (name, schema) =>
      refer(
        nameOf.response.get(schema) ?? pageName(schema as JsonSchema, nameOf.response) ?? name,
        schema,
        'response',
      ),
    components: () => Object.fromEntries([...used].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

interface JsonSchema {
  [keyword: string]: unknown;
  type?: string;
  description?: string;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
}

type Visit = (schema: JsonSchema) => DocumentSchema;

/** The page of a named row is named after it, like `ApplicationPage`. */
function pageName(schema: JsonSchema, names: ReadonlyMap<object, string>): string | undefined {
  const { data, next_cursor } = schema.properties ?? {};
  const row = data?.items && names.get(data.items);
  return row !== undefined && next_cursor ? `${row}Page` : undefined;
}

/** The schema in the form that tools expect. What validates against it stays the same, except that responses are open. */
function convert(schema: JsonSchema, direction: Direction, visit: Visit): DocumentSchema {
  const { enum: values, anyOf, items, properties, patternProperties, ...plain } = withoutOwnFormat(schema);
  const isOpen = direction === 'response';
  if (anyOf) return { ...plain, ...convertUnion(anyOf, schema.description, visit) };
  const converted: DocumentSchema = {
    ...plain,
    ...(isLong(schema) && { format: 'int64' }),
    ...(values && convertEnum(values, schema.description, isOpen)),
    ...(items && { items: visit(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, visit(property)]),
      ),
    }),
  };
  if (isOpen && converted['additionalProperties'] === false) delete converted['additionalProperties'];
  return patternProperties
    ? { ...converted, additionalProperties: visit(valueOfMap(patternProperties)) }
    : converted;
}

/** Tools do not know the formats of Tollgate. */
function withoutOwnFormat({ format, ...schema }: JsonSchema): JsonSchema {
  const isOwn = Object.values<unknown>(PLAIN_TEXT_FORMATS).includes(format);
  return format === undefined || isOwn ? schema : { ...schema, format };
}

/** Generators of typed languages use 32 bits for an integer without a format. */
function isLong({ type, maximum }: JsonSchema): boolean {
  return type === 'integer' && !(typeof maximum === 'number' && maximum < 2 ** 31);
}

/**
 * TypeBox omits the type of an enumeration. One in a response may grow: `enum` would make generated clients reject a new
 * value, so its values are in `x-extensible-enum`.
 */
function convertEnum(
  values: readonly unknown[],
  description: string | undefined,
  isOpen: boolean,
): DocumentSchema {
  if (!isOpen) return { type: typeof values[0] === 'number' ? 'integer' : 'string', enum: values };
  const listed = values.map((value) => `\`${value}\``).join(', ');
  const sentences = [description, `One of ${listed}`, 'New values may be added.'];
  return {
    type: 'string',
    'x-extensible-enum': values,
    description: sentences.filter((sentence) => sentence !== undefined).join('. '),
  };
}

/** A nullable text or number has two types. Tools read that more reliably than a union with `null`. */
function convertUnion(
  branches: readonly JsonSchema[],
  description: string | undefined,
  visit: Visit,
): DocumentSchema {
  const [first, second, ...more] = branches.map(visit) as [DocumentSchema, DocumentSchema];
  const isNullable = more.length === 0 && second['type'] === 'null';
  if (!isNullable || !SCALARS.has(first['type'])) return { anyOf: [first, second, ...more] };
  const described = [description, first['description']].filter((text) => text !== undefined);
  return {
    ...first,
    type: [first['type'], 'null'],
    ...(Array.isArray(first['enum']) && { enum: [...first['enum'], null] }),
    ...(described.length > 0 && { description: [...new Set(described)].join('. ') }),
  };
}

const SCALARS = new Set<unknown>(['string', 'integer', 'number', 'boolean']);

/** Few tools know `patternProperties`. A map has one pattern, which matches every key: `propertyNames` has its rules. */
function valueOfMap(patterns: Record<string, JsonSchema>): JsonSchema {
  const [value, ...others] = Object.values(patterns) as [JsonSchema, ...JsonSchema[]];
  if (others.length > 0) throw new Error('OpenAPI cannot describe a record with several patterns.');
  return value;
}
