import type { BsonValue, Document } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { describeId } from '../describe.ts';
import { splitPath, valueAtPath } from '../path.ts';

export interface Rename {
  source: string;
  target: string;
}

/** `$rename` may neither take from nor put into an array, if there is something to rename. */
export function refuseArraysOnRenamePaths(renames: readonly Rename[], document: Document): void {
  for (const { source, target } of renames) {
    if (valueAtPath(document, splitPath(source)) === undefined) continue;
    refuseArrayOn('source', source, document);
    refuseArrayOn('destination', target, document);
  }
}

function refuseArrayOn(role: 'source' | 'destination', path: string, document: Document): void {
  if (!leadsThroughArray(document, splitPath(path))) return;
  throw mongoError(
    'BadValue',
    `The ${role} field cannot be an array element, '${path}' in doc with ${describeId(document)} has an array field`,
  );
}

function leadsThroughArray(document: Document, parts: readonly string[]): boolean {
  let current: BsonValue | undefined = document;
  for (const part of parts) {
    if (Array.isArray(current)) return true;
    current = current instanceof Map ? current.get(part) : undefined;
  }
  return false;
}
