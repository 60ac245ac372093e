import { type BsonValue, type Document, encode, isNumeric } from '../bson/document.ts';
import { mongoError, notImplemented } from '../bson/mongo-error.ts';
import { parseCollation } from '../semantics/collation.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import type { Command, CommandRequest } from './command.ts';
import { readValidationOptions } from './document-validation.ts';
import { readBoolean, readCollectionName, readDocument } from './fields.ts';
import { createNamed } from './namespace.ts';
import { ok } from './replies.ts';

/** What would make the collection behave unlike a plain one. */
const OPTIONS_NOT_SERVED = [
  'capped',
  'viewOn',
  'pipeline',
  'timeseries',
  'clusteredIndex',
  'encryptedFields',
];
const OPTIONS_WITHOUT_EFFECT = [
  'autoIndexId',
  'idIndex',
  'size',
  'max',
  'storageEngine',
  'indexOptionDefaults',
  'flags',
  'temp',
];
const OPTIONS_SERVED = [
  'collation',
  'validator',
  'validationLevel',
  'validationAction',
  'changeStreamPreAndPostImages',
  'expireAfterSeconds',
];

export const create: Command = {
  name: 'create',
  fields: ['create', ...OPTIONS_SERVED, ...OPTIONS_NOT_SERVED, ...OPTIONS_WITHOUT_EFFECT],
  run(request, server) {
    const name = readCollectionName(request);
    assertOptions(request);
    const options = readOptions(request);
    const existing = server.store.collection(request.databaseName, name);
    if (existing === undefined) createNamed(server, request.databaseName, name, options);
    // Since MongoDB 7.0 asking for what is there already succeeds.
    else if (Buffer.compare(encode(existing.options), encode(options)) !== 0) {
      throw mongoError('NamespaceExists', `Collection ${request.databaseName}.${name} already exists.`);
    }
    return ok();
  },
};

function assertOptions(request: CommandRequest): void {
  const { body } = request;
  if (readBoolean(request, 'capped') && !isNumeric(body.get('size'))) {
    throw mongoError('InvalidOptions', "the 'size' field is required when 'capped' is true");
  }
  if (!body.has('viewOn') && body.has('pipeline')) {
    throw mongoError('InvalidOptions', "'pipeline' requires 'viewOn' to also be specified");
  }
  if (body.get('autoIndexId') === false) throw notImplemented("create with 'autoIndexId: false'");
  for (const option of OPTIONS_NOT_SERVED) {
    if (asksForSomething(body.get(option))) throw notImplemented(`create with '${option}'`);
  }
  if (!readBoolean(request, 'capped') && (body.has('size') || body.has('max'))) {
    throw mongoError(
      'InvalidOptions',
      "the 'capped' field needs to be true when either the 'size' or 'max' fields are present",
    );
  }
  if (body.has('expireAfterSeconds')) {
    throw mongoError(
      'InvalidOptions',
      "'expireAfterSeconds' is only supported on time-series collections or when the 'clusteredIndex' option is specified",
    );
  }
}

/** The options as they are kept and listed. */
function readOptions(request: CommandRequest): Document {
  const options: Document = new Map();
  const images = readDocument(request, 'changeStreamPreAndPostImages');
  // Kept for change streams, which a standalone server does not have.
  if (images !== undefined) options.set('changeStreamPreAndPostImages', images);
  for (const [option, value] of readValidationOptions(request.body, request.databaseName)) {
    if (!(value instanceof Map && value.size === 0)) options.set(option, value);
  }
  const collation = parseCollation(request.body.get('collation'));
  if (collation !== undefined) options.set('collation', collation.specification);
  return options;
}

/** `{capped: false}` and `{timeseries: null}` ask for what there is anyway. */
function asksForSomething(value: BsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (isNumeric(value)) return toNearestDouble(value) !== 0;
  if (value instanceof Map) return value.size > 0;
  return !(Array.isArray(value) && value.length === 0);
}
