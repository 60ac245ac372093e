import { type BsonValue, isNumeric } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { equalValues } from '../semantics/compare.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import type { Collection } from '../storage/collection.ts';
import type { IndexTable } from '../storage/index-table.ts';

/** What the client says about how to find the documents. */
export type Hint = { kind: 'natural'; direction: 1 | -1 } | { kind: 'index'; index: IndexTable };

/** Reads `hint`: an index's name, its key pattern, or `{$natural: ±1}`. */
export function readHint(collection: Collection, hint: BsonValue | undefined): Hint | undefined {
  if (hint === undefined || hint === null || (hint instanceof Map && hint.size === 0)) return undefined;
  if (hint instanceof Map && hint.has('$natural')) {
    const direction = hint.get('$natural');
    return { kind: 'natural', direction: isNumeric(direction) && toNearestDouble(direction) < 0 ? -1 : 1 };
  }
  if (typeof hint !== 'string' && !(hint instanceof Map)) {
    throw mongoError('FailedToParse', 'Hint must be a string or an object');
  }
  const index = collection.indexes.find(({ definition: { name, specification } }) => {
    // To a query a hidden index is not there.
    if (specification.get('hidden') === true) return false;
    return typeof hint === 'string'
      ? name === hint
      : equalValues(specification.get('key') as BsonValue, hint);
  });
  if (index !== undefined) return { kind: 'index', index };
  throw mongoError(
    'BadValue',
    'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index',
  );
}
