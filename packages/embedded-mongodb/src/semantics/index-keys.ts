import { BSON_UNDEFINED, type BsonValue, type Document } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';

/** One index entry's values in key-pattern order. */
export type KeyValues = BsonValue[];

export interface ExtractedKeys {
  keys: KeyValues[];
  /** For each field of the key pattern, whether an array lay on its path. */
  multikeyFields: boolean[];
}

/** Stands for a path that leads nowhere; stored as null, told apart only for sparse indexes. */
const MISSING = Symbol('missing');

/** How far one field of the key pattern has been followed. */
interface Position {
  value: BsonValue | typeof MISSING;
  rest: readonly string[];
}

const DIGITS = /^\d+$/;

/**
 * The index entries of a document as MongoDB makes them: one per array element, fields under the same array
 * taken together, a missing field as null, an empty array as BSON undefined.
 *
 * @throws CannotIndexParallelArrays when two fields lead through different arrays.
 */
export function extractKeys(
  document: Document,
  paths: readonly (readonly string[])[],
  sparse: boolean,
): ExtractedKeys {
  const found: ExtractedKeys = { keys: [], multikeyFields: paths.map(() => false) };
  collect(
    paths.map((path) => follow(document, path)),
    sparse,
    found,
  );
  return found;
}

function collect(positions: Position[], sparse: boolean, found: ExtractedKeys): void {
  const array = pendingArray(positions, found.multikeyFields);
  if (array === undefined) {
    if (sparse && positions.every(({ value }) => value === MISSING)) return;
    found.keys.push(positions.map(({ value }) => (value === MISSING ? null : value)));
    return;
  }
  if (array.length === 0) {
    collect(
      positions.map((position) => (position.value === array ? emptyArray(position) : position)),
      sparse,
      found,
    );
    return;
  }
  for (const element of array) {
    collect(
      positions.map((position) => (position.value === array ? intoElement(element, position) : position)),
      sparse,
      found,
    );
  }
}

/** The one array at which fields have stopped, or undefined when all have arrived. */
function pendingArray(positions: Position[], multikeyFields: boolean[]): BsonValue[] | undefined {
  let pending: BsonValue[] | undefined;
  positions.forEach(({ value, rest }, field) => {
    if (!Array.isArray(value) || rest === ARRIVED) return;
    if (pending !== undefined && pending !== value) {
      throw mongoError('CannotIndexParallelArrays', 'cannot index parallel arrays');
    }
    pending = value;
    multikeyFields[field] = true;
  });
  return pending;
}

/** Marks an array that is itself the value, being an element of an array: it is not opened again. */
const ARRIVED: readonly string[] = Object.freeze([]);

function emptyArray({ rest }: Position): Position {
  return { value: rest.length === 0 ? BSON_UNDEFINED : MISSING, rest: ARRIVED };
}

function intoElement(element: BsonValue, { rest }: Position): Position {
  if (rest.length === 0) return { value: element, rest: ARRIVED };
  // A path does not pass through an array directly inside an array.
  if (!(element instanceof Map)) return { value: MISSING, rest: ARRIVED };
  return follow(element, rest);
}

/** Follows a path through documents and explicit array positions until it ends or meets an array. */
function follow(start: Document, path: readonly string[]): Position {
  let value: BsonValue | typeof MISSING = start;
  for (let depth = 0; depth < path.length; depth++) {
    const name = path[depth] as string;
    if (value instanceof Map) {
      value = value.has(name) ? (value.get(name) as BsonValue) : MISSING;
    } else if (Array.isArray(value)) {
      if (!DIGITS.test(name)) return { value, rest: path.slice(depth) };
      const position = Number(name);
      value = position < value.length ? (value[position] as BsonValue) : MISSING;
    } else {
      return { value: MISSING, rest: ARRIVED };
    }
  }
  return { value, rest: [] };
}
