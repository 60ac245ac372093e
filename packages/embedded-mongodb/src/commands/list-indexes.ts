import { encode } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import * as types from '../semantics/field-types.ts';
import type { Command } from './command.ts';
import { readCursorBatchSize } from './cursor-option.ts';
import { readCollectionName } from './fields.ts';
import { namedCollection } from './namespace.ts';

export const listIndexes: Command = {
  name: 'listIndexes',
  fields: {
    cursor: types.cursorOptions,
    includeBuildUUIDs: types.safeBoolean,
    includeIndexBuildInfo: types.safeBoolean,
  },
  run(request, server) {
    const collection = namedCollection(request, server);
    if (collection === undefined) {
      const namespace = `${request.databaseName}.${readCollectionName(request)}`;
      throw mongoError('NamespaceNotFound', `ns does not exist: ${namespace}`);
    }
    return server.cursors.open({
      namespace: collection.namespace,
      documents: collection.indexes.map(({ definition }) => encode(definition.specification)).values(),
      batchSize: readCursorBatchSize(request),
    });
  },
};
