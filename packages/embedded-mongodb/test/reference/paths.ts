import type { BsonValue, Document } from '../../src/bson/document.ts';
import { compare, type Maybe } from './order.ts';
import { Rejected } from './rejected.ts';

/** A document, or an array read as a document whose names are the positions. */
export type Container = Document | BsonValue[];

const isContainer = (value: Maybe): value is Container => value instanceof Map || Array.isArray(value);

function fieldOf(container: Container, name: string): Maybe {
  if (container instanceof Map) return container.get(name);
  return /^(0|[1-9]\d*)$/.test(name) ? container[Number(name)] : undefined;
}

/**
 * The values that a filter condition on the path is tested on; undefined stands for a missing field. The fields of
 * documents in an array are all looked at, and so is the element that a number in the path names.
 * @param expandsLast whether an array at the end of the path counts as its elements and itself, or as itself only
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

/** The values of `distinct`: the elements of an array count, the array itself does not. */
export function distinctValues(container: Container, path: readonly string[]): BsonValue[] {
  const [name, ...rest] = path as [string, ...string[]];
  const value = fieldOf(container, name);
  if (rest.length === 0) return value === undefined ? [] : Array.isArray(value) ? value : [value];
  if (value instanceof Map) return distinctValues(value, rest);
  if (!Array.isArray(value)) return [];
  if (/^\d+$/.test(rest[0] as string)) return distinctValues(value, rest);
  return value.flatMap((element) => (isContainer(element) ? distinctValues(element, rest) : []));
}

/** The value at the path without any look into arrays but by position. */
export function valueAt(container: Container, path: readonly string[]): Maybe {
  let value: Maybe = container;
  for (const name of path) {
    if (!isContainer(value)) return undefined;
    value = fieldOf(value, name);
  }
  return value;
}

/** A path on its way into a document: what is left of it, and the element that a position in it has led to. */
interface Pending {
  path: readonly string[];
  positional?: { value: Maybe; path: readonly string[]; isNested: boolean };
}

/**
 * The keys that an index on the paths has for the document, which are also the keys it is sorted by: one for each
 * element of an array. A missing field counts as null, an empty array as undefined (which sorts before null).
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

/** Goes down as far as there is no array; gives the value and what is left of the path. */
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
  /** The places in the key whose paths go through the array. */
  through: ReadonlySet<number>;
  fixed: readonly Maybe[];
  /** An array that a position in the path has led to out of another array: it is not expanded. */
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

/** The order of keys with a direction for each place. */
export function compareKeys(a: readonly Maybe[], b: readonly Maybe[], directions: readonly number[]): number {
  for (const [index, direction] of directions.entries()) {
    const order = compare(a[index], b[index]) * direction;
    if (order !== 0) return order;
  }
  return 0;
}
