import { type BsonValue, type Document, integer } from '../bson/document.ts';
import { MongoError, mongoError } from '../bson/mongo-error.ts';
import { equalValues } from '../semantics/compare.ts';
import * as types from '../semantics/field-types.ts';
import type { Collection } from '../storage/collection.ts';
import { ID_INDEX_NAME } from '../storage/index-definition.ts';
import type { IndexTable } from '../storage/index-table.ts';
import type { Command } from './command.ts';
import { readCollectionName } from './fields.ts';
import { namedCollection } from './namespace.ts';
import { ok } from './replies.ts';

const ALL = '*';

/** A name, an array of names, or a key pattern. */
const indexes: types.FieldType = {
  check(value, path) {
    const isValid = typeof value === 'string' || value instanceof Map;
    if (!isValid) types.arrayOf(types.string).check(value, path);
  },
};

export const dropIndexes: Command = {
  name: 'dropIndexes',
  aliases: ['deleteIndexes'],
  fields: { index: types.required(indexes), writeConcern: types.any },
  run(request, server) {
    const collection = namedCollection(request, server);
    if (collection === undefined) {
      throw mongoError(
        'NamespaceNotFound',
        `ns not found ${request.databaseName}.${readCollectionName(request)}`,
      );
    }
    const nIndexesWas = integer(collection.indexes.length);
    const wanted = request.body.get('index') as BsonValue;
    for (const index of indexesToDrop(collection, wanted)) server.store.dropIndex(collection, index);
    return ok({ nIndexesWas });
  },
};

function indexesToDrop({ indexes }: Collection, wanted: BsonValue): IndexTable[] {
  if (wanted === ALL) return indexes.filter(({ definition }) => definition.name !== ID_INDEX_NAME);
  const found =
    wanted instanceof Map ? withKey(indexes, wanted) : [wanted].flat().map((name) => withName(indexes, name));
  if (found.some(({ definition }) => definition.name === ID_INDEX_NAME)) {
    throw mongoError('InvalidOptions', 'cannot drop _id index');
  }
  return found;
}

function withName(indexes: readonly IndexTable[], name: BsonValue): IndexTable {
  const found = indexes.find(({ definition }) => definition.name === name);
  if (found === undefined) throw mongoError('IndexNotFound', `index not found with name [${String(name)}]`);
  return found;
}

function withKey(indexes: readonly IndexTable[], key: Document): IndexTable[] {
  const found = indexes.filter(({ definition }) => equalValues(definition.key, key));
  if (found.length === 1) return found;
  if (found.length === 0) {
    throw mongoError('IndexNotFound', `can't find index with key: ${[...key.keys()].join(', ')}`);
  }
  const names = found.map(({ definition }) => definition.name).join(', ');
  throw new MongoError(
    181,
    'AmbiguousIndexKeyPattern',
    `${found.length} indexes found for key, identify by name instead. Conflicting indexes: ${names}`,
  );
}
