import { BSONRegExp } from 'bson';
import { type BsonValue, type Document, isDocument, isNumeric, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import type { Collation } from '../collation.ts';
import { compareValues, equalValues } from '../compare.ts';
import { describeId, describeValue } from '../describe.ts';
import { matches } from '../filter/match.ts';
import { isOperatorDocument, parseFilterDocument } from '../filter/parse.ts';
import { toNearestDouble } from '../numbers.ts';
import { compareSortKeys, parseSort, type Sort, sortKey } from '../sort.ts';
import { changedTo } from './field-modifiers.ts';
import { type Modifier, UNCHANGED } from './modifier.ts';

interface PushOptions {
  values: BsonValue[];
  position: number;
  slice: number | undefined;
  sort: ((a: BsonValue, b: BsonValue) => number) | undefined;
}

export function push(operand: BsonValue, collation: Collation | undefined): Modifier {
  const options = parsePush(operand, collation);
  return {
    operator: '$push',
    onBlockedPath: 'create',
    apply: (current, path, { original }) => {
      if (current !== undefined && !Array.isArray(current)) {
        throw mongoError(
          'BadValue',
          `The field '${path}' must be an array but is of type ${typeName(current)} in document ${describeId(original)}`,
        );
      }
      const pushed = pushInto(current ?? [], options);
      return current === undefined ? pushed : changedTo(current, pushed);
    },
  };
}

function pushInto(array: readonly BsonValue[], { values, position, slice, sort }: PushOptions): BsonValue[] {
  const at = position < 0 ? Math.max(array.length + position, 0) : Math.min(position, array.length);
  const pushed = [...array.slice(0, at), ...values, ...array.slice(at)];
  if (sort !== undefined) pushed.sort(sort);
  if (slice === undefined) return pushed;
  if (slice === 0) return [];
  return slice > 0 ? pushed.slice(0, slice) : pushed.slice(slice);
}

function parsePush(operand: BsonValue, collation: Collation | undefined): PushOptions {
  const options: PushOptions = {
    values: [operand],
    position: Number.POSITIVE_INFINITY,
    slice: undefined,
    sort: undefined,
  };
  if (!isDocument(operand) || !operand.has('$each')) return options;
  for (const [name, clause] of operand) {
    switch (name) {
      case '$each':
        options.values = parseEach('$push', clause);
        break;
      case '$position':
        options.position = parseClauseInteger('$position', clause);
        break;
      case '$slice':
        options.slice = parseClauseInteger('$slice', clause);
        break;
      case '$sort':
        options.sort = parsePushSort(clause, collation);
        break;
      default:
        throw mongoError('BadValue', `Unrecognized clause in $push: ${name}`);
    }
  }
  return options;
}

function parseEach(operator: string, clause: BsonValue): BsonValue[] {
  if (Array.isArray(clause)) return clause;
  const code = operator === '$push' ? 'BadValue' : 'TypeMismatch';
  throw mongoError(
    code,
    `The argument to $each in ${operator} must be an array but it was of type: ${typeName(clause)}`,
  );
}

function parseClauseInteger(name: string, clause: BsonValue): number {
  const number = isNumeric(clause) ? toNearestDouble(clause) : Number.NaN;
  if (!Number.isSafeInteger(number)) {
    throw mongoError(
      'BadValue',
      `The value for ${name} must be an integer value but was given ${describeValue(clause)}`,
    );
  }
  return number;
}

function parsePushSort(
  clause: BsonValue,
  collation: Collation | undefined,
): (a: BsonValue, b: BsonValue) => number {
  if (isNumeric(clause)) {
    const direction = toNearestDouble(clause);
    if (direction !== 1 && direction !== -1) {
      throw mongoError('BadValue', 'The $sort element value must be either 1 or -1');
    }
    return (a, b) => direction * compareValues(a, b, collation);
  }
  if (!isDocument(clause) || clause.size === 0) {
    throw mongoError(
      'BadValue',
      'The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields',
    );
  }
  const sort = parseSort(clause, collation);
  return (a, b) => compareSortKeys(elementSortKey(a, sort), elementSortKey(b, sort), sort);
}

/** MongoDB sorts an element that is no document as if all the fields of the sort were missing. */
function elementSortKey(element: BsonValue, sort: Sort): BsonValue[] {
  return element instanceof Map ? sortKey(element, sort) : sort.map(() => null);
}

export function addToSet(operand: BsonValue, collation: Collation | undefined): Modifier {
  const values = parseAddToSet(operand);
  return {
    operator: '$addToSet',
    onBlockedPath: 'create',
    apply: (current, path) => {
      if (current !== undefined && !Array.isArray(current)) {
        throw mongoError(
          'BadValue',
          `Cannot apply $addToSet to non-array field. Field named '${path}' has non-array type ${typeName(current)}`,
        );
      }
      const result = [...(current ?? [])];
      for (const value of values) {
        if (!result.some((element) => equalValues(element, value, collation))) result.push(value);
      }
      return current !== undefined && result.length === current.length ? UNCHANGED : result;
    },
  };
}

function parseAddToSet(operand: BsonValue): BsonValue[] {
  if (!isDocument(operand) || operand.keys().next().value !== '$each') return [operand];
  for (const name of operand.keys()) {
    if (name !== '$each')
      throw mongoError('BadValue', `Found unexpected fields after $each in $addToSet: ${name}`);
  }
  return parseEach('$addToSet', operand.get('$each') as BsonValue);
}

export function pop(operand: BsonValue): Modifier {
  const end = isNumeric(operand) ? toNearestDouble(operand) : undefined;
  if (end === undefined)
    throw mongoError('FailedToParse', `Expected a number in: $pop, found: ${describeValue(operand)}`);
  if (end !== 1 && end !== -1) throw mongoError('FailedToParse', `$pop expects 1 or -1, found: ${end}`);
  return {
    operator: '$pop',
    onBlockedPath: 'refuse',
    apply: (current, path) => {
      if (current === undefined) return UNCHANGED;
      if (!Array.isArray(current)) {
        throw mongoError(
          'TypeMismatch',
          `Path '${path}' contains an element of non-array type '${typeName(current)}'`,
        );
      }
      if (current.length === 0) return UNCHANGED;
      return end === 1 ? current.slice(0, -1) : current.slice(1);
    },
  };
}

export function pull(operand: BsonValue, collation: Collation | undefined): Modifier {
  return removing('$pull', pullTest(operand, collation));
}

function pullTest(operand: BsonValue, collation: Collation | undefined): (element: BsonValue) => boolean {
  if (operand instanceof BSONRegExp || isAboutElements(operand)) {
    const filter = parseFilterDocument(new Map([['', operand]]), { collation });
    return (element) => matches(filter, new Map([['', element]]));
  }
  if (isDocument(operand)) {
    const filter = parseFilterDocument(operand, { collation });
    return (element) => element instanceof Map && matches(filter, element as Document);
  }
  return (element) => equalValues(element, operand, collation);
}

/** `{$gt: 1}` asks of the element itself; `{$or: …}` is a filter like `{field: …}`. */
function isAboutElements(operand: BsonValue): boolean {
  return (
    isOperatorDocument(operand) && !['$and', '$or', '$nor'].includes(operand.keys().next().value as string)
  );
}

export function pullAll(operand: BsonValue, collation: Collation | undefined): Modifier {
  if (!Array.isArray(operand)) {
    throw mongoError('BadValue', `$pullAll requires an array argument but was given a ${typeName(operand)}`);
  }
  return removing('$pullAll', (element) => operand.some((value) => equalValues(value, element, collation)));
}

function removing(operator: '$pull' | '$pullAll', isRemoved: (element: BsonValue) => boolean): Modifier {
  return {
    operator,
    onBlockedPath: 'refuse',
    apply: (current) => {
      if (current === undefined) return UNCHANGED;
      if (!Array.isArray(current))
        throw mongoError('BadValue', `Cannot apply ${operator} to a non-array value`);
      const kept = current.filter((element) => !isRemoved(element));
      return kept.length === current.length ? UNCHANGED : kept;
    },
  };
}
