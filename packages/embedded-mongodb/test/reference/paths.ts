import type { BsonValue, Document } from '../../src/bson/document.ts';
import { compare, type Maybe } from './order.ts';
import { Rejected } from './rejected.ts';

/** A document, or an array that acts as a document with the indexes as names. */
export type Container = Document | BsonValue[];

const isContainer = (value: Maybe): value is Container => value instanceof Map || Array.isArray(value);

function fieldOf(container: Container, name: string): Maybe {
  if (container instanceof Map) return container.get(name);
  return /^(0|[1-9]\d*)$/.test(name) ? container[Number(name)] : undefined;
}

/**
 * The values that a filter condition on the path applies to; undefined stands for a missing field. They include the
 * fields of all documents in an array and the element at an index in the path.
 * @param expandsLast whether the values include the elements of an array at the end of the path
 */
export function valuesAt(container: Container, path: readonly string[], expandsLast: boolean): Maybe[] {
  let value = fieldOf(container, path[0] as string);
  let rest = path.slice(1);
  while (rest.length > 0 && value instanceof Map) {
    value = value.get(rest[0] as string);
    rest = rest.slice(1);
  }
  if (Array.isArray(value)) return valuesInArray(value, rest, expandsLast);
  return rest.length > 0 ? [undefined] : [value];
}

function valuesInArray(array: BsonValue[], path: readonly string[], expandsLast: boolean): Maybe[] {
  const [name, ...rest] = path;
  if (name === undefined) return expandsLast ? [...array, array] : [array];
  return array.flatMap((element, position) => {
    const inFields = element instanceof Map ? valuesAt(element, path, expandsLast) : [];
    if (name !== String(position)) return inFields;
    if (rest.length === 0) return [...inFields, element];
    if (element instanceof Map) return [...inFields, ...valuesAt(element, rest, expandsLast)];
    return Array.isArray(element) ? valuesInArray(element, rest, expandsLast) : [];
  });
}

/** The values of `distinct`, which include the elements of an array but not the array itself. */
export function distinctValues(container: Container, path: readonly string[]): BsonValue[] {
  const [name, ...rest] = path as [string, ...string[]];
  const value = fieldOf(container, name);
  if (rest.length === 0) return value === undefined ? [] : Array.isArray(value) ? value : [value];
  if (value instanceof Map) return distinctValues(value, rest);
  if (!Array.isArray(value)) return [];
  if (/^\d+$/.test(rest[0] as string)) return distinctValues(value, rest);
  return value.flatMap((element) => (isContainer(element) ? distinctValues(element, rest) : []));
}

/** The progress of a path in a document: the rest of the path, and the element that an index selected. */
interface Pending {
  path: readonly string[];
  positional?: { value: Maybe; path: readonly string[]; isNested: boolean };
}

/**
 * The keys of the document in an index on the paths, by which it also sorts: one for each element of an array. A missing
 * field counts as null, an empty array as undefined (which sorts before null).
 */
export function keysOf(document: Document, paths: readonly (readonly string[])[]): Maybe[][] {
  const keys: Maybe[][] = [];
  const fixed = paths.map((): Maybe => null);
  collectKeys(
    document,
    paths.map((path) => ({ path })),
    fixed,
    keys,
  );
  return keys;
}

/** Follows the path until it ends or reaches an array. Returns the value and the rest of the path. */
function descend(container: Container, path: readonly string[]): { value: Maybe; path: readonly string[] } {
  let value = fieldOf(container, path[0] as string);
  let rest = path.slice(1);
  while (rest.length > 0 && value instanceof Map) {
    value = value.get(rest[0] as string);
    rest = rest.slice(1);
  }
  return rest.length > 0 && !Array.isArray(value) ? { value: undefined, path: [] } : { value, path: rest };
}

function step(container: Document, { path, positional }: Pending) {
  const isField = container.has(path[0] as string);
  if (isField && positional !== undefined) throw new Rejected('ambiguous field name in array', 16746);
  if (isField) return { ...descend(container, path), isNested: false };
  if (positional === undefined) return { value: undefined, path: [], isNested: false };
  return positional;
}

function collectKeys(
  container: Document,
  pending: readonly Pending[],
  given: readonly Maybe[],
  keys: Maybe[][],
): void {
  const fixed = [...given];
  const left: (readonly string[])[] = pending.map(({ path }) => path);
  const through = new Set<number>();
  let array: BsonValue[] | undefined;
  let isNestedArray = false;
  for (const [index, one] of pending.entries()) {
    if (one.path.length === 0) continue;
    const found = step(container, one);
    left[index] = found.path;
    if (!Array.isArray(found.value)) {
      fixed[index] = found.value ?? null;
      continue;
    }
    if (array !== undefined && array !== found.value) throw new Rejected('parallel arrays', 171);
    array = found.value;
    isNestedArray ||= found.isNested;
    through.add(index);
  }
  if (array === undefined) keys.push(fixed);
  else expandArray(array, { left, through, fixed, isNestedArray }, keys);
}

interface Expansion {
  left: readonly (readonly string[])[];
  /** The positions in the key whose paths lead through the array. */
  through: ReadonlySet<number>;
  fixed: readonly Maybe[];
  /** Whether an index in the path selected the array from another array. It is then not expanded. */
  isNestedArray: boolean;
}

function expandArray(array: BsonValue[], expansion: Expansion, keys: Maybe[][]): void {
  const { left, through, fixed, isNestedArray } = expansion;
  const pending = left.map((path): Pending => {
    const element = path[0] === undefined ? undefined : fieldOf(array, path[0]);
    if (element === undefined) return { path };
    return { path, positional: { ...descend(array, path), isNested: Array.isArray(element) } };
  });
  for (const element of array.length === 0 ? [undefined] : array) {
    const last = isNestedArray && array.length > 0 ? array : element;
    const next = fixed.map((value, index) =>
      through.has(index) && left[index]?.length === 0 ? last : value,
    );
    collectKeys(element instanceof Map ? element : new Map(), pending, next, keys);
  }
}

/** Compares keys with a direction for each position. */
export function compareKeys(a: readonly Maybe[], b: readonly Maybe[], directions: readonly number[]): number {
  for (const [index, direction] of directions.entries()) {
    const order = compare(a[index], b[index]) * direction;
    if (order !== 0) return order;
  }
  return 0;
}
