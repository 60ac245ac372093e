import { BSONRegExp } from 'bson';
import { ValueSet } from '../../aggregation/value-set.ts';
import { type BsonValue, isDocument, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { equalValues } from '../compare.ts';
import { describeValue } from '../describe.ts';
import { matches } from '../filter/match.ts';
import { FIELD_OPERATORS, FIELD_OUT_OF_SCOPE, parseFilterDocument } from '../filter/parse.ts';
import { wholeNumber } from '../numbers.ts';
import { assertArray, type Modify, UNCHANGED } from './modifier.ts';

/** More comparisons than this are slower than writing a key for each value. */
const FEW_COMPARISONS = 1000;

export function addToSet(operand: BsonValue): Modify {
  const values = parseAddToSet(operand);
  return (current, path) => {
    const array = current === undefined ? [] : current;
    assertArray('$addToSet', array, path);
    const result = [...array];
    const known = array.length * values.length > FEW_COMPARISONS ? new ValueSet(array) : undefined;
    for (const value of values) {
      const isNew = known?.add(value) ?? !result.some((element) => equalValues(element, value));
      if (isNew) result.push(value);
    }
    return current !== undefined && result.length === array.length ? UNCHANGED : result;
  };
}

function parseAddToSet(operand: BsonValue): BsonValue[] {
  if (!isDocument(operand) || operand.keys().next().value !== '$each') return [operand];
  const values = operand.get('$each') as BsonValue;
  if (!Array.isArray(values))
    throw mongoError('TypeMismatch', `$each in $addToSet must be an array, not ${typeName(values)}`);
  if (operand.size > 1) throw mongoError('BadValue', 'Found unexpected fields after $each in $addToSet');
  return values;
}

export function pop(operand: BsonValue): Modify {
  const end = wholeNumber(operand);
  if (end !== 1n && end !== -1n)
    throw mongoError('FailedToParse', `$pop expects 1 or -1, found: ${describeValue(operand)}`);
  return (current, path) => {
    if (current === undefined) return UNCHANGED;
    assertArray('$pop', current, path, 'TypeMismatch');
    if (current.length === 0) return UNCHANGED;
    return end === 1n ? current.slice(0, -1) : current.slice(1);
  };
}

export function pull(operand: BsonValue): Modify {
  return removing('$pull', pullTest(operand));
}

function pullTest(operand: BsonValue): (element: BsonValue) => boolean {
  if (operand instanceof BSONRegExp || isAboutElements(operand)) {
    const filter = parseFilterDocument(new Map([['', operand]]), rejectExpr);
    return (element) => matches(filter, new Map([['', element]]));
  }
  if (isDocument(operand)) {
    const filter = parseFilterDocument(operand, rejectExpr);
    return (element) => isDocument(element) && matches(filter, element);
  }
  return (element) => equalValues(element, operand);
}

/** `{$gt: 1}` applies to the element itself. `{$or: …}` and, as in MongoDB, `{$not: …}` are filters like `{field: …}`. */
function isAboutElements(operand: BsonValue): boolean {
  const first = (isDocument(operand) && operand.keys().next().value) || '';
  return first !== '$not' && (Object.hasOwn(FIELD_OPERATORS, first) || FIELD_OUT_OF_SCOPE.has(first));
}

function rejectExpr(): never {
  throw mongoError('QueryFeatureNotAllowed', '$expr is not allowed in this context');
}

export function pullAll(operand: BsonValue): Modify {
  if (!Array.isArray(operand))
    throw mongoError('BadValue', `$pullAll requires an array argument but was given a ${typeName(operand)}`);
  const removed = new ValueSet(operand);
  return removing('$pullAll', (element) => removed.has(element));
}

function removing(operator: string, isRemoved: (element: BsonValue) => boolean): Modify {
  return (current, path) => {
    if (current === undefined) return UNCHANGED;
    assertArray(operator, current, path);
    const kept = current.filter((element) => !isRemoved(element));
    return kept.length === current.length ? UNCHANGED : kept;
  };
}
