import { type BsonValue, type Document, isDocument } from '../../../bson/document.ts';
import { mongoError } from '../../../bson/mongo-error.ts';
import { compileRegex } from '../regex.ts';
import {
  anything,
  type Check,
  documentOperand,
  type Keyword,
  type Keywords,
  negated,
  sizeCheck,
} from './keyword.ts';

const sizeOf = (value: BsonValue) => (isDocument(value) ? value.size : undefined);

export const DOCUMENT_KEYWORDS: Keywords = {
  required: compileRequired,
  properties: compileProperties,
  // These two are one check, made of whichever is there; see compileNameRules.
  patternProperties: compileNameRules,
  additionalProperties: (keyword) =>
    keyword.schema.has('patternProperties') ? anything : compileNameRules(keyword),
  minProperties: (keyword) => sizeCheck(keyword, sizeOf, (size, least) => size >= least),
  maxProperties: (keyword) => sizeCheck(keyword, sizeOf, (size, most) => size <= most),
  dependencies: compileDependencies,
};

/** A keyword says something about one type of value only; all others conform. */
function onDocuments(check: (document: Document) => boolean): Check {
  return (value) => !isDocument(value) || check(value);
}

function compileRequired({ operand, keyword }: Keyword): Check {
  const names = namesOf(operand, keyword);
  return requires(names);
}

function requires(names: readonly string[]): Check {
  return onDocuments((document) => names.every((name) => document.has(name)));
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

function compileProperties({ operand, keyword, compile }: Keyword): Check {
  const rules = [...documentOperand(operand, keyword)].map(([name, schema]) => ({
    name,
    check: compile(schema),
  }));
  return onDocuments((document) =>
    rules.every(({ name, check }) => {
      const value = document.get(name);
      return value === undefined || check(value);
    }),
  );
}

/** `patternProperties`, and `additionalProperties` for the names that neither it nor `properties` speaks of. */
function compileNameRules({ schema, compile }: Keyword): Check {
  const named = schema.get('properties') ?? new Map<string, BsonValue>();
  const patterns = [
    ...documentOperand(schema.get('patternProperties') ?? new Map(), 'patternProperties'),
  ].map(([pattern, inner]) => ({ regex: compileRegex(pattern, ''), check: compile(inner) }));
  const additional = compileAdditional(schema.get('additionalProperties'), 'additionalProperties', compile);
  return onDocuments((document) =>
    [...document].every(([name, value]) => {
      const matching = patterns.filter(({ regex }) => regex.test(name));
      if (!matching.every(({ check }) => check(value))) return false;
      return matching.length > 0 || (isDocument(named) && named.has(name)) || additional(value);
    }),
  );
}

export function compileAdditional(
  operand: BsonValue | undefined,
  keyword: string,
  compile: Keyword['compile'],
): Check {
  if (operand === undefined || operand === true) return anything;
  if (operand === false) return negated(anything);
  if (isDocument(operand)) return compile(operand);
  throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be either an object or a boolean`);
}

function compileDependencies({ operand, keyword, compile }: Keyword): Check {
  const rules = [...documentOperand(operand, keyword)].map(([name, dependency]) => ({
    name,
    check: Array.isArray(dependency) ? requires(namesOf(dependency, keyword)) : compile(dependency),
  }));
  return onDocuments((document) => rules.every(({ name, check }) => !document.has(name) || check(document)));
}
