import { Timestamp } from 'bson';
import { type BsonValue, isDocument, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import type { Collation } from '../collation.ts';
import { compareValues } from '../compare.ts';
import { describeField, describeValue } from '../describe.ts';
import { identicalValues } from '../identical.ts';
import { valueAtPath } from '../path.ts';
import { type Modifier, type Outcome, REMOVED, UNCHANGED } from './modifier.ts';

/** The new value, or UNCHANGED where it is what was there. */
export function changedTo(current: BsonValue | undefined, next: BsonValue): Outcome {
  return current !== undefined && identicalValues(current, next) ? UNCHANGED : next;
}

export function set(value: BsonValue): Modifier {
  return { operator: '$set', onBlockedPath: 'create', apply: (current) => changedTo(current, value) };
}

export function setOnInsert(value: BsonValue): Modifier {
  return {
    operator: '$setOnInsert',
    onBlockedPath: 'create',
    apply: (current, _path, { isInsert }) => (isInsert ? changedTo(current, value) : UNCHANGED),
  };
}

export function unset(): Modifier {
  return {
    operator: '$unset',
    onBlockedPath: 'ignore',
    apply: (current) => (current === undefined ? UNCHANGED : REMOVED),
  };
}

/** The `$rename` at its target; the source has an `unset` of its own. */
export function renameFrom(source: readonly string[]): Modifier {
  return {
    operator: '$rename',
    onBlockedPath: 'create',
    apply: (current, _path, { original }) => {
      const value = valueAtPath(original, source);
      return value === undefined ? UNCHANGED : changedTo(current, value);
    },
  };
}

/** `$min` keeps the lower of the two in MongoDB's order, `$max` the higher. */
export function extreme(
  operator: '$min' | '$max',
  value: BsonValue,
  collation: Collation | undefined,
): Modifier {
  const sign = operator === '$min' ? 1 : -1;
  return {
    operator,
    onBlockedPath: 'create',
    apply: (current) =>
      current === undefined || sign * compareValues(value, current, collation) < 0 ? value : UNCHANGED,
  };
}

const MS_PER_SECOND = 1000;

export function currentDate(path: string, operand: BsonValue): Modifier {
  const type = currentDateType(path, operand);
  return {
    operator: '$currentDate',
    onBlockedPath: 'create',
    apply: (current, _path, { now }) =>
      changedTo(
        current,
        type === 'date' ? now : new Timestamp({ t: Math.floor(now.getTime() / MS_PER_SECOND), i: 1 }),
      ),
  };
}

function currentDateType(path: string, operand: BsonValue): 'date' | 'timestamp' {
  if (typeof operand === 'boolean') return 'date';
  if (!isDocument(operand)) {
    throw mongoError(
      'BadValue',
      `${typeName(operand)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
    );
  }
  for (const name of operand.keys()) {
    if (name !== '$type') throw mongoError('BadValue', `Unrecognized $currentDate option: ${name}`);
  }
  const type = operand.get('$type');
  if (type !== 'date' && type !== 'timestamp') {
    throw mongoError(
      'BadValue',
      `The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: ${describeField(path, describeValue(operand))}}`,
    );
  }
  return type;
}
