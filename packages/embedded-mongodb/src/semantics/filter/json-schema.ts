import {
  BSON_TYPE,
  type BsonTypeName,
  type BsonValue,
  type Document,
  isDocument,
  isNumeric,
  typeNumber,
} from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { compareValues } from '../compare.ts';
import { compareNumbers, isMultipleOf, toNearestDouble } from '../numbers.ts';
import { truthOf } from '../truth.ts';
import { compileRegex } from './regex.ts';

/*
 * $jsonSchema is draft 4 of JSON Schema with MongoDB's changes: `bsonType` beside `type`, values compared as
 * BSON, an annotation or a reference refused rather than ignored.
 * https://www.mongodb.com/docs/v7.0/reference/operator/query/jsonSchema/
 */

/** Whether a value conforms. */
type Check = (value: BsonValue) => boolean;
type CompileKeyword = (operand: BsonValue, schema: Document, keyword: string) => Check;

const JSON_TYPES: Readonly<Record<string, readonly BsonTypeName[]>> = {
  object: ['object'],
  array: ['array'],
  string: ['string'],
  boolean: ['bool'],
  null: ['null'],
  number: ['int', 'long', 'double', 'decimal'],
};
const NUMBER_TYPES = JSON_TYPES['number'] as readonly BsonTypeName[];

const KEYWORDS: Readonly<Record<string, CompileKeyword>> = {
  bsonType: (operand) => typeCheck(operand, bsonTypesNamed),
  type: (operand) => typeCheck(operand, jsonTypesNamed),
  enum: compileEnum,
  required: compileRequired,
  properties: compileProperties,
  patternProperties: () => anything, // additionalProperties and this are one check; see compileNameRules
  additionalProperties: () => anything,
  minProperties: (operand, _schema, keyword) =>
    sizeCheck(operand, keyword, documentSize, (size, least) => size >= least),
  maxProperties: (operand, _schema, keyword) =>
    sizeCheck(operand, keyword, documentSize, (size, most) => size <= most),
  dependencies: compileDependencies,
  items: compileItems,
  additionalItems: () => anything, // together with items
  minItems: (operand, _schema, keyword) =>
    sizeCheck(operand, keyword, arraySize, (size, least) => size >= least),
  maxItems: (operand, _schema, keyword) =>
    sizeCheck(operand, keyword, arraySize, (size, most) => size <= most),
  uniqueItems: compileUniqueItems,
  minimum: compileMinimum,
  maximum: compileMaximum,
  exclusiveMinimum: (operand, schema, keyword) => companion(operand, schema, keyword, 'minimum'),
  exclusiveMaximum: (operand, schema, keyword) => companion(operand, schema, keyword, 'maximum'),
  multipleOf: compileMultipleOf,
  minLength: (operand, _schema, keyword) =>
    sizeCheck(operand, keyword, textSize, (size, least) => size >= least),
  maxLength: (operand, _schema, keyword) =>
    sizeCheck(operand, keyword, textSize, (size, most) => size <= most),
  pattern: compilePattern,
  allOf: (operand, _schema, keyword) =>
    combination(operand, keyword, (checks) => (value) => checks.every((check) => check(value))),
  anyOf: (operand, _schema, keyword) =>
    combination(operand, keyword, (checks) => (value) => checks.some((check) => check(value))),
  oneOf: (operand, _schema, keyword) =>
    combination(operand, keyword, (checks) => (value) => checks.filter((check) => check(value)).length === 1),
  not: (operand) => negated(compileJsonSchema(operand)),
  title: annotation,
  description: annotation,
};

const UNSUPPORTED = new Set(['$ref', '$schema', 'default', 'definitions', 'format', 'id']);

/** Compiles a schema to the check of a document. Throws MongoDB's errors on keywords that it does not take. */
export function compileJsonSchema(schema: BsonValue): Check {
  if (!isDocument(schema)) throw mongoError('TypeMismatch', '$jsonSchema must be an object');
  if (schema.has('type') && schema.has('bsonType')) {
    throw mongoError('FailedToParse', "Cannot specify both $jsonSchema keywords 'bsonType' and 'type'");
  }
  const checks = [...schema].map(([keyword, operand]) => {
    const compile = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (compile !== undefined) return compile(operand, schema, keyword);
    if (UNSUPPORTED.has(keyword)) {
      throw mongoError('FailedToParse', `$jsonSchema keyword '${keyword}' is not currently supported`);
    }
    throw mongoError('FailedToParse', `Unknown $jsonSchema keyword: ${keyword}`);
  });
  if (schema.has('additionalProperties') || schema.has('patternProperties'))
    checks.push(compileNameRules(schema));
  return (value) => checks.every((check) => check(value));
}

