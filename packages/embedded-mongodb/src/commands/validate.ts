import { integer } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import * as types from '../semantics/field-types.ts';
import type { Command } from './command.ts';
import { readCollectionName } from './fields.ts';
import { namedCollection } from './namespace.ts';
import { ok } from './replies.ts';

/** Verifies that every index has exactly the entries that the documents require. */
export const validate: Command = {
  name: 'validate',
  // The command always runs all checks.
  fields: { full: types.any, repair: types.mustBeFalse, fixMultikey: types.mustBeFalse },
  run(request, server) {
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
