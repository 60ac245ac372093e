import { type BsonValue, type Document, documentOf, integer, isDocument } from '../../bson/document.ts';
import { compileJsonSchema } from '../filter/json-schema.ts';
import { compileRegex } from '../filter/regex.ts';
import { failedRule } from './failed-rule.ts';

/** Keywords that mean nothing without their neighbours, which go along when they are checked alone. */
const NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  minimum: ['exclusiveMinimum'],
  maximum: ['exclusiveMaximum'],
  items: ['additionalItems'],
};
const NOT_CHECKED_ALONE = new Set([
  'exclusiveMinimum',
  'exclusiveMaximum',
  'additionalItems',
  'title',
  'description',
]);

const REASONS: Readonly<Record<string, string>> = {
  bsonType: 'type did not match',
  type: 'type did not match',
  enum: 'value was not found in enum',
  minimum: 'comparison failed',
  maximum: 'comparison failed',
  multipleOf: 'considered value is not a multiple of the specified value',
  minLength: 'specified string length was not satisfied',
  maxLength: 'specified string length was not satisfied',
  pattern: 'regular expression did not match',
  minItems: 'array did not match specified length',
  maxItems: 'array did not match specified length',
  minProperties: 'specified number of properties was not satisfied',
  maxProperties: 'specified number of properties was not satisfied',
  not: 'child expression matched',
};

/** The rules of a `$jsonSchema` that a value breaks: mongod's `schemaRulesNotSatisfied`. */
export function brokenSchemaRules(schema: Document, value: BsonValue): Document[] {
  const broken: Document[] = [];
  for (const [keyword, operand] of schema) {
    if (NOT_CHECKED_ALONE.has(keyword)) continue;
    const alone = alongWithNeighbours(schema, keyword);
    if (compileJsonSchema(alone)(value)) continue;
    broken.push(describeRule(keyword, operand, alone, value));
  }
  return broken;
}

function alongWithNeighbours(schema: Document, keyword: string): Document {
  if (keyword === 'additionalProperties' || keyword === 'patternProperties')
    return nameRules(schema, keyword);
  const alone: Document = new Map();
  for (const name of [keyword, ...(NEIGHBOURS[keyword] ?? [])]) {
    const operand = schema.get(name);
    if (operand !== undefined) alone.set(name, operand);
  }
  return alone;
}

/** `additionalProperties` is about the names that its two neighbours do not have, whatever those say of them. */
function nameRules(schema: Document, keyword: string): Document {
  if (keyword === 'patternProperties')
    return documentOf({ patternProperties: schema.get(keyword) ?? new Map() });
  const rules = documentOf({ additionalProperties: schema.get(keyword) ?? true });
  for (const name of ['properties', 'patternProperties']) {
    const operand = schema.get(name);
    if (isDocument(operand)) rules.set(name, new Map([...operand.keys()].map((field) => [field, new Map()])));
  }
  return rules;
}

function describeRule(keyword: string, operand: BsonValue, alone: Document, value: BsonValue): Document {
  if (value instanceof Map && operand instanceof Map && keyword === 'properties')
    return describeProperties(operand, value);
  if (value instanceof Map && Array.isArray(operand) && keyword === 'required') {
    return documentOf({
      operatorName: keyword,
      specifiedAs: alone,
      missingProperties: operand.filter((name) => typeof name === 'string' && !value.has(name)),
    });
  }
  if (value instanceof Map && keyword === 'additionalProperties' && operand === false) {
    return documentOf({
      operatorName: keyword,
      specifiedAs: documentOf({ [keyword]: operand }),
      [keyword]: additionalNames(alone, value),
    });
  }
  if (Array.isArray(value) && operand instanceof Map && keyword === 'items')
    return describeItems(operand, value);
  if (Array.isArray(operand) && COMBINATIONS.has(keyword))
    return describeCombination(keyword, operand, value);
  return failedRule(keyword, alone, REASONS[keyword] ?? 'the value does not conform', value);
}

function describeProperties(schemas: Document, document: Document): Document {
  const propertiesNotSatisfied: Document[] = [];
  for (const [propertyName, schema] of schemas) {
    const value = document.get(propertyName);
    if (value === undefined || !isDocument(schema)) continue;
    const details = brokenSchemaRules(schema, value);
    if (details.length > 0)
      propertiesNotSatisfied.push(documentOf({ propertyName, ...annotationsOf(schema), details }));
  }
  return documentOf({ operatorName: 'properties', propertiesNotSatisfied });
}

function describeItems(schema: Document, items: BsonValue[]): Document {
  const itemIndex = items.findIndex((item) => !compileJsonSchema(schema)(item));
  return documentOf({
    operatorName: 'items',
    reason: 'At least one item did not match the sub-schema',
    itemIndex: integer(itemIndex),
    details: brokenSchemaRules(schema, items[itemIndex] ?? null),
  });
}

const COMBINATIONS = new Set(['allOf', 'anyOf', 'oneOf']);

function describeCombination(operatorName: string, schemas: BsonValue[], value: BsonValue): Document {
  const results = schemas.map((schema, index) => ({
    index,
    details: isDocument(schema) ? brokenSchemaRules(schema, value) : [],
  }));
  const matching = results.filter(({ details }) => details.length === 0);
  if (operatorName === 'oneOf' && matching.length > 1) {
    return documentOf({
      operatorName,
      reason: 'more than one subschema matched',
      matchingSchemaIndexes: matching.map(({ index }) => integer(index)),
    });
  }
  return documentOf({
    operatorName,
    schemasNotSatisfied: results
      .filter(({ details }) => details.length > 0)
      .map(({ index, details }) => documentOf({ index: integer(index), details })),
  });
}

function additionalNames(rules: Document, document: Document): string[] {
  const named = rules.get('properties');
  const patterns = rules.get('patternProperties');
  const regexes = isDocument(patterns)
    ? [...patterns.keys()].map((pattern) => compileRegex(pattern, ''))
    : [];
  return [...document.keys()].filter(
    (name) => !(isDocument(named) && named.has(name)) && !regexes.some((regex) => regex.test(name)),
  );
}

/** `title` and `description` of a schema go into what is said about it. */
export function annotationsOf(schema: Document): Record<string, BsonValue> {
  const annotations: Record<string, BsonValue> = {};
  for (const name of ['title', 'description']) {
    const text = schema.get(name);
    if (text !== undefined) annotations[name] = text;
  }
  return annotations;
}