const anything: Check = () => true;

function negated(check: Check): Check {
  return (value) => !check(value);
}

/** A keyword says something about one type of value only; all others conform. */
function onDocuments(check: (document: Document) => boolean): Check {
  return (value) => !isDocument(value) || check(value);
}

function annotation(operand: BsonValue, _schema: Document, keyword: string): Check {
  if (typeof operand !== 'string')
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be of type string`);
  return anything;
}

function typeCheck(operand: BsonValue, typesNamed: (name: string) => readonly BsonTypeName[]): Check {
  const names = Array.isArray(operand) ? operand : [operand];
  const types = new Set<number>();
  for (const name of names) {
    if (typeof name !== 'string') throw mongoError('TypeMismatch', '$jsonSchema types must be strings');
    for (const type of typesNamed(name)) types.add(BSON_TYPE[type]);
  }
  if (types.size === 0) throw mongoError('FailedToParse', '$jsonSchema types must not be empty');
  return (value) => types.has(typeNumber(value));
}

function bsonTypesNamed(name: string): readonly BsonTypeName[] {
  if (name === 'number') return NUMBER_TYPES;
  if (Object.hasOwn(BSON_TYPE, name)) return [name as BsonTypeName];
  throw mongoError('BadValue', `Unknown type name alias: ${name}`);
}

function jsonTypesNamed(name: string): readonly BsonTypeName[] {
  if (name === 'integer')
    throw mongoError('BadValue', "$jsonSchema type 'integer' is not currently supported.");
  const types = Object.hasOwn(JSON_TYPES, name) ? JSON_TYPES[name] : undefined;
  if (types === undefined) throw mongoError('BadValue', `Unknown type name alias: ${name}`);
  return types;
}

function compileEnum(operand: BsonValue): Check {
  if (!Array.isArray(operand))
    throw mongoError('TypeMismatch', "$jsonSchema keyword 'enum' must be an array");
  if (operand.length === 0)
    throw mongoError('FailedToParse', "$jsonSchema keyword 'enum' cannot be an empty array");
  return (value) => operand.some((allowed) => compareValues(allowed, value) === 0);
}

function namesOf(operand: BsonValue, keyword: string): string[] {
  if (!Array.isArray(operand))
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be an array`);
  if (operand.length === 0)
    throw mongoError('FailedToParse', `$jsonSchema keyword '${keyword}' cannot be an empty array`);
  return operand.map((name) => {
    if (typeof name === 'string') return name;
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be an array of strings`);
  });
}

function compileRequired(operand: BsonValue, _schema: Document, keyword: string): Check {
  const names = namesOf(operand, keyword);
  return onDocuments((document) => names.every((name) => document.has(name)));
}

function documentOperand(operand: BsonValue, keyword: string): Document {
  if (!isDocument(operand))
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be an object`);
  return operand;
}

function compileProperties(operand: BsonValue, _schema: Document, keyword: string): Check {
  const rules = [...documentOperand(operand, keyword)].map(([name, schema]) => ({
    name,
    check: compileJsonSchema(schema),
  }));
  return onDocuments((document) =>
    rules.every(({ name, check }) => {
      const value = document.get(name);
      return value === undefined || check(value);
    }),
  );
}

/** `patternProperties`, and `additionalProperties` for the names that neither it nor `properties` speaks of. */
function compileNameRules(schema: Document): Check {
  const named = schema.get('properties') ?? new Map<string, BsonValue>();
  const patterns = [
    ...documentOperand(schema.get('patternProperties') ?? new Map(), 'patternProperties'),
  ].map(([pattern, inner]) => ({ regex: compileRegex(pattern, ''), check: compileJsonSchema(inner) }));
  const additional = compileAdditional(schema.get('additionalProperties'), 'additionalProperties');
  return onDocuments((document) =>
    [...document].every(([name, value]) => {
      const matching = patterns.filter(({ regex }) => regex.test(name));
      if (!matching.every(({ check }) => check(value))) return false;
      return matching.length > 0 || (isDocument(named) && named.has(name)) || additional(value);
    }),
  );
}

