import { documentOf, integer } from '../bson/document.ts';
import type { Collection } from '../storage/collection.ts';
import type { Command } from './command.ts';
import { readCollectionName } from './fields.ts';
import { namedCollection } from './namespace.ts';
import { ok } from './replies.ts';
import { readScale } from './statistics-scale.ts';

/** Counts and sizes of a collection; sizes are those of the stored documents and index keys. */
export const collectionStatistics: Command = {
  name: 'collStats',
  aliases: ['collstats'],
  fields: ['collStats', 'collstats', 'scale'],
  run(request, server) {
    const collection = namedCollection(request, server);
    const { factor, scaled } = readScale(request);
    const documents = collection?.count() ?? 0;
    const size = collection?.dataSize() ?? 0;
    const indexSizes = indexSizesOf(collection);
    const totalIndexSize = indexSizes.reduce((sum, [, bytes]) => sum + bytes, 0);
    return ok({
      ns: `${request.databaseName}.${readCollectionName(request)}`,
      size: scaled(size),
      count: integer(documents),
      ...(documents === 0 ? {} : { avgObjSize: integer(Math.floor(size / documents)) }),
      numOrphanDocs: integer(0),
      storageSize: scaled(size),
      freeStorageSize: integer(0),
      capped: false,
      nindexes: integer(collection?.indexes.length ?? 0),
      indexBuilds: [],
      totalIndexSize: scaled(totalIndexSize),
      totalSize: scaled(size + totalIndexSize),
      indexSizes: new Map(indexSizes.map(([name, bytes]) => [name, scaled(bytes)])),
      indexDetails: documentOf({}),
      scaleFactor: integer(factor),
    });
  },
};

function indexSizesOf(collection: Collection | undefined): [name: string, bytes: number][] {
  return (collection?.indexes ?? []).map((index) => [index.definition.name, index.keySize()]);
}
