import { mongo } from 'mongoose';
import { expect, test } from 'vitest';
import { insertMissing } from './insert-missing.ts';
import { isStoreUnavailable } from './store-unavailable.ts';

interface Thing {
  _id: string;
}

/** A collection that contains `b` and replies to a batch with this write concern error. */
function aCollection(writeConcernError: object | undefined): mongo.Collection<Thing> {
  const writeErrors = [{ code: 11000, index: 1 }];
  const reply = { getWriteConcernError: () => writeConcernError };
  return {
    async insertMany() {
      throw new mongo.MongoBulkWriteError(
        { message: 'duplicate key', code: 11000, writeErrors: writeErrors as never },
        reply as never,
      );
    },
  } as unknown as mongo.Collection<Thing>;
}

const insert = (collection: mongo.Collection<Thing>) =>
  insertMissing(collection, ['a', 'b', 'c'], (_id) => ({ _id }));

test('`insertMissing` resolves to the items that were not stored yet', async () => {
  expect(await insert(aCollection(undefined))).toEqual(['a', 'c']);
});

test('`insertMissing` rejects as a store that is unavailable when no majority has confirmed the items that are no duplicates', async () => {
  const timedOut = { code: 64, errmsg: 'timed out' };
  await expect(insert(aCollection(timedOut))).rejects.toSatisfy(isStoreUnavailable);
});
