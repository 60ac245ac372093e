import { type BsonValue, isDocument, typeName } from '../../bson/document.ts';
import { mongoError, outOfScope } from '../../bson/mongo-error.ts';
import { describeValue } from '../describe.ts';
import { wholeNumber } from '../numbers.ts';
import { set } from './field-modifiers.ts';
import { assertArray, type Modify } from './modifier.ts';

interface PushOptions {
  values: BsonValue[];
  slice: number | undefined;
}

export function push(operand: BsonValue): Modify {
  const { values, slice } = parsePush(operand);
  return (current, path) => {
    const array = current === undefined ? [] : current;
    assertArray('$push', array, path);
    const all = [...array, ...values];
    const pushed = slice === undefined ? all : slice < 0 ? all.slice(slice) : all.slice(0, slice);
    // MongoDB counts every push of values as a change, even if $slice removes them again.
    return values.length > 0 ? pushed : set(pushed)(current, path);
  };
}

function parsePush(operand: BsonValue): PushOptions {
  if (!isDocument(operand) || !operand.has('$each')) return { values: [operand], slice: undefined };
  for (const name of operand.keys()) {
    if (name === '$position' || name === '$sort') throw outOfScope(`${name} in $push`);
    if (name !== '$each' && name !== '$slice')
      throw mongoError('BadValue', `Unrecognized clause in $push: ${name}`);
  }
  const values = operand.get('$each') as BsonValue;
  if (!Array.isArray(values))
    throw mongoError('BadValue', `$each in $push must be an array, not ${typeName(values)}`);
  return { values, slice: parseSlice(operand.get('$slice')) };
}

function parseSlice(clause: BsonValue | undefined): number | undefined {
  if (clause === undefined) return undefined;
  const number = wholeNumber(clause);
  if (number !== undefined) return Number(number);
  throw mongoError(
    'BadValue',
    `The value for $slice must be an integer value but was given ${describeValue(clause)}`,
  );
}
