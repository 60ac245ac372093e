import { BSONRegExp, type BsonValue, type Document } from '../../src/bson/document.ts';
import { isTrue } from './arithmetic.ts';
import { exactly, fitsLong, intOf, isFiniteNumber, isNotANumber, isNumber, truncate } from './numbers.ts';
import { compare, isEqual, type Maybe, rankOf, typeOf } from './order.ts';
import { type Container, valuesAt } from './paths.ts';
import { Rejected, rejectUnless } from './rejected.ts';

export type Filter = (document: Container) => boolean;

/** A condition on one field. */
interface Condition {
  /** Whether the value itself satisfies the condition, without its elements, as in `$elemMatch`. */
  ofValue(value: Maybe): boolean;
  /** Whether the field at the path satisfies the condition. */
  ofField(container: Container, path: readonly string[]): boolean;
}

const LOGICAL = ['$and', '$or', '$nor'];

const isOperatorName = (name: string | undefined): boolean => name?.startsWith('$') ?? false;

function firstName(value: BsonValue): string | undefined {
  return value instanceof Map ? value.keys().next().value : undefined;
}

export function parseFilter(filter: Document): Filter {
  const tests = [...filter].map(([name, operand]): Filter => {
    if (isOperatorName(name)) return parseTopLevel(name, operand);
    const path = name.split('.');
    const condition = parseCondition(operand);
    return (container) => condition.ofField(container, path);
  });
  return (container) => tests.every((test) => test(container));
}

function parseTopLevel(name: string, operand: BsonValue): Filter {
  rejectUnless(LOGICAL.includes(name), `unknown top level operator: ${name}`, 2);
  rejectUnless(Array.isArray(operand) && operand.length > 0, `${name} must be a nonempty array`, 2);
  const filters = operand.map((clause) => {
    rejectUnless(clause instanceof Map, `${name} entries need to be full objects`, 2);
    return parseFilter(clause);
  });
  if (name === '$and') return (container) => filters.every((test) => test(container));
  const some: Filter = (container) => filters.some((test) => test(container));
  return name === '$or' ? some : (container) => !some(container);
}

/** The condition `{field: operand}`: operators, a regular expression, or equality. */
function parseCondition(operand: BsonValue): Condition {
  if (operand instanceof BSONRegExp) return matchesPattern(operand.pattern, operand.options);
  return isOperatorName(firstName(operand)) ? parseOperators(operand as Document) : equals(operand);
}

function parseOperators(operators: Document): Condition {
  rejectUnless(!operators.has('$options') || operators.has('$regex'), '$options needs a $regex', 2);
  const conditions = [...operators]
    .filter(([name]) => name !== '$options')
    .map(([name, operand]) => parseOperator(name, operand, operators));
  return all(conditions);
}

/** A condition that applies to an array at the path and to each of its elements. */
function leaf(ofValue: (value: Maybe) => boolean): Condition {
  return { ofValue, ofField: (container, path) => valuesAt(container, path, true).some(ofValue) };
}

/** A condition that applies only to a whole array at the path. */
function ofArray(test: (array: BsonValue[]) => boolean): Condition {
  const ofValue = (value: Maybe) => Array.isArray(value) && test(value);
  return { ofValue, ofField: (container, path) => valuesAt(container, path, false).some(ofValue) };
}

function all(conditions: readonly Condition[]): Condition {
  return {
    ofValue: (value) => conditions.every((condition) => condition.ofValue(value)),
    ofField: (container, path) => conditions.every((condition) => condition.ofField(container, path)),
  };
}

function not(condition: Condition): Condition {
  return {
    ofValue: (value) => !condition.ofValue(value),
    ofField: (container, path) => !condition.ofField(container, path),
  };
}

/** A missing field equals null. */
function equals(operand: BsonValue): Condition {
  return leaf((value) => isEqual(value, operand) || (value === undefined && operand === null));
}

/** Comparisons are within one type, except for MinKey and MaxKey, which compare with all types. */
function comparison(operand: BsonValue, accepts: (order: number) => boolean): Condition {
  rejectUnless(!(operand instanceof BSONRegExp), "can't have RegEx as arg to a comparison", 2);
  return leaf((found) => {
    const value = found === undefined && operand === null ? null : found;
    const isSameType = rankOf(value) === rankOf(operand);
    if (!isSameType)
      return ['minKey', 'maxKey'].includes(typeOf(operand)) && accepts(compare(value, operand));
    if (isNumber(value) && isNumber(operand) && isNotANumber(value) !== isNotANumber(operand)) return false;
    return accepts(compare(value, operand));
  });
}

/**
 * Converts a PCRE pattern to a JavaScript one, for the constructs that the generator uses: literals, classes,
 * quantifiers, and anchors. In PCRE, `$` also matches before a final line feed, and `.` excludes only the line feed.
 */
