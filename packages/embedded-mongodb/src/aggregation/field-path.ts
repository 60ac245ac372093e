import type { BsonValue, Document } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';

/** Splits the path of an expression or of a stage's field. Throws MongoDB's errors on paths it refuses. */
export function parseFieldPath(path: string): string[] {
  if (path === '') throw mongoError(40352, 'FieldPath cannot be constructed with empty string');
  if (path.endsWith('.')) throw mongoError(40353, "FieldPath must not end with a '.'.");
  const parts = path.split('.');
  for (const part of parts) {
    if (part === '') throw mongoError(15998, 'FieldPath field names may not be empty strings.');
    if (part.startsWith('$')) {
      throw mongoError(
        16410,
        `FieldPath field names may not start with '$'. Consider using $getField or $setField.`,
      );
    }
    if (part.includes('\0')) throw mongoError(16411, 'FieldPath field names may not contain null bytes.');
  }
  return parts;
}

/**
 * The value that `$a.b.c` means: through an array it is the array of its documents' values. Unlike in filters
 * a number is only ever a name.
 */
export function valueAtFieldPath(
  value: BsonValue | undefined,
  parts: readonly string[],
  start = 0,
): BsonValue | undefined {
  let current = value;
  for (let at = start; at < parts.length; at++) {
    if (current instanceof Map) current = current.get(parts[at] as string);
    else if (Array.isArray(current)) return valuesInArray(current, parts, at);
    else return undefined;
  }
  return current;
}

function valuesInArray(array: readonly BsonValue[], parts: readonly string[], at: number): BsonValue[] {
  const values: BsonValue[] = [];
  for (const element of array) {
    const value = element instanceof Map ? valueAtFieldPath(element, parts, at) : undefined;
    if (value !== undefined) values.push(value);
  }
  return values;
}

/** The document with a value at a path through documents, which are made where there are none. */
export function withValueAt(
  document: Document,
  [name, ...rest]: readonly string[],
  value: BsonValue,
): Document {
  const inner = document.get(name as string);
  const next = rest.length === 0 ? value : withValueAt(inner instanceof Map ? inner : new Map(), rest, value);
  return new Map(document).set(name as string, next);
}
