import type { BsonValue } from '../bson/document.ts';
import { type Collation, parseCollation } from '../semantics/collation.ts';
import type { Collection } from '../storage/collection.ts';

/**
 * How an operation compares strings: as its `collation` says, else as the collection does by default; undefined:
 * by their bytes.
 */
export function collationFor(
  given: BsonValue | undefined,
  collection: Collection | undefined,
): Collation | undefined {
  const isGiven = given instanceof Map ? given.size > 0 : given !== undefined && given !== null;
  return parseCollation(isGiven ? given : collection?.options.get('collation'));
}
