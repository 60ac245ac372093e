import { isDeepStrictEqual } from 'node:util';
import { type Connection, mongo } from 'mongoose';
import { isDuplicateKey } from '../duplicate-key.ts';
import { type IndexDeclaration, indexName } from './database-schema.ts';

/** Documents that an error names. */
const NAMED_DOCUMENTS = 10;
/** MongoDB's codes for an index that exists with another name, and for a name that belongs to another index. */
const CONFLICTS = [85, 86];

/** The database does not accept an index. The message says why and what to do, and contains no values of documents. */
export class IndexRejected extends Error {}

/**
 * Creates those of the indexes that are missing. If another process is creating one, waits for it.
 * @throws IndexRejected
 */
export async function createIndexes(
  connection: Connection,
  collection: string,
  indexes: readonly IndexDeclaration[],
): Promise<void> {
  const specifications = indexes.map(({ purpose, ...index }) => ({
    ...index,
    name: indexName(index as IndexDeclaration),
  }));
  try {
    await connection.collection(collection).createIndexes(specifications as mongo.IndexDescription[]);
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError)) throw error;
    if (isDuplicateKey(error)) throw await describeDuplicates(connection, collection, indexes, error);
    if (CONFLICTS.includes(Number(error.code))) throw describeConflict(collection, error);
    throw error;
  }
}

async function describeDuplicates(
  connection: Connection,
  collection: string,
  indexes: readonly IndexDeclaration[],
  error: mongo.MongoServerError,
): Promise<IndexRejected> {
  const { keyPattern, keyValue } = error as { keyPattern?: object; keyValue?: object };
  const index = indexes.find(({ key }) => isDeepStrictEqual({ ...key }, { ...keyPattern }));
  if (index === undefined || keyValue === undefined) throw error;
  const documents = await connection
    .collection(collection)
    .find({ $and: [keyValue, index.partialFilterExpression ?? {}] }, { projection: { _id: 1 } })
    .limit(NAMED_DOCUMENTS)
    .toArray();
  const ids = documents.map(({ _id }) => String(_id)).join(', ');
  const fields = Object.keys(index.key).join(', ');
  return new IndexRejected(
    `The unique index ${indexName(index)} of ${collection} cannot be created, because documents have the same ${fields}: ${ids}. ` +
      'Change or delete all of them but one, then run `tollgate migrate` again.',
    { cause: error },
  );
}

function describeConflict(collection: string, error: mongo.MongoServerError): IndexRejected {
  return new IndexRejected(
    `An index of ${collection} conflicts with an existing index: ${error.message} Drop the existing index, then run \`tollgate migrate\`.`,
    { cause: error },
  );
}
