import type { BsonValue, Document } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { spendSteps } from '../computation-limit.ts';

const ARRAY_INDEX = /^(?:0|[1-9]\d*)$/;

/** MongoDB's limit. Documents cannot nest deeper. */
const MAX_PATH_LENGTH = 200;

export function splitPath(path: string): string[] {
  if (!path.includes('.')) return [path];
  const parts = path.split('.');
  assertPathLength(parts);
  return parts;
}

export function assertPathLength(parts: readonly string[]): void {
  if (parts.length > MAX_PATH_LENGTH)
    throw mongoError('Overflow', `FieldPath is too long: it has more than ${MAX_PATH_LENGTH} parts`);
}

/** Whether the part of a path can name an array element: digits without a leading zero. */
export function isArrayIndex(part: string): boolean {
  return ARRAY_INDEX.test(part);
}

/** The field of a document, or the element of an array at an index. */
export function fieldOf(value: BsonValue | undefined, part: string): BsonValue | undefined {
  if (value instanceof Map) return value.get(part);
  return Array.isArray(value) && isArrayIndex(part) ? value[Number(part)] : undefined;
}

/** A condition on the values at the end of a path. */
export interface PathTest {
  /** Whether the test also applies to the elements of an array at the end of the path, as for most predicates. */
  readonly expandsLeafArray: boolean;
  /** Undefined stands for a missing field. */
  test(value: BsonValue | undefined): boolean;
}

/**
 * Whether any of the values that a dotted path reaches in the document passes the test. By MongoDB's rules, a path
 * through an array continues in those of its elements that are documents (without any, the path reaches no value), and
 * a number in the path also selects the element at that index.
 */
export function anyValueAtPath(
  document: Document,
  parts: readonly string[],
  target: PathTest,
  start = 0,
): boolean {
  let current = document;
  for (let at = start; ; at++) {
    const value = current.get(parts[at] as string);
    if (at === parts.length - 1) return anyAtEnd(value, target);
    if (value instanceof Map) current = value;
    else if (Array.isArray(value)) return anyInArray(value, parts, at + 1, target);
    else return target.test(undefined);
  }
}

const ELEMENTS_PER_STEP = 4;

function anyAtEnd(value: BsonValue | undefined, target: PathTest): boolean {
  if (!Array.isArray(value) || !target.expandsLeafArray) return target.test(value);
  spendSteps(value.length / ELEMENTS_PER_STEP);
  for (let index = 0; index < value.length; index++) {
    if (target.test(value[index] as BsonValue)) return true;
  }
  return target.test(value);
}

function anyInArray(
  array: readonly BsonValue[],
  parts: readonly string[],
  at: number,
  target: PathTest,
): boolean {
  spendSteps(array.length);
  for (let index = 0; index < array.length; index++) {
    const element = array[index] as BsonValue;
    if (element instanceof Map && anyValueAtPath(element, parts, target, at)) return true;
  }
  const named = fieldOf(array as BsonValue[], parts[at] as string);
  if (named === undefined) return false;
  if (at === parts.length - 1) return target.test(named);
  if (named instanceof Map) return anyValueAtPath(named, parts, target, at + 1);
  return Array.isArray(named) && anyInArray(named, parts, at + 1, target);
}

/**
 * The values that `distinct` finds at a path. An array stands for its elements. Within the path, it stands for one
 * element if the path continues with its index.
 */
export function distinctValues(value: BsonValue, [part, ...rest]: readonly string[]): BsonValue[] {
  const found = fieldOf(value, part as string);
  if (found === undefined) return [];
  if (Array.isArray(found)) spendSteps(found.length);
  if (rest.length === 0) return Array.isArray(found) ? found : [found];
  if (Array.isArray(found) && !/^\d+$/.test(rest[0] as string))
    return found.flatMap((element) => distinctValues(element, rest));
  return distinctValues(found, rest);
}
