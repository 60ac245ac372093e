import { type Document, encode, integer } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import * as types from '../semantics/field-types.ts';
import { type FilterNode, type Predicate, parseFilter } from '../semantics/filter.ts';
import type { Collection } from '../storage/collection.ts';
import { ID_INDEX_NAME, type IndexDefinition } from '../storage/index-definition.ts';
import { readIndexSpecification } from '../storage/index-specification.ts';
import type { Command } from './command.ts';
import { collectionForWrite, namedCollection } from './namespace.ts';
import { ok } from './replies.ts';

export const createIndexes: Command = {
  name: 'createIndexes',
  fields: {
    indexes: types.required(types.arrayOf(types.object)),
    commitQuorum: types.any,
    ignoreUnknownIndexOptions: types.safeBoolean,
    v: types.number,
    writeConcern: types.any,
  },
  run(request, server) {
    const given = request.body.get('indexes') as Document[];
    if (given.length === 0) throw mongoError('BadValue', 'Must specify at least one index to create');
    const definitions = given.map(readDefinition);
    const createsCollection = namedCollection(request, server) === undefined;
    const collection = collectionForWrite(request, server);
    const before = collection.indexes.length;
    for (const definition of definitions) {
      if (!exists(collection, definition)) server.store.createIndex(collection, definition);
    }
    const after = collection.indexes.length;
    return ok({
      numIndexesBefore: integer(before),
      numIndexesAfter: integer(after),
      createdCollectionAutomatically: createsCollection,
      ...(after === before && { note: 'all indexes already exist' }),
    });
  },
};

function readDefinition(given: Document): IndexDefinition {
  const definition = readIndexSpecification(given);
  if (definition.partialFilter !== undefined) assertPartial(parseFilter(definition.partialFilter));
  return definition;
}

/** Allows only conditions in a partial filter expression that MongoDB can derive from a query. */
function assertPartial(node: FilterNode): void {
  if (node.kind === 'and' || node.kind === 'or') for (const child of node.children) assertPartial(child);
  else if (node.kind !== 'path' || !isPartialPredicate(node.predicate)) {
    throw mongoError('CannotCreateIndex', 'Expression not supported in partial index');
  }
}

function isPartialPredicate(predicate: Predicate): boolean {
  return predicate.kind === 'in' || predicate.kind === 'compare' || predicate.kind === 'exists';
}

/** Whether the same index exists. @throws MongoDB's errors if a different index has the same name or key. */
function exists(collection: Collection, wanted: IndexDefinition): boolean {
  const signature = signatureOf(wanted);
  if (signature === ID_SIGNATURE) return true;
  if (wanted.name === ID_INDEX_NAME) {
    throw mongoError('BadValue', "The index name '_id_' is reserved for the _id index");
  }
  for (const { definition } of collection.indexes) {
    const { name, expireAfterSeconds } = definition;
    const isEquivalent = signatureOf(definition) === signature;
    if (name !== wanted.name) {
      if (isEquivalent)
        throw mongoError('IndexOptionsConflict', `Index already exists with a different name: ${name}`);
      continue;
    }
    if (!isEquivalent) {
      throw mongoError(
        'IndexKeySpecsConflict',
        `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: ${name}`,
      );
    }
    if (expireAfterSeconds === wanted.expireAfterSeconds) return true;
    throw mongoError(
      'IndexOptionsConflict',
      `An equivalent index already exists with the same name but different options. Requested index: ${name}`,
    );
  }
  return false;
}

const ID_SIGNATURE = '_id:1';

/** The key and the options without the expiry. No two indexes of a collection may share them. */
function signatureOf({ fields, unique, partialFilter }: IndexDefinition): string {
  const key = fields.map(({ path, direction }) => `${path}:${direction}`).join();
  if (key === ID_SIGNATURE) return key;
  return `${key} ${unique} ${partialFilter && Buffer.from(encode(partialFilter)).toString('hex')}`;
}
