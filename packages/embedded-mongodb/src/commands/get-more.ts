import type { Command } from './command.ts';
import { readCollectionName, readCount, readLong } from './fields.ts';

export const getMore: Command = {
  name: 'getMore',
  fields: ['getMore', 'collection', 'batchSize', 'term', 'lastKnownCommittedOpTime'],
  run(request, { cursors }) {
    const namespace = `${request.databaseName}.${readCollectionName(request, 'collection')}`;
    return cursors.next(readLong(request, 'getMore'), namespace, readCount(request, 'batchSize'));
  },
};
