import { integer } from '../bson/document.ts';
import type { Collection } from '../storage/collection.ts';
import type { Command } from './command.ts';
import { ok } from './replies.ts';
import { readScale } from './statistics-scale.ts';

/** Counts and sizes of a database; sizes are those of the stored documents and index keys. */
export const databaseStatistics: Command = {
  name: 'dbStats',
  aliases: ['dbstats'],
  fields: ['dbStats', 'dbstats', 'scale', 'freeStorage'],
  run(request, { store }) {
    const { factor, scaled } = readScale(request);
    const collections = store.collections(request.databaseName);
    const sum = (each: (collection: Collection) => number) =>
      collections.reduce((total, collection) => total + each(collection), 0);
    const objects = sum((collection) => collection.count());
    const dataSize = sum((collection) => collection.dataSize());
    const indexSize = sum(({ indexes }) => indexes.reduce((bytes, index) => bytes + index.keySize(), 0));
    return ok({
      db: request.databaseName,
      collections: integer(collections.length),
      views: integer(0),
      objects: integer(objects),
      avgObjSize: integer(objects === 0 ? 0 : Math.floor(dataSize / objects)),
      dataSize: scaled(dataSize),
      storageSize: scaled(dataSize),
      indexes: integer(sum(({ indexes }) => indexes.length)),
      indexSize: scaled(indexSize),
      totalSize: scaled(dataSize + indexSize),
      scaleFactor: integer(factor),
    });
  },
};
