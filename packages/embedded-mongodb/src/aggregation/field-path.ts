import type { BsonValue } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { spendSteps } from '../computation-limit.ts';
import { assertPathLength } from '../semantics/path.ts';

/** Splits the path in an expression or of a stage's field. Throws MongoDB's errors for an invalid path. */
export function parseFieldPath(path: string): string[] {
  if (path === '') throw mongoError(40352, 'FieldPath cannot be constructed with empty string');
  if (path.endsWith('.')) throw mongoError(40353, "FieldPath must not end with a '.'.");
  const parts = path.split('.');
  assertPathLength(parts);
  parts.forEach(assertFieldName);
  return parts;
}

/** Throws MongoDB's errors for a name that a field computed by an expression cannot have. */
export function assertFieldName(name: string): void {
  if (name === '') throw mongoError(15998, 'FieldPath field names may not be empty strings.');
  if (name.startsWith('$'))
    throw mongoError(16410, `FieldPath field names may not start with '$': '${name}'.`);
  if (name.includes('\0')) throw mongoError(16411, 'FieldPath field names may not contain null bytes.');
  if (name.includes('.')) throw mongoError(16412, `FieldPath field names may not contain '.': '${name}'.`);
}

/**
 * Resolves `$a.b.c`. A path through an array results in the array of its documents' values. Unlike in a filter, a number
 * in the path is always a field name.
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
  spendSteps(array.length);
  return array
    .map((element) => (element instanceof Map ? valueAtFieldPath(element, parts, at) : undefined))
    .filter((value) => value !== undefined);
}
