import { type BsonValue, type Document, documentOf, integer } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { FoundRecord } from '../planner/execute.ts';
import { findRecords } from '../planner/find-records.ts';
import type { Collation } from '../semantics/collation.ts';
import type { FilterNode, MatchPosition } from '../semantics/filter.ts';
import { type ParsedUpdate, parseUpdate } from '../semantics/update.ts';
import { changeDocument, insertUpserted } from './change-document.ts';
import { collationFor } from './collation.ts';
import type { Command, CommandRequest, ServerContext } from './command.ts';
import { deadlineOf } from './deadline.ts';
import { readArray, readBoolean, readCollectionName, readDocument } from './fields.ts';
import { collectionForWrite, namedCollection } from './namespace.ts';
import { readProject } from './project.ts';
import { ok } from './replies.ts';
import { parseRequestFilter, variablesOf } from './request-filter.ts';

interface Outcome {
  /** What the command answers with: the document before or after, or null. */
  value: Document | null;
  lastErrorObject: Document;
  /** Where in an array the query matched the document. */
  position?: MatchPosition;
}

/**
 * Finds one document and changes or removes it. Atomic because commands run to their end one after the other
 * (see Command.run): nobody can change the document between the finding and the writing.
 */
export const findAndModify: Command = {
  name: 'findAndModify',
  aliases: ['findandmodify'],
  fields: [
    'findAndModify',
    'findandmodify',
    'query',
    'sort',
    'remove',
    'update',
    'new',
    'fields',
    'upsert',
    'bypassDocumentValidation',
    'collation',
    'arrayFilters',
    'hint',
    'let',
    'stmtId',
    'sampleId',
    'encryptionInformation',
  ],
  run(request, server) {
    assertOptionsFit(request);
    const collation = collationFor(request.body.get('collation'), namedCollection(request, server));
    const filter = parseRequestFilter(request, readDocument(request, 'query'), collation);
    const project = readProject(request, 'fields', collation);
    const outcome = readBoolean(request, 'remove')
      ? removeOne(request, server, filter, collation)
      : updateOne(request, server, filter, collation);
    return ok({
      lastErrorObject: outcome.lastErrorObject,
      value:
        outcome.value === null || project === undefined
          ? outcome.value
          : project(outcome.value, outcome.position),
    });
  },
};

function assertOptionsFit(request: CommandRequest): void {
  const removes = readBoolean(request, 'remove');
  const hasUpdate = request.body.has('update');
  if (removes && hasUpdate)
    throw mongoError('FailedToParse', "Cannot specify both an 'update' and 'remove'=true");
  if (!removes && !hasUpdate)
    throw mongoError('FailedToParse', 'Either an update or remove=true must be specified');
  if (removes && request.body.has('arrayFilters'))
    throw mongoError('FailedToParse', 'Cannot specify arrayFilters and remove=true');
  if (removes && readBoolean(request, 'upsert')) {
    throw mongoError('FailedToParse', "Cannot specify both 'upsert'=true and 'remove'=true ");
  }
  if (removes && readBoolean(request, 'new')) {
    throw mongoError(
      'FailedToParse',
      "Cannot specify both 'new'=true and 'remove'=true; 'remove' always returns the deleted document",
    );
  }
}

function firstMatch(
  request: CommandRequest,
  server: ServerContext,
  filter: FilterNode,
  collation: Collation | undefined,
): FoundRecord | undefined {
  const collection = namedCollection(request, server);
  if (collection === undefined) return undefined;
  const found = findRecords(collection, {
    filter,
    collation,
    sort: readDocument(request, 'sort'),
    limit: 1,
    hint: request.body.get('hint'),
    checkDeadline: deadlineOf(request),
  });
  return found.next().value ?? undefined;
}

function removeOne(
  request: CommandRequest,
  server: ServerContext,
  filter: FilterNode,
  collation: Collation | undefined,
): Outcome {
  const found = firstMatch(request, server, filter, collation);
  if (found === undefined) return { value: null, lastErrorObject: documentOf({ n: integer(0) }) };
  namedCollection(request, server)?.remove(found.rid, found.document);
  return { value: found.document, position: found.position, lastErrorObject: documentOf({ n: integer(1) }) };
}

function updateOne(
  request: CommandRequest,
  server: ServerContext,
  filter: FilterNode,
  collation: Collation | undefined,
): Outcome {
  const changes = readUpdate(request, collation);
  const returnsNew = readBoolean(request, 'new');
  const isUpsert = readBoolean(request, 'upsert');
  const options = { now: new Date(), bypassesValidation: readBoolean(request, 'bypassDocumentValidation') };
  const found = firstMatch(request, server, filter, collation);
  if (found !== undefined) {
    const collection = collectionForWrite(server, request.databaseName, readCollectionName(request));
    const after = changeDocument(collection, found, changes, options).document;
    return {
      value: returnsNew ? after : found.document,
      position: found.position,
      lastErrorObject: documentOf({ n: integer(1), updatedExisting: true }),
    };
  }
  if (!isUpsert) {
    return { value: null, lastErrorObject: documentOf({ n: integer(0), updatedExisting: false }) };
  }
  const collection = collectionForWrite(server, request.databaseName, readCollectionName(request));
  const { document, id } = insertUpserted(collection, filter, changes, options);
  return {
    value: returnsNew ? document : null,
    lastErrorObject: documentOf({ n: integer(1), updatedExisting: false, upserted: id }),
  };
}

function readUpdate(request: CommandRequest, collation: Collation | undefined): ParsedUpdate {
  const arrayFilters = readArray(request, 'arrayFilters');
  return parseUpdate(request.body.get('update') as BsonValue, {
    ...(arrayFilters === undefined ? {} : { arrayFilters }),
    variables: variablesOf(request, collation),
    collation,
  });
}
