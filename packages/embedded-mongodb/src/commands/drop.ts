import { integer } from '../bson/document.ts';
import * as types from '../semantics/field-types.ts';
import type { Command } from './command.ts';
import { namedCollection } from './namespace.ts';
import { ok } from './replies.ts';

/** As in MongoDB 7.0, dropping a collection that does not exist succeeds. */
export const drop: Command = {
  name: 'drop',
  fields: { writeConcern: types.any },
  run(request, server) {
    const collection = namedCollection(request, server);
    if (collection === undefined) return ok();
    const indexCount = collection.indexes.length;
    server.store.dropCollection(collection);
    return ok({ nIndexesWas: integer(indexCount), ns: collection.namespace });
  },
};
