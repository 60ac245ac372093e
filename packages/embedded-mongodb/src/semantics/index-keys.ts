import { BSON_UNDEFINED, type BsonValue, type Document } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { fieldOf } from './path.ts';

/** One index entry's values in key-pattern order. */
export type KeyValues = BsonValue[];

export interface ExtractedKeys {
  keys: KeyValues[];
  /** For each field of the key pattern, whether its path leads through an array. */
  multikeyFields: boolean[];
}

type Path = readonly string[];

/**
 * Returns the index entries of a document as MongoDB creates them: one per array element, with the fields under the same
 * array together. A missing field is null, and an empty array is BSON undefined. A number in a path selects an element.
 *
 * @throws CannotIndexParallelArrays if two fields lead through different arrays
 * @throws CannotCreateIndex as soon as there are more than `maxKeys` entries
 */
export function extractKeys(
  document: Document,
  paths: readonly Path[],
  maxKeys = Number.POSITIVE_INFINITY,
): ExtractedKeys {
  const multikeyFields = paths.map(() => false);
  const plain = keyWithoutArrays(document, paths);
  if (plain !== undefined) return { keys: [plain], multikeyFields };
  const keys: KeyValues[] = [];
  collect(
    document,
    paths.map((rest) => ({ value: null, rest })),
    { keys, multikeyFields, maxKeys },
  );
  return { keys, multikeyFields };
}

/** The only key of a document without arrays on the paths; undefined for other documents. */
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

/** The value that a path has reached, and the rest of the path. */
interface Position {
  value: BsonValue;
  rest: Path;
  /** Whether the value is an array whose elements are to be visited. */
  isPending?: boolean;
  /** Whether an index in the path selected the value from an array, and it is, or is within, an array itself. */
  isInNestedArray?: boolean;
}

/** The position of a field of the key pattern in the document. */
interface Field extends Position {
  /** The position if the next part of the path is the index of an array element. */
  selected?: Position;
}

/** Follows the fields into a document, which may be an array element, and adds the keys. */
function collect(
  document: Document,
  given: readonly Field[],
  found: ExtractedKeys & { maxKeys: number },
): void {
  const fields = given.map((field) => (field.rest.length === 0 ? field : next(document, field)));
  const array = pendingArray(fields, found.multikeyFields);
  if (array === undefined) {
    if (found.keys.push(fields.map(({ value }) => value)) <= found.maxKeys) return;
    throw mongoError(
      'CannotCreateIndex',
      `A document has more than ${found.maxKeys} entries in one index. Store fewer array elements, or do not index the array.`,
    );
  }
  // An array that an index selects from another array is one value: its elements have no keys of their own.
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

/** The array at which fields have stopped; undefined if all fields have reached their values. */
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

/** Moves a field to the end of its path or to the next array. */
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

/** Follows a path through documents until it ends or reaches an array; null if nothing is at the path. */
function follow(start: Document | BsonValue[], path: Path): Position {
  let value: BsonValue | undefined = fieldOf(start, path[0] as string);
  let depth = 1;
  for (; depth < path.length && !Array.isArray(value); depth++) value = fieldOf(value, path[depth] as string);
  return { value: value ?? null, rest: path.slice(depth), isPending: Array.isArray(value) };
}
