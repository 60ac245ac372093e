import type { BsonValue, Document } from '../../../bson/document.ts';
import { isDocument, isNumeric } from '../../../bson/document.ts';
import { mongoError } from '../../../bson/mongo-error.ts';
import { toNearestDouble } from '../../numbers.ts';

/** Whether a value conforms. */
export type Check = (value: BsonValue) => boolean;

/** One keyword of a schema, e.g. `minimum: 1`, with what it may need of its surroundings. */
export interface Keyword {
  keyword: string;
  operand: BsonValue;
  schema: Document;
  /** Compiles a schema within this one. */
  compile: (schema: BsonValue) => Check;
}

export type Keywords = Readonly<Record<string, (keyword: Keyword) => Check>>;

export const anything: Check = () => true;

export function negated(check: Check): Check {
  return (value) => !check(value);
}

/** A check of how large a value is. It says nothing about values that `sizeOf` knows no size of. */
export function sizeCheck(
  { operand, keyword }: Keyword,
  sizeOf: (value: BsonValue) => number | undefined,
  holds: (size: number, bound: number) => boolean,
): Check {
  const bound = isNumeric(operand) ? toNearestDouble(operand) : Number.NaN;
  if (!Number.isSafeInteger(bound) || bound < 0) {
    throw mongoError('FailedToParse', `$jsonSchema keyword '${keyword}' must be a non-negative integer`);
  }
  return (value) => {
    const size = sizeOf(value);
    return size === undefined || holds(size, bound);
  };
}

export function documentOperand(operand: BsonValue, keyword: string): Document {
  if (!isDocument(operand))
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be an object`);
  return operand;
}
