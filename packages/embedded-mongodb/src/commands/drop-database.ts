import { mongoError } from '../bson/mongo-error.ts';
import * as types from '../semantics/field-types.ts';
import type { Command } from './command.ts';
import { assertDatabaseName } from './namespace.ts';
import { ok } from './replies.ts';

export const dropDatabase: Command = {
  name: 'dropDatabase',
  fields: { writeConcern: types.any },
  run({ databaseName }, { store }) {
    assertDatabaseName(databaseName);
    if (databaseName === 'admin') {
      throw mongoError('IllegalOperation', "Dropping the 'admin' database is prohibited.");
    }
    const collections = store.collections(databaseName);
    for (const collection of collections) store.dropCollection(collection);
    return collections.length > 0 ? ok({ dropped: databaseName }) : ok();
  },
};
