import { integer } from '../bson/document.ts';
import { mongoError, notImplemented } from '../bson/mongo-error.ts';
import type { Command } from './command.ts';
import { readBoolean, readCollectionName } from './fields.ts';
import { namedCollection } from './namespace.ts';
import { ok } from './replies.ts';

/** Proves that every index holds exactly the entries that the documents call for. */
export const validate: Command = {
  name: 'validate',
  fields: ['validate', 'full', 'repair', 'metadata', 'checkBSONConformance', 'background'],
  run(request, server) {
    if (readBoolean(request, 'repair')) throw notImplemented("validate with 'repair'");
    const collection = namedCollection(request, server);
    if (collection === undefined) {
      throw mongoError(
        'NamespaceNotFound',
        `Collection '${request.databaseName}.${readCollectionName(request)}' does not exist to validate.`,
      );
    }
    const errors = collection.findDisagreements();
    return ok({
      ns: collection.namespace,
      nrecords: integer(collection.count()),
      nIndexes: integer(collection.indexes.length),
      keysPerIndex: new Map(
        collection.indexes.map((index) => [index.definition.name, integer(index.count())]),
      ),
      valid: errors.length === 0,
      errors,
      warnings: [],
    });
  },
};
