import { BSONRegExp } from 'bson';
import { type BsonValue, type Document, Double, Int32 } from '../src/bson/document.ts';
import type { MongoError } from '../src/bson/mongo-error.ts';

/** What `doc` takes: plain JavaScript for the common types, and BSON values as they are. */
export type Shorthand = BsonValue | number | RegExp | undefined | Shorthand[] | { [name: string]: Shorthand };

/** A BSON value of plain JavaScript: numbers become int32 where they fit, else double, objects documents. */
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

/** A Document of a plain object; a Map is taken as it is, for names in an order of their own. */
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

/** The code of the MongoDB error that the function throws; fails on any other error and on none. */
export function codeOf(run: () => unknown): number {
  try {
    run();
  } catch (error) {
    if ((error as Error).name !== 'MongoError') throw error;
    return (error as MongoError).code;
  }
  throw new Error('no error was thrown');
}
