import type { Command } from './command.ts';
import { assertDatabaseName } from './namespace.ts';
import { ok } from './replies.ts';

export const dropDatabase: Command = {
  name: 'dropDatabase',
  fields: ['dropDatabase'],
  run({ databaseName }, { store }) {
    assertDatabaseName(databaseName);
    const collections = store.collections(databaseName);
    for (const collection of collections) store.dropCollection(collection);
    return collections.length > 0 ? ok({ dropped: databaseName }) : ok();
  },
};
