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

/** Parses the operand of `$expr`, or throws where MongoDB does not allow it. */
export type ParseExpr = (operand: BsonValue) => FilterNode;

interface Context {
  parseExpr: ParseExpr;
  depth: number;
}

/** Every operator on a field in scope. */
export const FIELD_OPERATORS: Readonly<Record<string, ParseFieldOperator>> = {
  ...VALUE_OPERATORS,
  $not: parseNot,
  $all: parseAll,
  $elemMatch: (operand, place) => elemMatchNode(operand, place),
};

/** Every operator on the whole document in scope. The result is undefined for an operator without a condition. */
const TOP_LEVEL_OPERATORS: Readonly<
  Record<string, (operand: BsonValue, context: Context) => FilterNode | undefined>
> = {
  $and: (operand, context) => allOf(parseBranches('$and', operand, context)),
  $or: (operand, context) => ({ kind: 'or', children: parseBranches('$or', operand, context) }),
  $nor: (operand, context) => not({ kind: 'or', children: parseBranches('$nor', operand, context) }),
  $comment: () => undefined,
  $expr: (operand, { parseExpr }) => parseExpr(operand),
};

/** The name of every filter operator in scope. */
export const FILTER_OPERATORS: readonly string[] = [
  ...Object.keys(FIELD_OPERATORS),
  ...Object.keys(TOP_LEVEL_OPERATORS),
];

/** Top-level operators of MongoDB 7 that are out of scope: rejected as such, not as misspelled. */
export const TOP_LEVEL_OUT_OF_SCOPE: ReadonlySet<string> = new Set([
  '$where',
  '$text',
  '$jsonSchema',
  '$alwaysTrue',
  '$alwaysFalse',
  '$sampleRate',
]);

/** Operators on a field that are out of scope. */
export const FIELD_OUT_OF_SCOPE: ReadonlySet<string> = new Set([
  '$bitsAllSet',
  '$bitsAllClear',
  '$bitsAnySet',
  '$bitsAnyClear',
  '$near',
  '$nearSphere',
  '$geoNear',
  '$geoWithin',
  '$geoIntersects',
  '$within',
]);

/** The fields of a database reference: names of fields, not of operators. */
const DB_REF_FIELDS = new Set(['$ref', '$id', '$db']);

/** What parsing a condition takes. */
const STEPS_PER_CONDITION = 20;
/** MongoDB's bound on how deep a filter may nest. */
const MAX_FILTER_DEPTH = 100;

/** Parses a filter. Unknown operators and malformed operands are rejected with MongoDB's codes, never skipped. */
export function parseFilterDocument(filter: Document, parseExpr: ParseExpr, depth = 0): FilterNode {
  if (depth > MAX_FILTER_DEPTH)
    throw mongoError('BadValue', `Exceeded maximum filter depth of ${MAX_FILTER_DEPTH}`);
  spendSteps(filter.size * STEPS_PER_CONDITION);
  const nodes = [...filter].map(([name, value]) => {
    if (DB_REF_FIELDS.has(name)) return comparison(targetOf(name), 'eq', value);
    return name.startsWith('$')
      ? parseTopLevelOperator(name, value, { parseExpr, depth: depth + 1 })
      : parseField(name, value, depth + 1);
  });
  return allOf(nodes.filter((node) => node !== undefined));
}

function parseTopLevelOperator(name: string, operand: BsonValue, context: Context): FilterNode | undefined {
  const parse = Object.hasOwn(TOP_LEVEL_OPERATORS, name) ? TOP_LEVEL_OPERATORS[name] : undefined;
  if (parse !== undefined) return parse(operand, context);
  if (TOP_LEVEL_OUT_OF_SCOPE.has(name)) throw outOfScope(`the filter operator ${name}`);
  throw mongoError('BadValue', `unknown top level operator: ${name}`);
}

function parseBranches(name: string, operand: BsonValue, { parseExpr, depth }: Context): FilterNode[] {
  if (!Array.isArray(operand) || operand.length === 0)
    throw mongoError('BadValue', `${name} argument must be a non-empty array`);
  return operand.map((branch) => {
    if (!isDocument(branch)) throw mongoError('BadValue', `${name} argument's entries must be objects`);
    return parseFilterDocument(branch, parseExpr, depth);
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

function parseAll(operand: BsonValue, place: Place): FilterNode {
  if (!Array.isArray(operand)) throw mongoError('BadValue', '$all needs an array');
  if (operand.length === 0) return { kind: 'never' };
  const isElemMatch = (value: BsonValue) => isDocument(value) && value.keys().next().value === '$elemMatch';
  if (operand.some(isElemMatch)) {
    if (!operand.every(isElemMatch)) throw mongoError('BadValue', '$all/$elemMatch has to be consistent');
    return allOf(
      operand.map((value) => elemMatchNode((value as Document).get('$elemMatch') as BsonValue, place)),
    );
  }
  if (operand.some(isOperatorDocument)) throw mongoError('BadValue', 'no $ expressions in $all');
  return allOf(
    operand.map((value) =>
      value instanceof BSONRegExp ? regexMatch(place, value) : comparison(place, 'eq', value),
    ),
  );
}

function elemMatchNode(operand: BsonValue, place: Place): FilterNode {
  const matchesElement = parseElemMatch(operand, place.depth + 1);
  return pathNode(
    place,
    { kind: 'elemMatch' },
    (value) => Array.isArray(value) && value.some(matchesElement),
    false,
  );
}

/** The condition of an `$elemMatch` on one element: `{$gt: 1}` on the element itself, `{b: 1}` on its fields. */
export function parseElemMatch(operand: BsonValue, depth = 0): (element: BsonValue) => boolean {
  if (!isDocument(operand)) throw mongoError('BadValue', '$elemMatch needs an Object');
  const first = operand.keys().next().value ?? '';
  const isOnFields =
    !first.startsWith('$') ||
    [...DB_REF_FIELDS].some((name) => operand.has(name)) ||
    Object.hasOwn(TOP_LEVEL_OPERATORS, first) ||
    TOP_LEVEL_OUT_OF_SCOPE.has(first);
  if (!isOnFields) {
    const node = parseOperators({ path: '', parts: [], siblings: operand, depth });
    return (element) => matches(node, element);
  }
  const filter = parseFilterDocument(operand, rejectExpr, depth);
  return (element) => {
    // MongoDB sees an array within the array as a document with the fields 0, 1, 2, ….
    const fields = Array.isArray(element)
      ? new Map(element.map((inner, at) => [String(at), inner]))
      : element;
    return fields instanceof Map && matches(filter, fields);
  };
}

function rejectExpr(): never {
  throw mongoError('BadValue', '$expr can only be applied to the top-level document');
}
