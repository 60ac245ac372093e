import { BSONRegExp } from 'bson';
import { BsonUndefined, type BsonValue, type Document, isDocument } from '../../bson/document.ts';
import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import type { Collation } from '../collation.ts';
import { splitPath } from '../path.ts';
import { truthOf } from '../truth.ts';
import { compileJsonSchema } from './json-schema.ts';
import { firstMatchingElement } from './match.ts';
import type { ComparisonOperator, ElemMatch, FilterNode, PathNode, Predicate } from './node.ts';
import { parseBitMask, parseMod, parseRegexOperator, parseSize, parseTypes } from './operands.ts';
import { predicateTest } from './predicate.ts';
import { compileRegex } from './regex.ts';

/** What a filter may refer to beyond the document. */
export interface FilterContext {
  /** How strings compare; undefined: by their bytes. */
  collation?: Collation | undefined;
  /** Parses the operand of $expr; absent where MongoDB allows no $expr (array filters, $pull). */
  parseExpression?: (expression: BsonValue) => (document: Document) => boolean;
}

/** MongoDB's bound on how deep a filter may nest. */
const MAX_FILTER_DEPTH = 100;

/** Parses a filter. Unknown operators and malformed operands are refused with MongoDB's codes, never skipped. */
export function parseFilterDocument(filter: Document, context: FilterContext, depth = 0): FilterNode {
  if (depth > MAX_FILTER_DEPTH)
    throw mongoError('BadValue', `Exceeded maximum filter depth of ${MAX_FILTER_DEPTH}`);
  const children: FilterNode[] = [];
  for (const [name, value] of filter) {
    const node = name.startsWith('$')
      ? parseTopLevelOperator(name, value, context, depth)
      : parseField(name, value, context, depth);
    if (node !== undefined) children.push(node);
  }
  return allOf(children);
}

function allOf(nodes: FilterNode[]): FilterNode {
  return { kind: 'and', children: nodes.flatMap((node) => (node.kind === 'and' ? node.children : [node])) };
}

function parseTopLevelOperator(
  name: string,
  value: BsonValue,
  context: FilterContext,
  depth: number,
): FilterNode | undefined {
  switch (name) {
    case '$and':
      return allOf(parseBranches(name, value, context, depth));
    case '$or':
      return { kind: 'or', children: parseBranches(name, value, context, depth) };
    case '$nor':
      return { kind: 'nor', children: parseBranches(name, value, context, depth) };
    case '$comment':
      return undefined;
    case '$expr':
      if (context.parseExpression === undefined)
        throw mongoError('QueryFeatureNotAllowed', '$expr is not allowed in this context');
      return { kind: 'document', test: context.parseExpression(value) };
    case '$alwaysTrue':
      return undefined;
    case '$alwaysFalse':
      return { kind: 'never' };
    case '$where':
      throw mongoError('BadValue', 'no globalScriptEngine in $where parsing');
    case '$text':
      throw mongoError('IndexNotFound', 'text index required for $text query');
    case '$jsonSchema':
      return { kind: 'document', test: compileJsonSchema(value) };
    case '$id':
      return comparisonNode(name, 'eq', value, context);
    case '$ref':
    case '$db':
      // The other fields of a DBRef, which are compared by their bytes whatever the collation.
      return comparisonNode(name, 'eq', value, {});
    default:
      throw mongoError(
        'BadValue',
        `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      );
  }
}

function parseBranches(name: string, value: BsonValue, context: FilterContext, depth: number): FilterNode[] {
  if (!Array.isArray(value)) throw mongoError('BadValue', `${name} must be an array`);
  if (value.length === 0) throw mongoError('BadValue', `${name} argument must be a non-empty array`);
  return value.map((branch) => {
    if (!isDocument(branch)) throw mongoError('BadValue', `${name} argument's entries must be objects`);
    return parseFilterDocument(branch, context, depth + 1);
  });
}

const DBREF_FIELDS = new Set(['$ref', '$id', '$db']);

