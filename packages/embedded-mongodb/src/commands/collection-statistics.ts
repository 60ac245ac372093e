import { documentOf, integer } from '../bson/document.ts';
import type { Command } from './command.ts';
import { readCollectionName } from './fields.ts';
import { namedCollection } from './namespace.ts';
import { ok } from './replies.ts';

/** Counts and sizes of a collection; sizes are those of the stored documents. */
export const collectionStatistics: Command = {
  name: 'collStats',
  aliases: ['collstats'],
  run(request, server) {
    const collection = namedCollection(request, server);
    const ns = `${request.databaseName}.${readCollectionName(request)}`;
    const documents = collection?.count() ?? 0;
    const size = collection?.dataSize() ?? 0;
    return ok({
      ns,
      count: integer(documents),
      size: integer(size),
      avgObjSize: integer(documents === 0 ? 0 : Math.round(size / documents)),
      storageSize: integer(size),
      capped: false,
      nindexes: integer(collection?.indexes.length ?? 0),
      indexSizes: documentOf({}),
      scaleFactor: integer(1),
    });
  },
};
