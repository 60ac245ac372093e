import { type BsonValue, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';

/** The outcome if the value does not change. */
export const UNCHANGED = Symbol('unchanged');
/** The outcome if the field is removed. An array element becomes null. */
export const REMOVED = Symbol('removed');

export type Outcome = BsonValue | typeof UNCHANGED | typeof REMOVED;

/** Returns the new value of a field. `current` is undefined if the field is missing. `path` is for messages. */
export type Modify = (current: BsonValue | undefined, path: string) => Outcome;

/** An update operator. */
export interface Modifier {
  /** Checks the operand for a path. Throws MongoDB's errors. */
  parse(operand: BsonValue, path: string): Modify;
  /** Whether the operator applies only to documents that an upsert inserts. */
  isForInsert?: boolean;
  /** Whether the operator changes nothing, instead of throwing PathNotViable, if the path leads through a scalar. */
  ignoresBlockedPath?: boolean;
}

/** @throws MongoDB's error for a value of another type */
export function assertArray(operator: string, value: BsonValue, path: string): asserts value is BsonValue[] {
  if (Array.isArray(value)) return;
  throw mongoError('BadValue', `Cannot apply ${operator} to the field '${path}' of type ${typeName(value)}`);
}
