import type { BsonValue } from '../../bson/document.ts';
import { compareValues, identicalValues } from '../compare.ts';
import { type Modify, REMOVED, UNCHANGED } from './modifier.ts';

export function set(value: BsonValue): Modify {
  return (current) => (current !== undefined && identicalValues(current, value) ? UNCHANGED : value);
}

export function unset(): Modify {
  return (current) => (current === undefined ? UNCHANGED : REMOVED);
}

/** Keeps the lower value in MongoDB's order. */
export function min(value: BsonValue): Modify {
  return (current) => (current === undefined || compareValues(value, current) < 0 ? value : UNCHANGED);
}

/** Keeps the higher value in MongoDB's order. */
export function max(value: BsonValue): Modify {
  return (current) => (current === undefined || compareValues(value, current) > 0 ? value : UNCHANGED);
}
