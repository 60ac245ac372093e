import type { BsonValue, Document } from '../bson/document.ts';

const ARRAY_INDEX = /^(?:0|[1-9]\d*)$/;
const ALL_DIGITS = /^\d+$/;

export function splitPath(path: string): string[] {
  return path.includes('.') ? path.split('.') : [path];
}

/** Whether the part of a path may name a place in an array: digits without a leading zero. */
export function isArrayIndex(part: string): boolean {
  return ARRAY_INDEX.test(part);
}

/** What a walk along a path is to do at its end. */
export interface PathTest {
  /** Whether an array at the end stands for its elements (and then for itself), as most predicates want. */
  readonly expandsLeafArray: boolean;
  /** Told the value, or undefined where the path leads to nothing. */
  test(value: BsonValue | undefined): boolean;
}

/** Where in an array a match was found: the index that the positional `$` stands for. */
export interface MatchPosition {
  index: number | undefined;
}

/**
 * Whether any of the values that a dotted path reaches in the document passes the test. MongoDB's rules:
 * an array in the middle stands for its elements that are documents (nothing else, so an array without any
 * reaches no value at all), and a number in the path also stands for the element at that place.
 */
export function anyValueAtPath(
  document: Document,
  parts: readonly string[],
  target: PathTest,
  position?: MatchPosition,
): boolean {
  return anyInDocument(document, parts, 0, target, position);
}

function anyInDocument(
  document: Document,
  parts: readonly string[],
  start: number,
  target: PathTest,
  position: MatchPosition | undefined,
): boolean {
  let current = document;
  for (let at = start; ; at++) {
    const value = current.get(parts[at] as string);
    if (at === parts.length - 1) return anyAtEnd(value, target, position);
    if (value instanceof Map) current = value;
    else if (Array.isArray(value)) return anyInArray(value, parts, at + 1, target, position);
    else return target.test(undefined);
  }
}

function anyAtEnd(
  value: BsonValue | undefined,
  target: PathTest,
  position: MatchPosition | undefined,
): boolean {
  if (!Array.isArray(value) || !target.expandsLeafArray) return target.test(value);
  for (let index = 0; index < value.length; index++) {
    if (target.test(value[index] as BsonValue)) {
      if (position !== undefined) position.index = index;
      return true;
    }
  }
  return target.test(value);
}

function anyInArray(
  array: readonly BsonValue[],
  parts: readonly string[],
  at: number,
  target: PathTest,
  position: MatchPosition | undefined,
): boolean {
  const part = parts[at] as string;
  const named = ALL_DIGITS.test(part) ? part : undefined;
  for (let index = 0; index < array.length; index++) {
    const element = array[index] as BsonValue;
    if (element instanceof Map && anyInDocument(element, parts, at, target, position)) {
      // The outermost array that was gone through implicitly gives the position.
      if (position !== undefined) position.index = index;
      return true;
    }
    if (named === String(index) && anyAtIndex(element, parts, at, target, position)) return true;
  }
  return false;
}

function anyAtIndex(
  element: BsonValue,
  parts: readonly string[],
  at: number,
  target: PathTest,
  position: MatchPosition | undefined,
): boolean {
  if (at === parts.length - 1) return target.test(element);
  if (element instanceof Map) return anyInDocument(element, parts, at + 1, target, position);
  if (Array.isArray(element)) return anyInArray(element, parts, at + 1, target, position);
  return false;
}

/** The value at the path going through documents and, by number, arrays; no array stands for its elements. */
export function valueAtPath(document: Document, parts: readonly string[]): BsonValue | undefined {
  let current: BsonValue | undefined = document;
  for (const part of parts) {
    if (current instanceof Map) current = current.get(part);
    else if (Array.isArray(current) && isArrayIndex(part)) current = current[Number(part)];
    else return undefined;
  }
  return current;
}
