import type { BsonValue, Document } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { describeId } from '../describe.ts';
import { splitPath } from '../path.ts';

/** `$rename` may neither take from nor put into an array. `paths` are its sources and targets in turn. */
export function refuseArraysOnRenamePaths(paths: readonly string[], document: Document): void {
  paths.forEach((path, index) => {
    if (leadsThroughArray(document, splitPath(path))) {
      const role = index % 2 === 0 ? 'source' : 'destination';
      throw mongoError(
        'BadValue',
        `The ${role} field cannot be an array element, '${path}' in doc with ${describeId(document)} has an array field`,
      );
    }
  });
}

function leadsThroughArray(document: Document, parts: readonly string[]): boolean {
  let current: BsonValue | undefined = document;
  for (const part of parts) {
    if (Array.isArray(current)) return true;
    current = current instanceof Map ? current.get(part) : undefined;
  }
  return false;
}