/** Whether a field's value is a set of operators rather than a document to be equal to: its first name decides. */
export function isOperatorDocument(value: BsonValue): value is Document {
  if (!isDocument(value)) return false;
  const first = value.keys().next();
  return !first.done && first.value.startsWith('$') && !DBREF_FIELDS.has(first.value);
}

function parseField(path: string, value: BsonValue, context: FilterContext, depth: number): FilterNode {
  if (value instanceof BSONRegExp) return regexNode(path, value);
  if (isOperatorDocument(value)) return parseOperators(path, value, context, depth + 1);
  return comparisonNode(path, 'eq', value, context);
}

/** Parses `{$gt: 1, $lt: 5}`, the operators on one path; the path is empty for an element of an array. */
export function parseOperators(
  path: string,
  operators: Document,
  context: FilterContext,
  depth = 0,
): FilterNode {
  const children: FilterNode[] = [];
  for (const [name, operand] of operators) {
    const node = parseOperator(path, name, operand, operators, context, depth);
    if (node !== undefined) children.push(node);
  }
  return allOf(children);
}

function parseOperator(
  path: string,
  name: string,
  operand: BsonValue,
  siblings: Document,
  context: FilterContext,
  depth: number,
): FilterNode | undefined {
  switch (name) {
    case '$eq':
      return comparisonNode(path, 'eq', operand, context);
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (operand instanceof BSONRegExp) {
        throw mongoError('BadValue', `Can't have RegEx as arg to predicate over field '${path}'.`);
      }
      return comparisonNode(path, name.slice(1) as ComparisonOperator, operand, context);
    case '$ne':
      if (operand instanceof BSONRegExp) throw mongoError('BadValue', "Can't have regex as arg to $ne.");
      return { kind: 'not', child: comparisonNode(path, 'eq', operand, context) };
    case '$in':
      return inNode(path, name, operand, context);
    case '$nin':
      return { kind: 'not', child: inNode(path, name, operand, context) };
    case '$not':
      return { kind: 'not', child: parseNot(path, operand, context, depth) };
    case '$exists':
      return truthOf(operand)
        ? pathNode(path, { kind: 'exists' })
        : { kind: 'not', child: pathNode(path, { kind: 'exists' }) };
    case '$all':
      return parseAll(path, operand, context, depth);
    case '$elemMatch':
      return parseElemMatch(path, operand, context, depth);
    case '$comment':
      return undefined;
    case '$options':
      if (!siblings.has('$regex')) throw mongoError('BadValue', '$options needs a $regex');
      return undefined;
    default:
      return pathNode(path, parseSimplePredicate(name, operand, siblings));
  }
}

function parseSimplePredicate(
  name: string,
  operand: BsonValue,
  siblings: Document,
): Exclude<Predicate, ElemMatch> {
  switch (name) {
    case '$regex':
      return { kind: 'regex', regex: parseRegexOperator(operand, siblings.get('$options')) };
    case '$type':
      return parseTypes(operand);
    case '$mod':
      return parseMod(operand);
    case '$size':
      return parseSize(operand);
    case '$bitsAllSet':
      return { kind: 'bits', mask: parseBitMask(name, operand), wanted: 'allSet' };
    case '$bitsAllClear':
      return { kind: 'bits', mask: parseBitMask(name, operand), wanted: 'allClear' };
    case '$bitsAnySet':
      return { kind: 'bits', mask: parseBitMask(name, operand), wanted: 'anySet' };
    case '$bitsAnyClear':
      return { kind: 'bits', mask: parseBitMask(name, operand), wanted: 'anyClear' };
    case '$near':
    case '$nearSphere':
      throw mongoError('NoQueryExecutionPlans', 'unable to find index for $geoNear query');
    case '$geoWithin':
    case '$geoIntersects':
    case '$within':
      throw notImplemented(name);
    default:
      throw mongoError('BadValue', `unknown operator: ${name}`);
  }
}

function pathNode(
  path: string,
  predicate: Exclude<Predicate, ElemMatch>,
  context: FilterContext = {},
): PathNode {
  return {
    kind: 'path',
    path,
    parts: splitPath(path),
    predicate,
    // $size asks about the array itself, as $elemMatch does.
    expandsLeafArray: predicate.kind !== 'size',
    test: predicateTest(predicate, context.collation),
  };
}

