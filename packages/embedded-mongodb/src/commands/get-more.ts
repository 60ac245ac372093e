import type { Long } from '../bson/document.ts';
import * as types from '../semantics/field-types.ts';
import type { Command } from './command.ts';
import { readCollectionName, readCount } from './fields.ts';

export const getMore: Command = {
  name: 'getMore',
  fields: {
    getMore: types.long,
    collection: types.required(types.string),
    batchSize: types.count,
    term: types.any,
    lastKnownCommittedOpTime: types.any,
  },
  run(request, { cursors }) {
    const namespace = `${request.databaseName}.${readCollectionName(request, 'collection')}`;
    return cursors.next(request.body.get('getMore') as Long, namespace, readCount(request, 'batchSize'));
  },
};