function toRegExp(pattern: string, options: string): RegExp {
  const source = pattern.replace(/\\.|\[[^\]]*\]|[$.]/g, (part) => {
    if (part === '$') return '(?=\\n?$)';
    return part === '.' ? '[^\\n]' : part;
  });
  return new RegExp(source, options.includes('i') ? 'iu' : 'u');
}

function matchesPattern(pattern: string, options: string): Condition {
  const expression = toRegExp(pattern, options);
  return leaf((value) => {
    if (value instanceof BSONRegExp) return value.pattern === pattern && value.options === options;
    return typeof value === 'string' && expression.test(value);
  });
}

function parseOperator(name: string, operand: BsonValue, operators: Document): Condition {
  switch (name) {
    case '$eq':
      return equals(operand);
    case '$ne':
      rejectUnless(!(operand instanceof BSONRegExp), "can't have regex as arg to $ne", 2);
      return not(equals(operand));
    case '$gt':
      return comparison(operand, (order) => order > 0);
    case '$gte':
      return comparison(operand, (order) => order >= 0);
    case '$lt':
      return comparison(operand, (order) => order < 0);
    case '$lte':
      return comparison(operand, (order) => order <= 0);
    case '$in':
      return parseIn(operand);
    case '$nin':
      return not(parseIn(operand));
    case '$not':
      return parseNot(operand);
    case '$exists':
      return isTrue(operand) ? exists : not(exists);
    case '$elemMatch':
      return parseElemMatch(operand);
    case '$regex':
      return parseRegex(operand, operators.get('$options'));
    case '$mod':
      return parseMod(operand);
    case '$size':
      return parseSize(operand);
    default:
      throw new Rejected(`unknown operator: ${name}`, 2);
  }
}

const exists = leaf((value) => value !== undefined);

function parseElemMatch(operand: BsonValue): Condition {
  rejectUnless(operand instanceof Map, '$elemMatch needs an Object', 2);
  const name = firstName(operand);
  if (isOperatorName(name) && !LOGICAL.includes(name as string)) {
    const condition = parseOperators(operand);
    return ofArray((array) => array.some((element) => condition.ofValue(element)));
  }
  const filter = parseFilter(operand);
  return ofArray((array) =>
    array.some((element) => (element instanceof Map || Array.isArray(element)) && filter(element)),
  );
}

function parseIn(operand: BsonValue): Condition {
  rejectUnless(Array.isArray(operand), '$in needs an array', 2);
  const alternatives = operand.map((one) => {
    rejectUnless(!isOperatorName(firstName(one)), 'cannot nest $ under $in', 2);
    rejectUnless(!(one instanceof BSONRegExp), 'a pattern in $in', 238);
    return equals(one);
  });
  return leaf((value) => alternatives.some((alternative) => alternative.ofValue(value)));
}

function parseNot(operand: BsonValue): Condition {
  if (operand instanceof BSONRegExp) return not(matchesPattern(operand.pattern, operand.options));
  rejectUnless(operand instanceof Map && operand.size > 0, '$not needs a regex or a document', 2);
  return not(parseOperators(operand));
}

function parseRegex(operand: BsonValue, options: BsonValue | undefined): Condition {
  rejectUnless(options === undefined || typeof options === 'string', '$options has to be a string', 2);
  if (operand instanceof BSONRegExp) {
    rejectUnless(operand.options === '' || !options, 'options set in both $regex and $options');
    return matchesPattern(operand.pattern, operand.options || (options ?? ''));
  }
  rejectUnless(typeof operand === 'string', '$regex has to be a string', 2);
  return matchesPattern(operand, options ?? '');
}

/** The integer part of a number if it fits in a long. */
function integerPart(value: Maybe): bigint | undefined {
  if (!isNumber(value)) return undefined;
  const exact = exactly(value);
  if (!isFiniteNumber(exact)) return undefined;
  const whole = truncate(exact);
  return fitsLong(whole) ? whole : undefined;
}

function parseMod(operand: BsonValue): Condition {
  rejectUnless(Array.isArray(operand) && operand.length === 2, 'malformed mod', 2);
  const [divisor, remainder] = operand.map(integerPart);
  rejectUnless(divisor !== undefined && remainder !== undefined, 'malformed mod', 2);
  rejectUnless(divisor !== 0n, 'divisor cannot be 0', 2);
  return leaf((value) => {
    const dividend = integerPart(value);
    return dividend !== undefined && dividend % divisor === remainder;
  });
}

function parseSize(operand: BsonValue): Condition {
  const size = intOf(operand);
  rejectUnless(size !== undefined && size >= 0, '$size needs an int that is not negative', 2);
  return ofArray((array) => array.length === size);
}

/** The test of `$pull` on elements: values by equality, patterns and operators as if the element were a field. */
export function matcherOf(operand: BsonValue): (value: BsonValue) => boolean {
  const condition = parseCondition(operand);
  const isCondition = operand instanceof Map || operand instanceof BSONRegExp;
  return (value) => (isCondition ? condition.ofField(new Map([['', value]]), ['']) : isEqual(value, operand));
}