function compileAdditional(operand: BsonValue | undefined, keyword: string): Check {
  if (operand === undefined || operand === true) return anything;
  if (operand === false) return negated(anything);
  if (isDocument(operand)) return compileJsonSchema(operand);
  throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be either an object or a boolean`);
}

function compileDependencies(operand: BsonValue, _schema: Document, keyword: string): Check {
  const rules = [...documentOperand(operand, keyword)].map(([name, dependency]) => ({
    name,
    check: Array.isArray(dependency)
      ? compileRequired(dependency, new Map(), keyword)
      : compileJsonSchema(dependency),
  }));
  return onDocuments((document) => rules.every(({ name, check }) => !document.has(name) || check(document)));
}

function compileItems(operand: BsonValue, schema: Document, keyword: string): Check {
  if (!Array.isArray(operand)) {
    const check = compileJsonSchema(documentOperand(operand, keyword));
    return (value) => !Array.isArray(value) || value.every(check);
  }
  const checks = operand.map((item) => compileJsonSchema(item));
  const additional = compileAdditional(schema.get('additionalItems'), 'additionalItems');
  return (value) =>
    !Array.isArray(value) || value.every((element, index) => (checks[index] ?? additional)(element));
}

function compileUniqueItems(operand: BsonValue, _schema: Document, keyword: string): Check {
  if (typeof operand !== 'boolean')
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be a boolean`);
  if (!operand) return anything;
  return (value) => {
    if (!Array.isArray(value)) return true;
    const sorted = value.toSorted(compareValues);
    return sorted.every(
      (element, index) => index === 0 || compareValues(element, sorted[index - 1] as BsonValue) !== 0,
    );
  };
}

const documentSize = (value: BsonValue) => (isDocument(value) ? value.size : undefined);
const arraySize = (value: BsonValue) => (Array.isArray(value) ? value.length : undefined);
const textSize = (value: BsonValue) => (typeof value === 'string' ? [...value].length : undefined);

function sizeCheck(
  operand: BsonValue,
  keyword: string,
  sizeOf: (value: BsonValue) => number | undefined,
  holds: (size: number, bound: number) => boolean,
): Check {
  const bound = isNumeric(operand) ? toNearestDouble(operand) : Number.NaN;
  if (!Number.isSafeInteger(bound) || bound < 0) {
    throw mongoError('FailedToParse', `$jsonSchema keyword '${keyword}' must be a non-negative integer`);
  }
  return (value) => {
    const size = sizeOf(value);
    return size === undefined || holds(size, bound);
  };
}

function compileMinimum(operand: BsonValue, schema: Document, keyword: string): Check {
  const isExclusive = truthOf(schema.get('exclusiveMinimum'));
  return bound(operand, keyword, (order) => (isExclusive ? order > 0 : order >= 0));
}

function compileMaximum(operand: BsonValue, schema: Document, keyword: string): Check {
  const isExclusive = truthOf(schema.get('exclusiveMaximum'));
  return bound(operand, keyword, (order) => (isExclusive ? order < 0 : order <= 0));
}

function bound(operand: BsonValue, keyword: string, holds: (order: number) => boolean): Check {
  if (!isNumeric(operand))
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be a number`);
  return (value) => !isNumeric(value) || holds(compareNumbers(value, operand));
}

/** As in draft 4 a boolean that sharpens another keyword, without which it means nothing. */
function companion(operand: BsonValue, schema: Document, keyword: string, of: string): Check {
  if (typeof operand !== 'boolean')
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be a boolean`);
  if (!schema.has(of)) {
    throw mongoError(
      'FailedToParse',
      `$jsonSchema keyword '${of}' must be a present if ${keyword} is present`,
    );
  }
  return anything;
}

function compileMultipleOf(operand: BsonValue, _schema: Document, keyword: string): Check {
  if (!isNumeric(operand))
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be a number`);
  if (!(toNearestDouble(operand) > 0)) {
    throw mongoError('FailedToParse', `$jsonSchema keyword '${keyword}' must have a positive value`);
  }
  return (value) => !isNumeric(value) || isMultipleOf(value, operand);
}

function compilePattern(operand: BsonValue, _schema: Document, keyword: string): Check {
  if (typeof operand !== 'string')
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be a string`);
  const regex = compileRegex(operand, '');
  return (value) => typeof value !== 'string' || regex.test(value);
}

function combination(operand: BsonValue, keyword: string, combine: (checks: Check[]) => Check): Check {
  if (!Array.isArray(operand))
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be an array`);
  if (operand.length === 0)
    throw mongoError('BadValue', `$jsonSchema keyword '${keyword}' must be a non-empty array`);
  return combine(operand.map((schema) => compileJsonSchema(schema)));
}
