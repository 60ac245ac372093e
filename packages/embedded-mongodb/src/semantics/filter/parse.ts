import { BSONRegExp } from 'bson';
import { type BsonValue, type Document, isDocument } from '../../bson/document.ts';
import { mongoError, outOfScope } from '../../bson/mongo-error.ts';
import { spendSteps } from '../../computation-limit.ts';
import {
  comparison,
  isOperatorDocument,
  type ParseFieldOperator,
  type Place,
  pathNode,
  regexMatch,
  targetOf,
  VALUE_OPERATORS,
} from './field-operators.ts';
import { matches } from './match.ts';
import { allOf, type FilterNode, not } from './node.ts';

/** Every operator on a field in scope. */
export const FIELD_OPERATORS: Readonly<Record<string, ParseFieldOperator>> = {
  ...VALUE_OPERATORS,
  $not: parseNot,
  $elemMatch: parseElemMatch,
};

/** Every operator on the whole document in scope. */
const TOP_LEVEL_OPERATORS: Readonly<Record<string, (operand: BsonValue, depth: number) => FilterNode>> = {
  $and: (operand, depth) => allOf(parseBranches('$and', operand, depth)),
  $or: (operand, depth) => ({ kind: 'or', children: parseBranches('$or', operand, depth) }),
  $nor: (operand, depth) => not({ kind: 'or', children: parseBranches('$nor', operand, depth) }),
};

/** The name of every filter operator in scope. */
export const FILTER_OPERATORS: readonly string[] = [
  ...Object.keys(FIELD_OPERATORS),
  ...Object.keys(TOP_LEVEL_OPERATORS),
];

/** Top-level operators of MongoDB 7 that are out of scope: rejected as such, not as misspelled. */
export const TOP_LEVEL_OUT_OF_SCOPE: ReadonlySet<string> = new Set(
  '$expr $comment $where $text $jsonSchema $alwaysTrue $alwaysFalse $sampleRate'.split(' '),
);

/** Operators on a field that are out of scope. */
export const FIELD_OUT_OF_SCOPE: ReadonlySet<string> = new Set(
  `$all $type $bitsAllSet $bitsAllClear $bitsAnySet $bitsAnyClear $near $nearSphere $geoNear $geoWithin $geoIntersects
  $within`.split(/\s+/),
);

/** The fields of a database reference: names of fields, not of operators. */
const DB_REF_FIELDS = new Set(['$ref', '$id', '$db']);

/** What parsing a condition takes. */
const STEPS_PER_CONDITION = 20;
/** MongoDB's bound on how deep a filter may nest. */
const MAX_FILTER_DEPTH = 100;

/** Parses a filter. Unknown operators and malformed operands are rejected with MongoDB's codes, never skipped. */
export function parseFilterDocument(filter: Document, depth = 0): FilterNode {
  if (depth > MAX_FILTER_DEPTH)
    throw mongoError('BadValue', `Exceeded maximum filter depth of ${MAX_FILTER_DEPTH}`);
  spendSteps(filter.size * STEPS_PER_CONDITION);
  return allOf(
    [...filter].map(([name, value]) => {
      if (DB_REF_FIELDS.has(name)) return comparison(targetOf(name), 'eq', value);
      return name.startsWith('$')
        ? parseTopLevelOperator(name, value, depth + 1)
        : parseField(name, value, depth + 1);
    }),
  );
}

function parseTopLevelOperator(name: string, operand: BsonValue, depth: number): FilterNode {
  const parse = Object.hasOwn(TOP_LEVEL_OPERATORS, name) ? TOP_LEVEL_OPERATORS[name] : undefined;
  if (parse !== undefined) return parse(operand, depth);
  if (TOP_LEVEL_OUT_OF_SCOPE.has(name)) throw outOfScope(`the filter operator ${name}`);
  throw mongoError('BadValue', `unknown top level operator: ${name}`);
}

function parseBranches(name: string, operand: BsonValue, depth: number): FilterNode[] {
  if (!Array.isArray(operand) || operand.length === 0)
    throw mongoError('BadValue', `${name} argument must be a non-empty array`);
  return operand.map((branch) => {
    if (!isDocument(branch)) throw mongoError('BadValue', `${name} argument's entries must be objects`);
    return parseFilterDocument(branch, depth);
  });
}

function parseField(path: string, value: BsonValue, depth: number): FilterNode {
  const target = targetOf(path);
  if (value instanceof BSONRegExp) return regexMatch(target, value);
  if (isOperatorDocument(value)) return parseOperators({ ...target, siblings: value, depth });
  return comparison(target, 'eq', value);
}

/** Parses `{$gt: 1, $lt: 5}`, the operators on one path. */
function parseOperators(place: Place): FilterNode {
  if (place.depth > MAX_FILTER_DEPTH)
    throw mongoError('BadValue', `Exceeded maximum filter depth of ${MAX_FILTER_DEPTH}`);
  spendSteps(place.siblings.size * STEPS_PER_CONDITION);
  const nodes = [...place.siblings].map(([name, operand]) => {
    const parse = Object.hasOwn(FIELD_OPERATORS, name) ? FIELD_OPERATORS[name] : undefined;
    if (parse !== undefined) return parse(operand, place);
    if (FIELD_OUT_OF_SCOPE.has(name)) throw outOfScope(`the filter operator ${name}`);
    throw mongoError('BadValue', `unknown operator: ${name}`);
  });
  return allOf(nodes.filter((node) => node !== undefined));
}

function parseNot(operand: BsonValue, place: Place): FilterNode {
  if (operand instanceof BSONRegExp) return not(regexMatch(place, operand));
  if (!isDocument(operand)) throw mongoError('BadValue', '$not needs a regex or a document');
  if (operand.size === 0) throw mongoError('BadValue', '$not cannot be empty');
  return not(parseOperators({ ...place, siblings: operand, depth: place.depth + 1 }));
}

/** An element satisfies all conditions: `{$gt: 1}` on the element itself, or `{b: 1}` on its fields. */
function parseElemMatch(operand: BsonValue, place: Place): FilterNode {
  if (!isDocument(operand)) throw mongoError('BadValue', '$elemMatch needs an Object');
  const first = operand.keys().next().value ?? '';
  const isOnValue = Object.hasOwn(FIELD_OPERATORS, first) || FIELD_OUT_OF_SCOPE.has(first);
  const depth = place.depth + 1;
  const node = isOnValue
    ? parseOperators({ path: '', parts: [], siblings: operand, depth })
    : parseFilterDocument(operand, depth);
  const holds = (element: BsonValue): boolean => {
    if (isOnValue) return matches(node, element);
    // MongoDB sees an array within the array as a document with the fields 0, 1, 2, ….
    const fields = Array.isArray(element) ? new Map(element.map((one, at) => [String(at), one])) : element;
    return isDocument(fields) && matches(node, fields);
  };
  return pathNode(place, { kind: 'elemMatch' }, (value) => Array.isArray(value) && value.some(holds), false);
}
