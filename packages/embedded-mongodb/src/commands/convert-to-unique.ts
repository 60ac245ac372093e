import { type BsonValue, type Document, decode, documentOf } from '../bson/document.ts';
import { MongoError, notImplemented } from '../bson/mongo-error.ts';
import type { Collection } from '../storage/collection.ts';
import type { IndexTable } from '../storage/index-table.ts';

/** Code 359, with the `_id`s of the documents that share a key. */
export class CannotConvertToUniqueError extends MongoError {
  readonly violations: Document[];

  constructor(violations: Document[]) {
    super(
      359,
      'CannotConvertIndexToUnique',
      'Cannot convert the index to unique. Please resolve conflicting documents before running collMod again.',
    );
    this.violations = violations;
  }
}

/** Refuses to make an index unique over documents that share a key. */
export function assertConvertible(collection: Collection, index: IndexTable): void {
  // Under a collation keys can be the same without their values being equal.
  if (index.definition.collation !== undefined)
    throw notImplemented('making an index with a collation unique');
  const idsByKey = new Map<string, BsonValue[]>();
  for (const [, bytes] of collection.scan(1)) {
    const document = decode(bytes);
    for (const { key } of index.entriesOf(document).entries) {
      const text = Buffer.from(key).toString('latin1');
      idsByKey.set(text, [...(idsByKey.get(text) ?? []), document.get('_id') ?? null]);
    }
  }
  const violations = [...idsByKey.values()].filter((ids) => ids.length > 1).map((ids) => documentOf({ ids }));
  if (violations.length > 0) throw new CannotConvertToUniqueError(violations);
}
