import { BSONRegExp } from 'bson';
import { type BsonValue, type Document, Double, Int32 } from '../src/bson/document.ts';
import type { MongoError } from '../src/bson/mongo-error.ts';

/** The input of `doc`: plain JavaScript values for the common types, or BSON values. */
export type Shorthand = BsonValue | number | RegExp | undefined | Shorthand[] | { [name: string]: Shorthand };

/** Converts plain JavaScript to BSON: numbers to int32 if they fit, otherwise to double, and objects to documents. */
export function value(shorthand: Shorthand): BsonValue {
  if (typeof shorthand === 'number') {
    return shorthand === (shorthand | 0) && !Object.is(shorthand, -0)
      ? new Int32(shorthand)
      : new Double(shorthand);
  }
  if (shorthand instanceof RegExp) return new BSONRegExp(shorthand.source, shorthand.flags);
  if (Array.isArray(shorthand)) return shorthand.map(value);
  if (isPlainObject(shorthand)) return doc(shorthand);
  return shorthand as BsonValue;
}

/** Converts a plain object to a document. A Map stays as it is, for names that an object would reorder. */
export function doc(fields: { [name: string]: Shorthand }): Document {
  return new Map(Object.entries(fields).map(([name, field]) => [name, value(field)]));
}

function isPlainObject(candidate: unknown): candidate is { [name: string]: Shorthand } {
  return (
    typeof candidate === 'object' &&
    candidate !== null &&
    Object.getPrototypeOf(candidate) === Object.prototype
  );
}

/** The code of the MongoError that the function throws. Fails on any other error or without an error. */
export function codeOf(run: () => unknown): number {
  try {
    run();
  } catch (error) {
    if ((error as Error).name !== 'MongoError') throw error;
    return (error as MongoError).code;
  }
  throw new Error('no error was thrown');
}
