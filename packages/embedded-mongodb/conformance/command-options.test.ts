import { type Document, Timestamp } from 'mongodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { COMMANDS } from '../src/commands/registry.ts';
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

/** Not specific to a type, or out of scope with any value. */
const UNTYPED =
  /^(count.fields|createIndexes.commitQuorum|dbStats.freeStorage|validate.full|create.(?!capped|collation|writeConcern).*)$/;
const OPTIONS = COMMANDS.flatMap(({ name, fields = {} }) =>
  Object.keys(fields).map((field): [command: string, option: string] => [name, field]),
).filter(([command, option]) => !UNTYPED.test(`${command}.${option}`));
const CODES: Readonly<Record<string, number>> = {
  hint: FAILED_TO_PARSE,
  update: FAILED_TO_PARSE,
  'count.limit': BAD_VALUE,
};

const run = (command: Document) =>
  'listDatabases' in command ? ground.admin(command) : ground.command(command);

test.each(OPTIONS)('%s with the option %s of a wrong type is rejected', async (command, option) => {
  const code = codeOf(run({ [command]: 'things', [option]: new Timestamp({ t: 1, i: 1 }) }));
  expect(await code).toBe(CODES[`${command}.${option}`] ?? CODES[option] ?? TYPE_MISMATCH);
});

/** The value of the command itself, if it is not the name of a collection. */
const FIRST: Readonly<Record<string, unknown>> = { endSessions: [], explain: find, getMore: long(1) };
const WITH_OPTIONS = COMMANDS.filter(({ fields }) => fields !== undefined).map(({ name }) => name);

test.each(WITH_OPTIONS)('%s with an unknown option is rejected', async (command) => {
  expect(await codeOf(run({ [command]: FIRST[command] ?? 'things', foo: 1 }))).toBe(UNKNOWN_FIELD);
});

describe('an option of a wrong type or value is rejected', () => {
  test.each<[Document, number]>([
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

    [{ ...insert, documents: [1] }, TYPE_MISMATCH],
    [{ insert: 'things' }, MISSING_FIELD],

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

    [{ delete: 'things', deletes: [1] }, TYPE_MISMATCH],
    [{ delete: 'things', deletes: [{ q: {} }] }, MISSING_FIELD],
    [remove({ q: 1 }), TYPE_MISMATCH],
    [remove({ limit: 2 }), FAILED_TO_PARSE],
    [remove({ limit: 0.5 }), FAILED_TO_PARSE],
    [remove({ hint: 5 }), FAILED_TO_PARSE],
    [remove({ collation: 'x' }), TYPE_MISMATCH],
    [remove({ foo: 1 }), UNKNOWN_FIELD],

    [{ ...find, filter: null }, TYPE_MISMATCH],
    [{ ...find, limit: -1 }, OUT_OF_RANGE],
    [{ ...find, skip: -1 }, OUT_OF_RANGE],
    [{ ...find, batchSize: -1 }, OUT_OF_RANGE],
    [{ ...find, singleBatch: 1 }, TYPE_MISMATCH],
    [{ ...find, allowDiskUse: 1 }, TYPE_MISMATCH],
    [{ ...find, showRecordId: 1 }, TYPE_MISMATCH],
    [{ ...find, returnKey: 1 }, TYPE_MISMATCH],
    [{ ...find, tailable: 1 }, TYPE_MISMATCH],
    [{ ...find, awaitData: 1 }, TYPE_MISMATCH],

    [{ ...count, limit: 1.5 }, FAILED_TO_PARSE],
    [{ ...count, skip: -1 }, OUT_OF_RANGE],

    [{ distinct: 'things' }, MISSING_FIELD],

    [{ aggregate: 'things', cursor: {} }, MISSING_FIELD],
    [{ aggregate: 'things', pipeline: [] }, FAILED_TO_PARSE],
    [{ ...aggregate, pipeline: [1] }, TYPE_MISMATCH],
    [{ ...aggregate, cursor: { foo: 1 } }, UNKNOWN_FIELD],
    [{ ...aggregate, cursor: { batchSize: 'x' } }, TYPE_MISMATCH],
    [{ ...aggregate, cursor: { batchSize: -1 } }, OUT_OF_RANGE],
    [{ ...aggregate, explain: 1 }, TYPE_MISMATCH],
    [{ ...aggregate, allowDiskUse: 1 }, TYPE_MISMATCH],

    [{ getMore: int(1), collection: 'things' }, TYPE_MISMATCH],
    [{ getMore: long(1) }, MISSING_FIELD],
    [{ killCursors: 'things' }, MISSING_FIELD],
    [{ killCursors: 'things', cursors: [int(1)] }, TYPE_MISMATCH],

    [{ createIndexes: 'things' }, MISSING_FIELD],
    [{ createIndexes: 'things', indexes: [1] }, TYPE_MISMATCH],
    [{ dropIndexes: 'things' }, MISSING_FIELD],
    [{ dropIndexes: 'things', index: [5] }, TYPE_MISMATCH],

    [{ listCollections: 1, cursor: { foo: 1 } }, UNKNOWN_FIELD],
    [{ listCollections: 1, cursor: { batchSize: -1 } }, OUT_OF_RANGE],
    [{ listIndexes: 'things', cursor: { batchSize: 'x' } }, TYPE_MISMATCH],
    [{ dbStats: 1, scale: 0 }, OUT_OF_RANGE],

    [{ explain: find, verbosity: 'x' }, BAD_VALUE],
    [{ explain: { ...find, limit: 'x' } }, TYPE_MISMATCH],
    [{ explain: { ...find, foo: 1 } }, UNKNOWN_FIELD],
    [{ explain: { frobnicate: 1 } }, 59],
  ])('%j is rejected with %i', async (command, code) => {
    expect(await codeOf(ground.command(command))).toBe(code);
    expect(await ground.stored()).toHaveLength(2);
  });

  test.each<[Document, number]>([
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
