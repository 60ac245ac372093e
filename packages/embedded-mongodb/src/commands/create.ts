import { type BsonValue, documentOf, isNumeric } from '../bson/document.ts';
import { mongoError, notImplemented } from '../bson/mongo-error.ts';
import { parseCollation } from '../semantics/collation.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import type { Command } from './command.ts';
import { readCollectionName } from './fields.ts';
import { createNamed } from './namespace.ts';
import { ok } from './replies.ts';

/** What would make the collection behave unlike a plain one. */
const OPTIONS_NOT_SERVED = [
  'capped',
  'viewOn',
  'pipeline',
  'validator',
  'timeseries',
  'clusteredIndex',
  'expireAfterSeconds',
  'changeStreamPreAndPostImages',
];
const OPTIONS_WITHOUT_EFFECT = [
  'autoIndexId',
  'idIndex',
  'size',
  'max',
  'storageEngine',
  'indexOptionDefaults',
  'validationLevel',
  'validationAction',
  'flags',
  'temp',
];

export const create: Command = {
  name: 'create',
  fields: ['create', 'collation', ...OPTIONS_NOT_SERVED, ...OPTIONS_WITHOUT_EFFECT],
  run(request, server) {
    const name = readCollectionName(request);
    for (const option of OPTIONS_NOT_SERVED) {
      if (asksForSomething(request.body.get(option))) throw notImplemented(`create with '${option}'`);
    }
    if (server.store.collection(request.databaseName, name) !== undefined) {
      throw mongoError('NamespaceExists', `Collection ${request.databaseName}.${name} already exists.`);
    }
    const collation = parseCollation(request.body.get('collation'));
    const options = collation === undefined ? {} : { collation: collation.specification };
    createNamed(server, request.databaseName, name, documentOf(options));
    return ok();
  },
};

/** `{capped: false}` and `{validator: {}}` ask for what there is anyway. */
function asksForSomething(value: BsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (isNumeric(value)) return toNearestDouble(value) !== 0;
  if (value instanceof Map) return value.size > 0;
  return !(Array.isArray(value) && value.length === 0);
}
