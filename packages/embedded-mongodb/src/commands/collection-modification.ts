import { type BsonValue, type Document, isNumeric } from '../bson/document.ts';
import { mongoError, notImplemented } from '../bson/mongo-error.ts';
import type { Collection } from '../storage/collection.ts';
import { readIndexSpecification } from '../storage/index-specification.ts';
import type { IndexTable } from '../storage/index-table.ts';
import type { Command, CommandRequest, ServerContext } from './command.ts';
import { assertConvertible } from './convert-to-unique.ts';
import { readValidationOptions, VALIDATION_ACTIONS, VALIDATION_LEVELS } from './document-validation.ts';
import { indexByKey, indexByName } from './drop-indexes.ts';
import { readCollectionName, readDocument } from './fields.ts';
import { namedCollection } from './namespace.ts';
import { ok } from './replies.ts';

const VALIDATION_OPTIONS = ['validator', 'validationLevel', 'validationAction'];
const OPTIONS_NOT_SERVED = [
  'viewOn',
  'pipeline',
  'expireAfterSeconds',
  'timeseries',
  'cappedSize',
  'cappedMax',
  'recordPreImages',
  'dryRun',
];

/** Changes the validator of a collection, or the options of one of its indexes. */
export const collectionModification: Command = {
  name: 'collMod',
  fields: ['collMod', 'index', 'changeStreamPreAndPostImages', ...VALIDATION_OPTIONS, ...OPTIONS_NOT_SERVED],
  run(request, server) {
    const collection = namedCollection(request, server);
    if (collection === undefined) {
      throw mongoError(
        'NamespaceNotFound',
        `ns does not exist: ${request.databaseName}.${readCollectionName(request)}`,
      );
    }
    for (const option of OPTIONS_NOT_SERVED) {
      if (request.body.has(option)) throw notImplemented(`collMod with '${option}'`);
    }
    const options = changedOptions(request, collection);
    const reply = changeIndex(request, server, collection);
    if (options !== undefined) server.store.changeOptions(collection, options);
    return ok(reply);
  },
};

/** The collection's options with those of the command; undefined where it changes none. */
function changedOptions(request: CommandRequest, { options }: Collection): Document | undefined {
  const changes = readValidationOptions(request.body, request.databaseName);
  const images = readDocument(request, 'changeStreamPreAndPostImages');
  if (images !== undefined) changes.set('changeStreamPreAndPostImages', images);
  if (changes.size === 0) return undefined;
  const changed = new Map([...options, ...changes]);
  if (changes.has('validator')) {
    // With a validator mongod keeps what applies to it, also where nobody said so.
    if (!changed.has('validationLevel')) changed.set('validationLevel', VALIDATION_LEVELS[1] as string);
    if (!changed.has('validationAction')) changed.set('validationAction', VALIDATION_ACTIONS[0] as string);
  }
  const validator = changed.get('validator');
  if (validator instanceof Map && validator.size === 0) changed.delete('validator');
  return changed;
}

/** `index: {name | keyPattern, expireAfterSeconds?, hidden?}`; answers the old and new values as mongod. */
function changeIndex(
  request: CommandRequest,
  server: ServerContext,
  collection: Collection,
): Record<string, BsonValue> {
  const wanted = readDocument(request, 'index');
  if (wanted === undefined) return {};
  const index = findIndex(collection, wanted);
  const specification = new Map(index.definition.specification);
  const reply: Record<string, BsonValue> = {};
  for (const [option, value] of wanted) {
    if (option === 'name' || option === 'keyPattern') continue;
    const change = CHANGES[option];
    if (change === undefined) throw unknownOption(option);
    const before = specification.get(option);
    change(specification, value, index, collection);
    const after = specification.get(option);
    if (before !== undefined || option === 'hidden' || option === 'prepareUnique')
      reply[`${option}_old`] = before ?? false;
    reply[`${option}_new`] = after ?? false;
  }
  if (Object.keys(reply).length === 0) {
    throw mongoError('InvalidOptions', 'no expireAfterSeconds, hidden, unique, or prepareUnique field');
  }
  server.store.changeIndex(index, readIndexSpecification(specification));
  return reply;
}

const CHANGES: Readonly<
  Record<
    string,
    (specification: Document, value: BsonValue, index: IndexTable, collection: Collection) => void
  >
> = {
  expireAfterSeconds: (specification, value) => {
    if (!isNumeric(value)) throw wrongType('expireAfterSeconds', 'a number');
    specification.set('expireAfterSeconds', value);
  },
  hidden: (specification, value, index) => {
    if (index.definition.name === '_id_') throw mongoError('BadValue', "can't hide _id index");
    if (typeof value !== 'boolean') throw wrongType('hidden', 'a bool');
    if (value) specification.set('hidden', true);
    else specification.delete('hidden');
  },
  prepareUnique: (specification, value) => {
    if (typeof value !== 'boolean') throw wrongType('prepareUnique', 'a bool');
    if (value) specification.set('prepareUnique', true);
    else specification.delete('prepareUnique');
  },
  unique: (specification, value, index, collection) => {
    if (value !== true)
      throw mongoError('BadValue', 'collMod does not support converting an index to non-unique');
    if (specification.get('unique') === true) return;
    if (specification.get('prepareUnique') !== true) {
      throw mongoError(
        'InvalidOptions',
        "Cannot make index unique with 'prepareUnique=false'. Run collMod to set it first.",
      );
    }
    assertConvertible(collection, index);
    specification.delete('prepareUnique');
    specification.set('unique', true);
  },
};

function findIndex(collection: Collection, wanted: Document): IndexTable {
  const name = wanted.get('name');
  const keyPattern = wanted.get('keyPattern');
  if (name !== undefined && keyPattern !== undefined) {
    throw mongoError('InvalidOptions', 'Cannot specify both key pattern and name.');
  }
  if (name !== undefined) return indexByName(collection, name);
  if (keyPattern instanceof Map) return indexByKey(collection, keyPattern);
  throw mongoError('InvalidOptions', 'Must specify either index name or key pattern.');
}

function wrongType(option: string, expected: string): Error {
  return mongoError(
    'TypeMismatch',
    `BSON field 'collMod.index.${option}' is the wrong type, expected ${expected}`,
  );
}

function unknownOption(option: string): Error {
  return mongoError(40415, `BSON field 'collMod.index.${option}' is an unknown field.`);
}
