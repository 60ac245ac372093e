import type { Document } from 'mongodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { codeOf, double, int, long } from './support/values.ts';

const ground = prepareGround('command_options');

beforeEach(async () => {
  await ground.things.insertMany([{ _id: 1 as never }, { _id: 2 as never }]);
});

const insert = { insert: 'things', documents: [{}] };
const find = { find: 'things' };
const count = { count: 'things' };
const distinct = { distinct: 'things', key: 'a' };
const aggregate = { aggregate: 'things', pipeline: [], cursor: {} };
const findAndModify = { findAndModify: 'things', query: { _id: 1 } };
const set = { $set: { a: 1 } };
const update = (operation: Document) => ({ update: 'things', updates: [{ q: {}, u: set, ...operation }] });
const remove = (operation: Document) => ({ delete: 'things', deletes: [{ q: {}, limit: 1, ...operation }] });
const UNKNOWN_FIELD = 40415;
const MISSING_FIELD = 40414;
const OUT_OF_RANGE = 51024;
const BAD_VALUE = 2;
const FAILED_TO_PARSE = 9;
const TYPE_MISMATCH = 14;
const INVALID_OPTIONS = 72;

describe('an option of a wrong type or value is rejected', () => {
  test.each<[Document, number]>([
    [{ ...insert, writeConcern: 'x' }, TYPE_MISMATCH],
    [{ ...insert, writeConcern: { w: [] } }, FAILED_TO_PARSE],
    [{ ...insert, writeConcern: { w: {} } }, FAILED_TO_PARSE],
    [{ ...insert, writeConcern: { w: -1 } }, FAILED_TO_PARSE],
    [{ ...insert, writeConcern: { w: 51 } }, FAILED_TO_PARSE],
    [{ ...insert, writeConcern: { w: 2 } }, BAD_VALUE],
    [{ ...insert, writeConcern: { w: 'two' } }, BAD_VALUE],
    [{ ...insert, writeConcern: { j: 'x' } }, TYPE_MISMATCH],
    [{ ...insert, writeConcern: { fsync: 'x' } }, TYPE_MISMATCH],
    [{ ...insert, writeConcern: { foo: 1 } }, UNKNOWN_FIELD],
    [{ ...find, writeConcern: { w: 1 } }, INVALID_OPTIONS],
    [{ ...count, writeConcern: { w: 1 } }, INVALID_OPTIONS],
    [{ ...insert, readConcern: 'x' }, FAILED_TO_PARSE],
    [{ ...insert, readConcern: { level: 1 } }, TYPE_MISMATCH],
    [{ ...insert, readConcern: { level: 'x' } }, FAILED_TO_PARSE],
    [{ ...insert, readConcern: { foo: 1 } }, INVALID_OPTIONS],
    [{ ...insert, maxTimeMS: true }, BAD_VALUE],
    [{ ...insert, maxTimeMS: 'x' }, BAD_VALUE],
    [{ ...insert, maxTimeMS: -1 }, BAD_VALUE],
    [{ ...insert, maxTimeMS: 1.5 }, BAD_VALUE],
    [{ ...insert, maxTimeMS: 2 ** 31 }, BAD_VALUE],
    [{ ...insert, apiVersion: 1 }, TYPE_MISMATCH],
    [{ ...insert, apiVersion: '2' }, 322],
    [{ ...insert, apiDeprecationErrors: true }, INVALID_OPTIONS],
    [{ ...insert, apiVersion: '1', apiDeprecationErrors: 'x' }, TYPE_MISMATCH],

    [{ ...insert, documents: 1 }, TYPE_MISMATCH],
    [{ ...insert, documents: [1] }, TYPE_MISMATCH],
    [{ insert: 'things' }, MISSING_FIELD],
    [{ ...insert, ordered: 'yes' }, TYPE_MISMATCH],
    [{ ...insert, bypassDocumentValidation: 'x' }, TYPE_MISMATCH],
    [{ ...insert, foo: 1 }, UNKNOWN_FIELD],

    [{ update: 'things', updates: 1 }, TYPE_MISMATCH],
    [{ update: 'things', updates: [1] }, TYPE_MISMATCH],
    [{ update: 'things', updates: [{ u: set }] }, MISSING_FIELD],
    [{ update: 'things', updates: [{ q: {} }] }, MISSING_FIELD],
    [update({ q: 1 }), TYPE_MISMATCH],
    [update({ u: 1 }), FAILED_TO_PARSE],
    [update({ multi: 1 }), TYPE_MISMATCH],
    [update({ upsert: 1 }), TYPE_MISMATCH],
    [update({ hint: 5 }), FAILED_TO_PARSE],
    [update({ collation: 'x' }), TYPE_MISMATCH],
    [update({ arrayFilters: 'x' }), TYPE_MISMATCH],
    [update({ foo: 1 }), UNKNOWN_FIELD],
    [{ ...update({}), ordered: 1 }, TYPE_MISMATCH],
    [{ ...update({}), bypassDocumentValidation: 'x' }, TYPE_MISMATCH],

    [{ delete: 'things', deletes: 1 }, TYPE_MISMATCH],
    [{ delete: 'things', deletes: [1] }, TYPE_MISMATCH],
    [{ delete: 'things', deletes: [{ q: {} }] }, MISSING_FIELD],
    [remove({ q: 1 }), TYPE_MISMATCH],
    [remove({ limit: 2 }), FAILED_TO_PARSE],
    [remove({ limit: 0.5 }), FAILED_TO_PARSE],
    [remove({ hint: 5 }), FAILED_TO_PARSE],
    [remove({ collation: 'x' }), TYPE_MISMATCH],
    [remove({ foo: 1 }), UNKNOWN_FIELD],
    [{ ...remove({}), ordered: 'yes' }, TYPE_MISMATCH],

    [{ ...findAndModify, update: set, query: 1 }, TYPE_MISMATCH],
    [{ ...findAndModify, update: set, sort: 1 }, TYPE_MISMATCH],
    [{ ...findAndModify, update: set, fields: 1 }, TYPE_MISMATCH],
    [{ ...findAndModify, update: set, new: 'x' }, TYPE_MISMATCH],
    [{ ...findAndModify, update: set, upsert: 'x' }, TYPE_MISMATCH],
    [{ ...findAndModify, remove: 'x' }, TYPE_MISMATCH],
    [{ ...findAndModify, update: 1 }, FAILED_TO_PARSE],
    [{ ...findAndModify, update: set, hint: 5 }, FAILED_TO_PARSE],
    [{ ...findAndModify, update: set, bypassDocumentValidation: 'x' }, TYPE_MISMATCH],
    [{ ...findAndModify, update: set, foo: 1 }, UNKNOWN_FIELD],

    [{ ...find, filter: 1 }, TYPE_MISMATCH],
    [{ ...find, filter: null }, TYPE_MISMATCH],
    [{ ...find, sort: 'x' }, TYPE_MISMATCH],
    [{ ...find, projection: 'x' }, TYPE_MISMATCH],
    [{ ...find, min: 1 }, TYPE_MISMATCH],
    [{ ...find, max: 1 }, TYPE_MISMATCH],
    [{ ...find, collation: 'x' }, TYPE_MISMATCH],
    [{ ...find, let: 1 }, TYPE_MISMATCH],
    [{ ...find, hint: 5 }, FAILED_TO_PARSE],
    [{ ...find, limit: 'x' }, TYPE_MISMATCH],
    [{ ...find, limit: -1 }, OUT_OF_RANGE],
    [{ ...find, skip: true }, TYPE_MISMATCH],
    [{ ...find, skip: -1 }, OUT_OF_RANGE],
    [{ ...find, batchSize: 'x' }, TYPE_MISMATCH],
    [{ ...find, batchSize: -1 }, OUT_OF_RANGE],
    [{ ...find, singleBatch: 1 }, TYPE_MISMATCH],
    [{ ...find, allowDiskUse: 1 }, TYPE_MISMATCH],
    [{ ...find, allowPartialResults: 'x' }, TYPE_MISMATCH],
    [{ ...find, noCursorTimeout: 'x' }, TYPE_MISMATCH],
    [{ ...find, showRecordId: 1 }, TYPE_MISMATCH],
    [{ ...find, returnKey: 1 }, TYPE_MISMATCH],
    [{ ...find, tailable: 1 }, TYPE_MISMATCH],
    [{ ...find, awaitData: 1 }, TYPE_MISMATCH],
    [{ ...find, foo: 1 }, UNKNOWN_FIELD],

    [{ ...count, query: 1 }, TYPE_MISMATCH],
    [{ ...count, limit: 'x' }, BAD_VALUE],
    [{ ...count, limit: 1.5 }, FAILED_TO_PARSE],
    [{ ...count, skip: -1 }, OUT_OF_RANGE],
    [{ ...count, hint: 5 }, FAILED_TO_PARSE],
    [{ ...count, collation: 'x' }, TYPE_MISMATCH],
    [{ ...count, foo: 1 }, UNKNOWN_FIELD],

    [{ distinct: 'things' }, MISSING_FIELD],
    [{ ...distinct, key: 1 }, TYPE_MISMATCH],
    [{ ...distinct, query: 1 }, TYPE_MISMATCH],
    [{ ...distinct, collation: 'x' }, TYPE_MISMATCH],
    [{ ...distinct, foo: 1 }, UNKNOWN_FIELD],

    [{ aggregate: 'things', cursor: {} }, MISSING_FIELD],
    [{ aggregate: 'things', pipeline: [] }, FAILED_TO_PARSE],
    [{ ...aggregate, pipeline: 1 }, TYPE_MISMATCH],
    [{ ...aggregate, pipeline: [1] }, TYPE_MISMATCH],
    [{ ...aggregate, cursor: 1 }, TYPE_MISMATCH],
    [{ ...aggregate, cursor: { foo: 1 } }, UNKNOWN_FIELD],
    [{ ...aggregate, cursor: { batchSize: 'x' } }, TYPE_MISMATCH],
    [{ ...aggregate, cursor: { batchSize: -1 } }, OUT_OF_RANGE],
    [{ ...aggregate, explain: 1 }, TYPE_MISMATCH],
    [{ ...aggregate, allowDiskUse: 1 }, TYPE_MISMATCH],
    [{ ...aggregate, bypassDocumentValidation: 'x' }, TYPE_MISMATCH],
    [{ ...aggregate, hint: 5 }, FAILED_TO_PARSE],
    [{ ...aggregate, let: 1 }, TYPE_MISMATCH],
    [{ ...aggregate, collation: 'x' }, TYPE_MISMATCH],
    [{ ...aggregate, foo: 1 }, UNKNOWN_FIELD],

    [{ getMore: int(1), collection: 'things' }, TYPE_MISMATCH],
    [{ getMore: long(1) }, MISSING_FIELD],
    [{ getMore: long(1), collection: 1 }, TYPE_MISMATCH],
    [{ getMore: long(1), collection: 'things', batchSize: 'x' }, TYPE_MISMATCH],
    [{ getMore: long(1), collection: 'things', foo: 1 }, UNKNOWN_FIELD],
    [{ killCursors: 'things' }, MISSING_FIELD],
    [{ killCursors: 'things', cursors: 1 }, TYPE_MISMATCH],
    [{ killCursors: 'things', cursors: [int(1)] }, TYPE_MISMATCH],

    [{ create: 'others', capped: 'x' }, TYPE_MISMATCH],
    [{ create: 'others', collation: 1 }, TYPE_MISMATCH],
    [{ create: 'others', foo: 1 }, UNKNOWN_FIELD],
    [{ createIndexes: 'things' }, MISSING_FIELD],
    [{ createIndexes: 'things', indexes: 1 }, TYPE_MISMATCH],
    [{ createIndexes: 'things', indexes: [1] }, TYPE_MISMATCH],
    [{ dropIndexes: 'things' }, MISSING_FIELD],
    [{ dropIndexes: 'things', index: 5 }, TYPE_MISMATCH],
    [{ dropIndexes: 'things', index: [5] }, TYPE_MISMATCH],
    [{ drop: 'things', foo: 1 }, UNKNOWN_FIELD],
    [{ drop: 'things', writeConcern: 'x' }, TYPE_MISMATCH],
    [{ dropDatabase: 1, foo: 1 }, UNKNOWN_FIELD],

    [{ listCollections: 1, filter: 1 }, TYPE_MISMATCH],
    [{ listCollections: 1, nameOnly: 'x' }, TYPE_MISMATCH],
    [{ listCollections: 1, authorizedCollections: 'x' }, TYPE_MISMATCH],
    [{ listCollections: 1, cursor: 1 }, TYPE_MISMATCH],
    [{ listCollections: 1, cursor: { foo: 1 } }, UNKNOWN_FIELD],
    [{ listCollections: 1, cursor: { batchSize: -1 } }, OUT_OF_RANGE],
    [{ listCollections: 1, foo: 1 }, UNKNOWN_FIELD],
    [{ listIndexes: 'things', cursor: 1 }, TYPE_MISMATCH],
    [{ listIndexes: 'things', cursor: { batchSize: 'x' } }, TYPE_MISMATCH],
    [{ listIndexes: 'things', foo: 1 }, UNKNOWN_FIELD],
    [{ dbStats: 1, scale: 'x' }, TYPE_MISMATCH],
    [{ dbStats: 1, scale: 0 }, OUT_OF_RANGE],

    [{ explain: 1 }, TYPE_MISMATCH],
    [{ explain: find, verbosity: 1 }, TYPE_MISMATCH],
    [{ explain: find, verbosity: 'x' }, BAD_VALUE],
    [{ explain: find, foo: 1 }, UNKNOWN_FIELD],
    [{ explain: { ...find, limit: 'x' } }, TYPE_MISMATCH],
    [{ explain: { ...find, foo: 1 } }, UNKNOWN_FIELD],
    [{ explain: { frobnicate: 1 } }, 59],
  ])('%j is rejected with %i', async (command, code) => {
    expect(await codeOf(ground.command(command))).toBe(code);
    expect(await ground.stored()).toHaveLength(2);
  });

  test.each<[Document, number]>([
    [{ listDatabases: 1, filter: 1 }, TYPE_MISMATCH],
    [{ listDatabases: 1, nameOnly: 'x' }, TYPE_MISMATCH],
    [{ listDatabases: 1, authorizedDatabases: 'x' }, TYPE_MISMATCH],
    [{ endSessions: 1 }, TYPE_MISMATCH],
    [{ endSessions: ['x'] }, TYPE_MISMATCH],
    [{ endSessions: [{}] }, MISSING_FIELD],
    [{ endSessions: [{ id: 'x' }] }, TYPE_MISMATCH],
    [{ refreshSessions: ['x'] }, TYPE_MISMATCH],
  ])('%j on admin is rejected with %i', async (command, code) => {
    expect(await codeOf(ground.admin(command))).toBe(code);
  });
});

