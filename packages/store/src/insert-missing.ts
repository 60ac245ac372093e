import type { mongo } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.ts';

/** Inserts with one write those whose document collides with none that is there, and resolves to them. Throws for whatever else goes wrong. */
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

/** Positions of what was there already. */
function duplicatesOf(error: unknown): ReadonlySet<number> {
  const { writeErrors } = error as { writeErrors?: { code: number; index: number }[] };
  const areDuplicates = writeErrors?.length && writeErrors.every(isDuplicateKey);
  if (!areDuplicates) throw error;
  return new Set(writeErrors.map(({ index }) => index));
}
