import { type BsonValue, type Document, documentOf, integer } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { findRecords, type RecordQuery } from '../planner/find-records.ts';
import * as types from '../semantics/field-types.ts';
import { parseUpdate } from '../semantics/update.ts';
import { changeDocument, insertUpserted } from './change-document.ts';
import type { Command, CommandRequest, ServerContext } from './command.ts';
import { readBoolean } from './fields.ts';
import { collectionForWrite, namedCollection } from './namespace.ts';
import { readProject } from './project.ts';
import { readQuery } from './query.ts';
import { ok } from './replies.ts';

interface Outcome {
  /** The document before or after the change, or null. */
  value: Document | null;
  lastErrorObject: Document;
}

/**
 * Finds one document and changes or removes it. This is atomic because commands run one after the other (see
 * Command.run): no other command can change the document in between.
 */
export const findAndModify: Command = {
  name: 'findAndModify',
  aliases: ['findandmodify'],
  fields: {
    query: types.object,
    sort: types.object,
    remove: types.safeBoolean,
    update: types.modification,
    new: types.safeBoolean,
    fields: types.object,
    upsert: types.safeBoolean,
    bypassDocumentValidation: types.safeBoolean,
    collation: types.collation,
    arrayFilters: types.arrayFilters,
    hint: types.hint,
    let: types.mustBeEmpty,
    writeConcern: types.any,
  },
  run(request, server) {
    assertOptionsFit(request);
    const project = readProject(request, 'fields');
    const { lastErrorObject, value } = (readBoolean(request, 'remove') ? removeOne : updateOne)(
      request,
      server,
    );
    return ok({ lastErrorObject, value: value && project ? project(value) : value });
  },
};

function assertOptionsFit(request: CommandRequest): void {
  const hasUpdate = request.body.has('update');
  if (!readBoolean(request, 'remove')) {
    if (hasUpdate) return;
    throw mongoError('FailedToParse', 'Either an update or remove=true must be specified');
  }
  if (hasUpdate) throw mongoError('FailedToParse', "Cannot specify both an 'update' and 'remove'=true");
  for (const option of ['upsert', 'new']) {
    if (readBoolean(request, option))
      throw mongoError('FailedToParse', `Cannot specify both '${option}'=true and 'remove'=true`);
  }
}

function findAndModifyQuery(request: CommandRequest): RecordQuery {
  return { ...readQuery(request, 'query'), limit: 1 };
}

function removeOne(request: CommandRequest, server: ServerContext): Outcome {
  const query = findAndModifyQuery(request);
  const collection = namedCollection(request, server);
  const found = collection && findRecords(collection, query).next().value;
  if (!found) return { value: null, lastErrorObject: documentOf({ n: integer(0) }) };
  collection.remove(found.rid, found.document);
  return { value: found.document, lastErrorObject: documentOf({ n: integer(1) }) };
}

function updateOne(request: CommandRequest, server: ServerContext): Outcome {
  const query = findAndModifyQuery(request);
  const changes = parseUpdate(request.body.get('update') as BsonValue);
  const returnsNew = readBoolean(request, 'new');
  const now = new Date();
  const collection = namedCollection(request, server);
  const found = collection && findRecords(collection, query).next().value;
  if (found) {
    const after = changeDocument(collection, found, changes, now).document;
    return {
      value: returnsNew ? after : found.document,
      lastErrorObject: documentOf({ n: integer(1), updatedExisting: true }),
    };
  }
  if (!readBoolean(request, 'upsert')) {
    return { value: null, lastErrorObject: documentOf({ n: integer(0), updatedExisting: false }) };
  }
  const { document, id } = insertUpserted(collectionForWrite(request, server), query.filter, changes, now);
  return {
    value: returnsNew ? document : null,
    lastErrorObject: documentOf({ n: integer(1), updatedExisting: false, upserted: id }),
  };
}
