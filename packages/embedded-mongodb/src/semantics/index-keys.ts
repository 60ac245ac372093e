import { BSON_UNDEFINED, type BsonValue, type Document } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { fieldOf } from './path.ts';

/** One index entry's values in key-pattern order. */
export type KeyValues = BsonValue[];

export interface ExtractedKeys {
  keys: KeyValues[];
  /** For each field of the key pattern, whether an array lay on its path. */
  multikeyFields: boolean[];
}

type Path = readonly string[];

/**
 * The index entries of a document as MongoDB creates them: one per array element, fields under the same array
 * taken together, a missing field as null, an empty array as BSON undefined. A number in a path selects an array element.
 *
 * @throws CannotIndexParallelArrays when two fields lead through different arrays
 */
export function extractKeys(document: Document, paths: readonly Path[]): ExtractedKeys {
  const multikeyFields = paths.map(() => false);
  const plain = keyWithoutArrays(document, paths);
  if (plain !== undefined) return { keys: [plain], multikeyFields };
  const keys: KeyValues[] = [];
  collect(
    document,
    paths.map((rest) => ({ value: null, rest })),
    { keys, multikeyFields },
  );
  return { keys, multikeyFields };
}

/** The only key of a document that has no array on any of the paths; undefined for other documents. */
export function keyWithoutArrays(document: Document, paths: readonly Path[]): KeyValues | undefined {
  const key: KeyValues = [];
  for (const path of paths) {
    let current: BsonValue | undefined = document;
    for (const part of path) {
      current = current instanceof Map ? current.get(part) : undefined;
      if (Array.isArray(current)) return undefined;
    }
    key.push(current ?? null);
  }
  return key;
}

/** What a path has reached, and the part of it that is left. */
interface Position {
  value: BsonValue;
  rest: Path;
  /** Whether the value is an array to go through. */
  isPending?: boolean;
  /** Whether an index has selected it out of an array, and it is (or is in) an array itself. */
  isInNestedArray?: boolean;
}

/** A field of the key pattern on its way into the document. */
interface Field extends Position {
  /** Where the path leads if its next part is the index of an array element. */
  selected?: Position;
}

/** Follows the fields into a document that the array elements around it have led to, and adds the keys. */
function collect(document: Document, given: readonly Field[], found: ExtractedKeys): void {
  const fields = given.map((field) => (field.rest.length === 0 ? field : next(document, field)));
  const array = pendingArray(fields, found.multikeyFields);
  if (array === undefined) {
    found.keys.push(fields.map(({ value }) => value));
    return;
  }
  // An array that an index selects out of another array is one value: its elements have no keys of their own.
  const isOneValue = array.length > 0 && fields.some((field) => field.isPending && field.isInNestedArray);
  const onward = fields.map((field) =>
    field.isPending && field.rest.length > 0 ? select(array, field.rest) : field,
  );
  for (const element of array.length === 0 ? [BSON_UNDEFINED] : array) {
    const reached: Field = { value: isOneValue ? array : element, rest: [] };
    const inside = onward.map((field) => (field.isPending ? reached : field));
    collect(element instanceof Map ? element : new Map(), inside, found);
  }
}

/** The one array at which fields have stopped, or undefined when all have arrived. */
function pendingArray(fields: readonly Field[], multikeyFields: boolean[]): BsonValue[] | undefined {
  let pending: BsonValue[] | undefined;
  for (const [at, { value, isPending }] of fields.entries()) {
    if (!isPending) continue;
    if (pending !== undefined && pending !== value)
      throw mongoError('CannotIndexParallelArrays', 'cannot index parallel arrays');
    pending = value as BsonValue[];
    multikeyFields[at] = true;
  }
  return pending;
}

/** Takes a field to its end or to the next array. */
function next(document: Document, { rest, selected }: Field): Field {
  const hasField = document.has(rest[0] as string);
  if (hasField && selected !== undefined) {
    throw mongoError(16746, `Ambiguous field name found in array: '${rest[0]}' is an index and a field name`);
  }
  if (hasField) return follow(document, rest);
  return selected ?? { value: null, rest: [] };
}

function select(array: BsonValue[], rest: Path): Field {
  const element = fieldOf(array, rest[0] as string);
  if (element === undefined) return { value: null, rest };
  const selected = { ...follow(array, rest), isInNestedArray: Array.isArray(element) };
  return { value: null, rest, selected };
}

/** Follows a path through documents until it ends or meets an array; null where it leads to nothing. */
function follow(start: Document | BsonValue[], path: Path): Position {
  let value: BsonValue | undefined = fieldOf(start, path[0] as string);
  let depth = 1;
  for (; depth < path.length && !Array.isArray(value); depth++) value = fieldOf(value, path[depth] as string);
  return { value: value ?? null, rest: path.slice(depth), isPending: Array.isArray(value) };
}
