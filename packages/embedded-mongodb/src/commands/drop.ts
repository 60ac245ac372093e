import { integer } from '../bson/document.ts';
import type { Command } from './command.ts';
import { namedCollection } from './namespace.ts';
import { ok } from './replies.ts';

/** Dropping what is not there succeeds, as since MongoDB 7.0. */
export const drop: Command = {
  name: 'drop',
  fields: ['drop'],
  run(request, server) {
    const collection = namedCollection(request, server);
    if (collection === undefined) return ok();
    const indexCount = collection.indexes.length;
    server.store.dropCollection(collection);
    return ok({ nIndexesWas: integer(indexCount), ns: collection.namespace });
  },
};
