import type { mongo } from 'mongoose';
import { isUnconfirmedBatch } from './batch-failure.ts';
import { isDuplicateKey } from './duplicate-key.ts';

/** Inserts the items that are not stored yet, in one write, and resolves to them. Throws on any error other than a duplicate key. */
export async function insertMissing<Item, Document extends mongo.Document>(
  collection: mongo.Collection<Document>,
  items: Item[],
  toDocument: (item: Item) => mongo.OptionalUnlessRequiredId<Document>,
): Promise<Item[]> {
  if (items.length === 0) return [];
  try {
    await collection.insertMany(items.map(toDocument), { ordered: false });
    return items;
  } catch (error) {
    const wereThere = duplicatesOf(error);
    return items.filter((_, index) => !wereThere.has(index));
  }
}

/** Positions of the items that were already stored. */
function duplicatesOf(error: unknown): ReadonlySet<number> {
  if (isUnconfirmedBatch(error)) throw error;
  const { writeErrors } = error as { writeErrors?: { code: number; index: number }[] };
  const areDuplicates = writeErrors?.length && writeErrors.every(isDuplicateKey);
  if (!areDuplicates) throw error;
  return new Set(writeErrors.map(({ index }) => index));
}
