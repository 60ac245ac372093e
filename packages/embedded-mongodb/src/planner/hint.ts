import { type BsonValue, isNumeric } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { equalValues } from '../semantics/compare.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import type { Collection } from '../storage/collection.ts';
import type { IndexTable } from '../storage/index-table.ts';

/** How the client requests to find the documents. */
export type Hint = { kind: 'natural'; direction: 1 | -1 } | { kind: 'index'; index: IndexTable };

/** Reads `hint`: the name of an index, its key pattern, or `{$natural: ±1}`. */
export function readHint(collection: Collection, hint: BsonValue | undefined): Hint | undefined {
  if (hint === undefined) return undefined;
  if (hint instanceof Map) {
    if (hint.size === 0) return undefined;
    const natural = hint.get('$natural');
    if (natural !== undefined) return { kind: 'natural', direction: naturalDirection(natural) };
  }
  const index = collection.indexes.find(({ definition: { name, key } }) =>
    hint instanceof Map ? equalValues(key, hint) : name === hint,
  );
  if (index !== undefined) return { kind: 'index', index };
  throw mongoError(
    'BadValue',
    'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index',
  );
}

function naturalDirection(value: BsonValue): 1 | -1 {
  const direction = isNumeric(value) ? toNearestDouble(value) : undefined;
  if (direction === 1 || direction === -1) return direction;
  throw mongoError('BadValue', '$natural sort cannot be set to a value other than -1 or 1.');
}
