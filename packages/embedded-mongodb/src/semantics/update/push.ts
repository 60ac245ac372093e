import { type BsonValue, isDocument, isNumeric, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { spendForSort } from '../../computation-limit.ts';
import { compareValues } from '../compare.ts';
import { describeValue } from '../describe.ts';
import { toNearestDouble, wholeNumber } from '../numbers.ts';
import { splitPath, valueAtPath } from '../path.ts';
import { set } from './field-modifiers.ts';
import { assertArray, type Modify } from './modifier.ts';

type Order = (a: BsonValue, b: BsonValue) => number;

interface PushOptions {
  values: BsonValue[];
  position?: number;
  slice?: number;
  sort?: Order;
}

export function push(operand: BsonValue): Modify {
  const options = parsePush(operand);
  return (current, path) => {
    const array = current === undefined ? [] : current;
    assertArray('$push', array, path);
    const pushed = pushInto(array, options);
    // MongoDB counts every push of values as a change, even if $slice removes them again.
    return options.values.length > 0 ? pushed : set(pushed)(current, path);
  };
}

function pushInto(
  array: readonly BsonValue[],
  { values, position = array.length, slice, sort }: PushOptions,
): BsonValue[] {
  const pushed = [...array.slice(0, position), ...values, ...array.slice(position)];
  if (sort !== undefined) {
    spendForSort(pushed.length);
    pushed.sort(sort);
  }
  if (slice === undefined) return pushed;
  return slice < 0 ? pushed.slice(slice) : pushed.slice(0, slice);
}

const CLAUSES: Readonly<Record<string, (clause: BsonValue) => Partial<PushOptions>>> = {
  $each: (clause) => ({ values: parseEach(clause) }),
  $position: (clause) => ({ position: parseInteger('$position', clause) }),
  $slice: (clause) => ({ slice: parseInteger('$slice', clause) }),
  $sort: (clause) => ({ sort: parseOrder(clause) }),
};

function parsePush(operand: BsonValue): PushOptions {
  let options: PushOptions = { values: [operand] };
  if (!isDocument(operand) || !operand.has('$each')) return options;
  for (const [name, clause] of operand) {
    const parse = Object.hasOwn(CLAUSES, name) ? CLAUSES[name] : undefined;
    if (parse === undefined) throw mongoError('BadValue', `Unrecognized clause in $push: ${name}`);
    options = { ...options, ...parse(clause) };
  }
  return options;
}

function parseEach(clause: BsonValue): BsonValue[] {
  if (Array.isArray(clause)) return clause;
  throw mongoError('BadValue', `$each in $push must be an array, not ${typeName(clause)}`);
}

function parseInteger(name: string, clause: BsonValue): number {
  const number = wholeNumber(clause);
  if (number !== undefined) return Number(number);
  const given = describeValue(clause);
  throw mongoError('BadValue', `The value for ${name} must be an integer value but was given ${given}`);
}

/** `1` or `-1` sorts whole elements; `{field: 1}` sorts them by their fields. */
function parseOrder(clause: BsonValue): Order {
  if (isNumeric(clause)) return inDirection(parseDirection(clause), compareValues);
  if (!isDocument(clause) || clause.size === 0)
    throw mongoError('BadValue', 'The $sort is invalid: use 1/-1 or {field: 1/-1}');
  const orders = [...clause].map(([path, direction]) =>
    inDirection(parseDirection(direction), compareFields(parsePath(path))),
  );
  return (a, b) => orders.reduce((order, compare) => order || compare(a, b), 0);
}

function parseDirection(direction: BsonValue): number {
  const number = isNumeric(direction) ? toNearestDouble(direction) : 0;
  if (number === 1 || number === -1) return number;
  throw mongoError('BadValue', 'The $sort element value must be either 1 or -1');
}

function parsePath(path: string): string[] {
  const parts = splitPath(path);
  if (parts.includes('')) throw mongoError('BadValue', `The $sort field has an empty part: '${path}'`);
  return parts;
}

function inDirection(direction: number, compare: Order): Order {
  return (a, b) => direction * compare(a, b);
}

/** Unlike in a sort of documents, an array in the field compares as a whole. Scalars have no fields. */
function compareFields(parts: readonly string[]): Order {
  const field = (element: BsonValue) =>
    (isDocument(element) ? valueAtPath(element, parts) : undefined) ?? null;
  return (a, b) => compareValues(field(a), field(b));
}
