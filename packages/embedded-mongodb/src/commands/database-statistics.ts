import { integer } from '../bson/document.ts';
import type { Command } from './command.ts';
import { ok } from './replies.ts';

/** Counts and sizes of a database; sizes are those of the stored documents. */
export const databaseStatistics: Command = {
  name: 'dbStats',
  aliases: ['dbstats'],
  run({ databaseName }, { store }) {
    const collections = store.collections(databaseName);
    const sum = (each: (collection: (typeof collections)[number]) => number) =>
      integer(collections.reduce((total, collection) => total + each(collection), 0));
    return ok({
      db: databaseName,
      collections: integer(collections.length),
      views: integer(0),
      objects: sum((collection) => collection.count()),
      dataSize: sum((collection) => collection.dataSize()),
      storageSize: sum((collection) => collection.dataSize()),
      indexes: sum((collection) => collection.indexes.length),
      scaleFactor: integer(1),
    });
  },
};
