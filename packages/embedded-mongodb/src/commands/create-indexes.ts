import { type BsonValue, type Document, encode, integer } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { sameCollation } from '../semantics/collation.ts';
import { type FilterNode, type Predicate, parseFilter } from '../semantics/filter.ts';
import type { Collection } from '../storage/collection.ts';
import { ID_INDEX_NAME, type IndexDefinition } from '../storage/index-definition.ts';
import { readIndexSpecification } from '../storage/index-specification.ts';
import type { Command } from './command.ts';
import { missingField, readArray, readCollectionName } from './fields.ts';
import { collectionForWrite } from './namespace.ts';
import { ok } from './replies.ts';

export const createIndexes: Command = {
  name: 'createIndexes',
  fields: ['createIndexes', 'indexes', 'commitQuorum', 'ignoreUnknownIndexOptions', 'v'],
  run(request, server) {
    const name = readCollectionName(request);
    const given = readArray(request, 'indexes');
    if (given === undefined) throw missingField(request, 'indexes');
    if (given.length === 0) throw mongoError('BadValue', 'Must specify at least one index to create');
    const existing = server.store.collection(request.databaseName, name);
    const existed = existing !== undefined;
    const definitions = given.map((one) => readDefinition(one, existing));
    const collection = collectionForWrite(server, request.databaseName, name);
    const before = collection.indexes.length;
    for (const definition of definitions) {
      if (!isThereAlready(collection, definition)) server.store.createIndex(collection, definition);
    }
    const after = collection.indexes.length;
    const reply: Record<string, BsonValue> = {
      numIndexesBefore: integer(before),
      numIndexesAfter: integer(after),
      createdCollectionAutomatically: !existed,
    };
    if (after === before) reply.note = 'all indexes already exist';
    return ok(reply);
  },
};

function readDefinition(given: BsonValue, collection: Collection | undefined): IndexDefinition {
  if (!(given instanceof Map))
    throw mongoError('TypeMismatch', 'The elements of the "indexes" array must be objects');
  const inherited = collection?.options.get('collation');
  const definition = readIndexSpecification(
    inherited === undefined || given.has('collation') ? given : new Map(given).set('collation', inherited),
  );
  if (definition.partialFilter !== undefined) assertPartial(parseFilter(definition.partialFilter));
  return definition;
}

/** The conditions that a partial index may have: those for which MongoDB can tell whether a query implies them. */
function assertPartial(node: FilterNode): void {
  if (node.kind === 'and' || node.kind === 'or') for (const child of node.children) assertPartial(child);
  else if (node.kind !== 'path' || !isPartialPredicate(node.predicate)) {
    throw mongoError('CannotCreateIndex', 'Expression not supported in partial index');
  }
}

function isPartialPredicate(predicate: Predicate): boolean {
  if (predicate.kind === 'in') return predicate.regexes.length === 0;
  return predicate.kind === 'compare' || predicate.kind === 'exists' || predicate.kind === 'type';
}

/** Whether the very same index exists; a similar one that is not the same is refused. */
function isThereAlready(collection: Collection, wanted: IndexDefinition): boolean {
  if (keySignature(wanted) === '_id:1') return true;
  if (wanted.name === ID_INDEX_NAME) {
    throw mongoError('BadValue', "The index name '_id_' is reserved for the _id index");
  }
  for (const { definition: existing } of collection.indexes) {
    const isEquivalent = areEquivalent(existing, wanted);
    if (existing.name === wanted.name) {
      if (!isEquivalent) {
        throw mongoError(
          'IndexKeySpecsConflict',
          `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: ${wanted.name}`,
        );
      }
      if (existing.expireAfterSeconds !== wanted.expireAfterSeconds) {
        throw mongoError(
          'IndexOptionsConflict',
          `An equivalent index already exists with the same name but different options. Requested index: ${wanted.name}`,
        );
      }
      return true;
    }
    if (isEquivalent) {
      throw mongoError(
        'IndexOptionsConflict',
        `Index already exists with a different name: ${existing.name}`,
      );
    }
  }
  return false;
}

/** Whether two indexes may not stand side by side: same key, and nothing but the TTL that could tell them apart. */
function areEquivalent(a: IndexDefinition, b: IndexDefinition): boolean {
  return (
    keySignature(a) === keySignature(b) &&
    a.unique === b.unique &&
    a.sparse === b.sparse &&
    sameCollation(a.collation, b.collation) &&
    sameDocument(a.partialFilter, b.partialFilter)
  );
}

function keySignature({ fields }: IndexDefinition): string {
  return fields.map(({ path, direction, hashed }) => `${path}:${hashed ? 'hashed' : direction}`).join();
}

function sameDocument(a: Document | undefined, b: Document | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Buffer.compare(encode(a), encode(b)) === 0;
}
