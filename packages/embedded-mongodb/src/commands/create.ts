import * as types from '../semantics/field-types.ts';
import type { Command } from './command.ts';
import { collectionForWrite } from './namespace.ts';
import { ok } from './replies.ts';

/** Creates a collection. As in MongoDB 7.0, the command succeeds if the collection exists. */
export const create: Command = {
  name: 'create',
  fields: {
    capped: types.mustBeFalse,
    collation: types.collation,
    autoIndexId: types.mustBeAbsent,
    changeStreamPreAndPostImages: types.mustBeAbsent,
    clusteredIndex: types.mustBeAbsent,
    encryptedFields: types.mustBeAbsent,
    expireAfterSeconds: types.mustBeAbsent,
    flags: types.mustBeAbsent,
    idIndex: types.mustBeAbsent,
    indexOptionDefaults: types.mustBeAbsent,
    max: types.mustBeAbsent,
    pipeline: types.mustBeAbsent,
    size: types.mustBeAbsent,
    storageEngine: types.mustBeAbsent,
    temp: types.mustBeAbsent,
    timeseries: types.mustBeAbsent,
    validationAction: types.mustBeAbsent,
    validationLevel: types.mustBeAbsent,
    validator: types.mustBeAbsent,
    viewOn: types.mustBeAbsent,
    writeConcern: types.any,
  },
  run(request, server) {
    collectionForWrite(request, server);
    return ok();
  },
};
