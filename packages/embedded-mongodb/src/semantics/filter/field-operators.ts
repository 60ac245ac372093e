import { BSONRegExp } from 'bson';
import type { BsonValue, Document } from '../../bson/document.ts';
import { mongoError, outOfScope } from '../../bson/mongo-error.ts';
import { truncatedToInt64, wholeNumber } from '../numbers.ts';
import { splitPath } from '../path.ts';
import { truthOf } from '../truth.ts';
import { comparisonTest, inTest, regexTest, type Test } from './comparison.ts';
import { type ComparisonOperator, type FilterNode, not, type PathNode, type Predicate } from './node.ts';
import { compileRegex } from './regex.ts';

/** The place that a document of operators applies to. */
export interface Place {
  path: string;
  /** Empty for the elements of an array. */
  parts: readonly string[];
  /** The document of operators. */
  siblings: Document;
  depth: number;
}

/** Parses one operator. Returns undefined for an operator that only qualifies another one. */
export type ParseFieldOperator = (operand: BsonValue, place: Place) => FilterNode | undefined;

/** The operators on a field that take a value, not other operators. */
export const VALUE_OPERATORS: Readonly<Record<string, ParseFieldOperator>> = {
  $eq: (operand, place) => comparison(place, 'eq', operand),
  $gt: (operand, place) => range(place, 'gt', operand),
  $gte: (operand, place) => range(place, 'gte', operand),
  $lt: (operand, place) => range(place, 'lt', operand),
  $lte: (operand, place) => range(place, 'lte', operand),
  $ne: parseNe,
  $in: (operand, place) => parseIn('$in', operand, place),
  $nin: (operand, place) => not(parseIn('$nin', operand, place)),
  $exists: parseExists,
  $mod: parseMod,
  $size: parseSize,
  $regex: parseRegex,
  $options: parseOptions,
};

/** @param expandsLeafArray see PathTest: false if the condition is on the array itself */
export function pathNode(
  { path, parts }: Pick<Place, 'path' | 'parts'>,
  predicate: Predicate,
  test: Test,
  expandsLeafArray = true,
): PathNode {
  return { kind: 'path', path, parts, predicate, test, expandsLeafArray };
}

type Target = Pick<Place, 'path' | 'parts'>;

export function comparison(target: Target, operator: ComparisonOperator, value: BsonValue): PathNode {
  return pathNode(target, { kind: 'compare', operator, value }, comparisonTest(operator, value));
}

export function regexMatch(
  target: Target,
  { pattern, options }: Pick<BSONRegExp, 'pattern' | 'options'>,
): PathNode {
  return pathNode(target, { kind: 'regex' }, regexTest(compileRegex(pattern, options)));
}

export function targetOf(path: string): Target {
  return { path, parts: splitPath(path) };
}

/** Whether a value is a document of operators rather than a value to equal. The first field name decides. */
export function isOperatorDocument(value: BsonValue): value is Document {
  if (!(value instanceof Map) || !value.keys().next().value?.startsWith('$')) return false;
  const isDbRef = value.has('$ref') && value.has('$id');
  return !isDbRef;
}

function range(place: Place, operator: ComparisonOperator, operand: BsonValue): PathNode {
  if (operand instanceof BSONRegExp)
    throw mongoError('BadValue', `Can't have RegEx as arg to predicate over field '${place.path}'.`);
  return comparison(place, operator, operand);
}

function parseNe(operand: BsonValue, place: Place): FilterNode {
  if (operand instanceof BSONRegExp) throw mongoError('BadValue', "Can't have regex as arg to $ne.");
  return not(comparison(place, 'eq', operand));
}

function parseIn(name: string, operand: BsonValue, place: Place): PathNode {
  if (!Array.isArray(operand)) throw mongoError('BadValue', `${name} needs an array`);
  if (operand.some(isOperatorDocument)) throw mongoError('BadValue', `cannot nest $ under ${name}`);
  if (operand.some((value) => value instanceof BSONRegExp))
    throw outOfScope(`a regular expression in ${name}`);
  return pathNode(place, { kind: 'in', values: operand }, inTest(operand));
}

function parseExists(operand: BsonValue, place: Place): FilterNode {
  const exists = pathNode(place, { kind: 'exists' }, (value) => value !== undefined);
  return truthOf(operand) ? exists : not(exists);
}

function parseMod(operand: BsonValue, place: Place): PathNode {
  if (!Array.isArray(operand) || operand.length !== 2)
    throw mongoError('BadValue', 'malformed mod, needs to be an array of a divisor and a remainder');
  const [divisor, remainder] = operand.map(truncatedToInt64);
  if (divisor === undefined) throw mongoError('BadValue', 'malformed mod, divisor not a number');
  if (remainder === undefined) throw mongoError('BadValue', 'malformed mod, remainder not a number');
  if (divisor === 0n) throw mongoError('BadValue', 'divisor cannot be 0');
  return pathNode(place, { kind: 'mod' }, (value) => {
    const whole = truncatedToInt64(value);
    return whole !== undefined && whole % divisor === remainder;
  });
}

function parseSize(operand: BsonValue, place: Place): PathNode {
  const size = wholeNumber(operand);
  if (size === undefined) throw mongoError('BadValue', 'Failed to parse $size. Expected an integer');
  if (size < 0n) throw mongoError('BadValue', 'Failed to parse $size. Expected a non-negative number');
  if (BigInt.asIntN(32, size) !== size) {
    throw mongoError('BadValue', `Failed to parse $size. Cannot represent as a 32-bit integer: ${size}`);
  }
  const test: Test = (value) => Array.isArray(value) && BigInt(value.length) === size;
  return pathNode(place, { kind: 'size' }, test, false);
}

function parseRegex(operand: BsonValue, place: Place): PathNode {
  const options = place.siblings.get('$options');
  if (options !== undefined && typeof options !== 'string')
    throw mongoError('BadValue', '$options has to be a string');
  if (typeof operand === 'string') return regexMatch(place, { pattern: operand, options: options ?? '' });
  if (!(operand instanceof BSONRegExp)) throw mongoError('BadValue', '$regex has to be a string');
  if (options !== undefined && operand.options !== '')
    throw mongoError(51075, 'options set in both $regex and $options');
  return regexMatch(place, { pattern: operand.pattern, options: options ?? operand.options });
}

function parseOptions(_operand: BsonValue, { siblings }: Place): undefined {
  if (!siblings.has('$regex')) throw mongoError('BadValue', '$options needs a $regex');
}
