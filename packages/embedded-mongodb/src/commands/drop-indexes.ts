import { type BsonValue, type Document, integer } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { equalValues } from '../semantics/compare.ts';
import type { Collection } from '../storage/collection.ts';
import { ID_INDEX_NAME } from '../storage/index-definition.ts';
import type { IndexTable } from '../storage/index-table.ts';
import type { Command } from './command.ts';
import { missingField, readCollectionName } from './fields.ts';
import { namedCollection } from './namespace.ts';
import { ok } from './replies.ts';

const ALL = '*';

export const dropIndexes: Command = {
  name: 'dropIndexes',
  aliases: ['deleteIndexes'],
  fields: ['dropIndexes', 'deleteIndexes', 'index'],
  run(request, server) {
    const collection = namedCollection(request, server);
    if (collection === undefined) {
      throw mongoError(
        'NamespaceNotFound',
        `ns not found ${request.databaseName}.${readCollectionName(request)}`,
      );
    }
    const wanted = request.body.get('index');
    if (wanted === undefined) throw missingField(request, 'index');
    const before = collection.indexes.length;
    for (const index of indexesToDrop(collection, wanted)) server.store.dropIndex(collection, index);
    return ok({ nIndexesWas: integer(before) });
  },
};

function indexesToDrop(collection: Collection, wanted: BsonValue): IndexTable[] {
  if (wanted === ALL) return collection.indexes.filter(({ definition }) => definition.name !== ID_INDEX_NAME);
  const found =
    wanted instanceof Map
      ? [indexByKey(collection, wanted)]
      : (Array.isArray(wanted) ? wanted : [wanted]).map((name) => indexByName(collection, name));
  if (found.some(({ definition }) => definition.name === ID_INDEX_NAME)) {
    throw mongoError('InvalidOptions', 'cannot drop _id index');
  }
  return found;
}

export function indexByName(collection: Collection, name: BsonValue): IndexTable {
  const found = collection.indexes.find(({ definition }) => definition.name === name);
  if (found === undefined) throw mongoError('IndexNotFound', `index not found with name [${String(name)}]`);
  return found;
}

export function indexByKey(collection: Collection, key: Document): IndexTable {
  const found = collection.indexes.filter(({ definition }) => {
    const existing = definition.specification.get('key');
    return existing !== undefined && equalValues(existing, key);
  });
  if (found.length > 1) {
    throw mongoError(
      'BadValue',
      `${found.length} indexes found for key, identify by name instead: ${found.map((index) => index.definition.name).join(', ')}`,
    );
  }
  if (found[0] === undefined) {
    throw mongoError('IndexNotFound', `can't find index with key: ${[...key.keys()].join(', ')}`);
  }
  return found[0];
}