describe('an option is accepted', () => {
  test.each<Document>([
    { ...insert, writeConcern: {} },
    { ...insert, writeConcern: { w: 1, j: true, wtimeout: 100 } },
    { ...insert, writeConcern: { w: 'majority' } },
    { ...insert, writeConcern: { j: 1 } },
    { ...insert, maxTimeMS: 1000 },
    { ...insert, maxTimeMS: double(1000) },
    { ...insert, comment: 'x' },
    { ...insert, comment: { a: [1] } },
    { ...insert, comment: null },
    { ...insert, ordered: null },
    { ...insert, bypassDocumentValidation: 1 },
    { ...insert, apiVersion: '1', apiDeprecationErrors: false },
    { ...find, readConcern: {} },
    { ...find, readConcern: { level: 'local' } },
    { ...find, limit: null, skip: null, batchSize: null },
    { ...find, limit: 1.5, skip: double(0), batchSize: long(5) },
    { ...find, singleBatch: true, allowDiskUse: false, noCursorTimeout: false },
    { ...find, filter: {}, sort: {}, projection: {}, hint: {}, collation: { locale: 'simple' }, let: {} },
    { ...find, hint: '_id_' },
    { ...count, limit: -1, skip: 0, query: null },
    { ...distinct, query: null },
    { ...aggregate, cursor: { batchSize: double(5) }, allowDiskUse: true, bypassDocumentValidation: 0 },
    { ...aggregate, explain: false },
    { ...findAndModify, update: set, new: 1, upsert: 0, sort: null, fields: null },
    { ...findAndModify, remove: 1 },
    update({ multi: null, upsert: false, arrayFilters: [], hint: { _id: 1 } }),
    remove({ limit: double(0), collation: {} }),
    { listCollections: 1, nameOnly: true, authorizedCollections: true, filter: null, cursor: {} },
    { listIndexes: 'things', cursor: { batchSize: 5 } },
    { dbStats: 1, scale: long(1024), freeStorage: 1 },
    { validate: 'things', full: true },
    { explain: { ...find, limit: 1 }, verbosity: 'queryPlanner', comment: 'x' },
  ])('%j', async (command) => {
    expect(Number((await ground.command(command)).ok)).toBe(1);
  });
});