function elemMatchNode(path: string, predicate: ElemMatch): PathNode {
  return {
    kind: 'path',
    path,
    parts: splitPath(path),
    predicate,
    expandsLeafArray: false,
    test: (value) => firstMatchingElement(predicate, value) !== undefined,
  };
}

function comparisonNode(
  path: string,
  operator: ComparisonOperator,
  value: BsonValue,
  context: FilterContext,
): PathNode {
  if (value instanceof BsonUndefined) throw mongoError('BadValue', 'cannot compare to undefined');
  return pathNode(path, { kind: 'compare', operator, value }, context);
}

function regexNode(path: string, regex: BSONRegExp): PathNode {
  return pathNode(path, { kind: 'regex', regex: compileRegex(regex.pattern, regex.options) });
}

function inNode(path: string, name: string, operand: BsonValue, context: FilterContext): PathNode {
  if (!Array.isArray(operand)) throw mongoError('BadValue', `${name} needs an array`);
  const values: BsonValue[] = [];
  const regexes = [];
  for (const value of operand) {
    if (isOperatorDocument(value)) throw mongoError('BadValue', `cannot nest $ under ${name}`);
    if (value instanceof BsonUndefined) throw mongoError('BadValue', `${name} cannot contain undefined`);
    if (value instanceof BSONRegExp) regexes.push(compileRegex(value.pattern, value.options));
    else values.push(value);
  }
  return pathNode(path, { kind: 'in', values, regexes }, context);
}

function parseNot(path: string, operand: BsonValue, context: FilterContext, depth: number): FilterNode {
  if (operand instanceof BSONRegExp) return regexNode(path, operand);
  if (!isDocument(operand)) throw mongoError('BadValue', '$not needs a regex or a document');
  if (operand.size === 0) throw mongoError('BadValue', '$not cannot be empty');
  return parseOperators(path, operand, context, depth + 1);
}

function parseAll(path: string, operand: BsonValue, context: FilterContext, depth: number): FilterNode {
  if (!Array.isArray(operand)) throw mongoError('BadValue', '$all needs an array');
  if (operand.length === 0) return { kind: 'never' };
  const areElemMatches = isElemMatch(operand[0] as BsonValue);
  return {
    kind: 'and',
    children: operand.map((value) => {
      if (areElemMatches !== isElemMatch(value)) {
        throw mongoError(
          'BadValue',
          areElemMatches ? '$all/$elemMatch has to be consistent' : 'no $ expressions in $all',
        );
      }
      if (areElemMatches)
        return parseElemMatch(path, (value as Document).get('$elemMatch') as BsonValue, context, depth);
      if (isOperatorDocument(value)) throw mongoError('BadValue', 'no $ expressions in $all');
      return value instanceof BSONRegExp
        ? regexNode(path, value)
        : comparisonNode(path, 'eq', value, context);
    }),
  };
}

function isElemMatch(value: BsonValue): boolean {
  return isDocument(value) && value.keys().next().value === '$elemMatch';
}

const LOGICAL_OPERATORS = new Set(['$and', '$or', '$nor', '$where', '$expr', '$comment']);

function parseElemMatch(path: string, operand: BsonValue, context: FilterContext, depth: number): FilterNode {
  if (!isDocument(operand)) throw mongoError('BadValue', '$elemMatch needs an Object');
  const first = operand.keys().next().value;
  const isAboutValues = isOperatorDocument(operand) && !LOGICAL_OPERATORS.has(first as string);
  if (isAboutValues) {
    return elemMatchNode(path, {
      kind: 'elemMatchValue',
      element: parseOperators('', operand, context, depth + 1),
    });
  }
  // $expr and $where are of the whole document; MongoDB refuses them within $elemMatch.
  return elemMatchNode(path, {
    kind: 'elemMatchDocument',
    element: parseFilterDocument(operand, { collation: context.collation }, depth + 1),
  });
}
