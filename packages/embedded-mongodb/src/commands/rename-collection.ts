import { mongoError, notImplemented } from '../bson/mongo-error.ts';
import type { Command } from './command.ts';
import { missingField, readBoolean, readCollectionName, readString } from './fields.ts';
import { assertWritable } from './namespace.ts';
import { ok } from './replies.ts';

export const renameCollection: Command = {
  name: 'renameCollection',
  fields: ['renameCollection', 'to', 'dropTarget', 'stayTemp'],
  run(request, server) {
    if (request.databaseName !== 'admin') {
      throw mongoError('Unauthorized', 'renameCollection may only be run against the admin database.');
    }
    const target = readString(request, 'to');
    if (target === undefined) throw missingField(request, 'to');
    const from = splitNamespace(readCollectionName(request));
    const to = splitNamespace(target);
    if (from.databaseName !== to.databaseName) throw notImplemented('renaming into another database');
    const collection = server.store.collection(from.databaseName, from.name);
    if (collection === undefined) {
      throw mongoError(
        'NamespaceNotFound',
        `Source collection ${from.databaseName}.${from.name} does not exist`,
      );
    }
    const existing = server.store.collection(to.databaseName, to.name);
    if (existing === collection) throw mongoError('IllegalOperation', "Can't rename a collection to itself");
    if (existing !== undefined) {
      if (!readBoolean(request, 'dropTarget')) throw mongoError('NamespaceExists', 'target namespace exists');
      server.store.dropCollection(existing);
    }
    assertWritable(server, to.databaseName, to.name);
    server.store.renameCollection(collection, to.name);
    return ok();
  },
};

function splitNamespace(namespace: string): { databaseName: string; name: string } {
  const dot = namespace.indexOf('.');
  if (dot < 1) throw mongoError('InvalidNamespace', `Invalid namespace specified '${namespace}'`);
  return { databaseName: namespace.slice(0, dot), name: namespace.slice(dot + 1) };
}
