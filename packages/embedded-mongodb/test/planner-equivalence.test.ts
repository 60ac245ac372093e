import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BSON_UNDEFINED,
  type BsonValue,
  type Document,
  documentOf,
  double,
  encode,
  int32,
  long,
} from '../src/bson/document.ts';
import { MongoError } from '../src/bson/mongo-error.ts';
import { findRecords, prepareQuery, type RecordQuery } from '../src/planner/find-records.ts';
import { parseCollation } from '../src/semantics/collation.ts';
import { compareValues } from '../src/semantics/compare.ts';
import { parseFilter } from '../src/semantics/filter.ts';
import { encodeKey } from '../src/semantics/key-encoding.ts';
import { parseSort, type Sort, sortKey } from '../src/semantics/sort.ts';
import type { Collection } from '../src/storage/collection.ts';
import { readIndexSpecification } from '../src/storage/index-specification.ts';
import { openStore } from '../src/storage/store.ts';
import { temporaryFolder } from './support/server-under-test.ts';

const RUNS = 500;

/** Few values, so that they meet; of many types, so that the edges between types are walked. */
const common = fc.constantFrom<BsonValue>(int32(0), int32(1), 'a', 'A', null);
const scalar = fc.oneof(
  { weight: 6, arbitrary: common },
  fc.integer({ min: -2, max: 3 }).map((n): BsonValue => int32(n)),
  fc.constantFrom<BsonValue>(double(1), double(1.5), double(Number.NaN), long(2n), long(9007199254740993n)),
  fc.constantFrom<BsonValue>(
    '',
    'a',
    'A',
    'á',
    'b',
    'ss',
    'ß',
    null,
    true,
    false,
    new Date(0),
    new Date(1767225600000),
    new Date(1767225600001),
    BSON_UNDEFINED,
  ),
);
const subdocument = fc
  .record({ x: scalar, y: scalar }, { requiredKeys: [] })
  .map((fields): BsonValue => documentOf(fields as Record<string, BsonValue>));
const element = fc.oneof({ weight: 5, arbitrary: scalar }, subdocument, fc.array(scalar, { maxLength: 2 }));
const value: fc.Arbitrary<BsonValue> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  subdocument,
  fc.array(element, { maxLength: 3 }),
);
/** Several elements with the same fields: where bounds on two fields must not be paired. */
const lines = fc.array(subdocument, { minLength: 1, maxLength: 3 }).map((found): BsonValue => found);
const document = fc.record({ a: value, b: value, c: fc.oneof(value, lines, lines) }, { requiredKeys: [] });

function holdsUndefined(given: BsonValue): boolean {
  if (given instanceof Map || Array.isArray(given)) return [...given.values()].some(holdsUndefined);
  return given === BSON_UNDEFINED;
}

const path = fc.constantFrom('a', 'b', 'c', 'c.x', 'c.y', 'c.x', 'c.y', 'a.x');
/** MongoDB refuses comparisons with undefined. */
const operand = value.filter((wanted) => !holdsUndefined(wanted));
const comparison = fc.oneof(
  common.map((wanted) => ({ $eq: wanted })),
  operand.map((wanted) => ({ $eq: wanted })),
  fc
    .tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte', '$ne'), operand)
    .map(([name, wanted]) => ({ [name]: wanted })),
  fc.tuple(operand, operand).map(([from, to]) => ({ $gte: from, $lt: to })),
  fc.array(operand, { maxLength: 3 }).map((wanted) => ({ $in: wanted })),
  fc.boolean().map((exists) => ({ $exists: exists })),
  fc.tuple(operand, operand).map(([from, to]) => ({ $elemMatch: documentOf({ $gte: from, $lte: to }) })),
);
const condition = fc
  .tuple(path, comparison)
  .map(([name, operators]) => documentOf({ [name]: documentOf(operators as never) }));
const conjunction = fc
  .array(condition, { minLength: 1, maxLength: 3 })
  .map((conditions) => documentOf({ $and: conditions }));
/** Both fields of one line, or of two. */
const pair = fc.tuple(common, common).map(([x, y]) => documentOf({ 'c.x': x, 'c.y': y }));
const filter = fc.oneof(
  pair,
  { weight: 3, arbitrary: conjunction },
  fc.tuple(conjunction, conjunction).map((alternatives) => documentOf({ $or: alternatives })),
  fc
    .tuple(condition, condition, condition)
    .map(([a, b, c]) => documentOf({ $and: [a, documentOf({ $or: [b, c] })] })),
);

const keyPattern = fc
  .uniqueArray(fc.tuple(path, fc.constantFrom(1, -1)), {
    minLength: 1,
    maxLength: 3,
    selector: ([name]) => name,
  })
  .map((fields) =>
    documentOf(Object.fromEntries(fields.map(([name, direction]) => [name, int32(direction)]))),
  );
/** Mostly none, else of two that are unlike. */
const collation = fc.constantFrom(
  undefined,
  undefined,
  documentOf({ locale: 'en', strength: int32(2) }),
  documentOf({ locale: 'en', strength: int32(1) }),
);
const index = fc.record({
  collation,
  key: fc.oneof(
    { weight: 3, arbitrary: keyPattern },
    fc.constant(documentOf({ 'c.x': int32(1), 'c.y': int32(-1) })),
  ),
  option: fc.constantFrom<[string, BsonValue] | undefined>(
    undefined,
    undefined,
    ['sparse', true],
    ['partialFilterExpression', documentOf({ a: documentOf({ $exists: true }) })],
    ['partialFilterExpression', documentOf({ a: documentOf({ $gt: int32(0) }) })],
    ['partialFilterExpression', documentOf({ b: null })],
    ['partialFilterExpression', documentOf({ c: documentOf({ $in: ['a', int32(1), null] }) })],
  ),
});

function addIndex(
  store: ReturnType<typeof openStore>,
  things: Collection,
  key: Document,
  option: [string, BsonValue] | undefined,
  comparedBy: Document | undefined,
) {
  const specification = documentOf({ key, name: `i${things.indexes.length}` });
  if (option !== undefined) specification.set(...option);
  if (comparedBy !== undefined) specification.set('collation', comparedBy);
  store.createIndex(things, readIndexSpecification(specification));
}

/** Stores, updates and removes what it can: parallel arrays in an index are rightly refused. */
function fill(things: Collection, documents: readonly object[], later: readonly object[]): void {
  const attempt = (change: () => void) => {
    try {
      change();
    } catch (error) {
      if (!(error instanceof MongoError && error.code === 171)) throw error;
    }
  };
  const stored: { rid: number; document: Document }[] = [];
  documents.forEach((fields, n) => {
    const made = documentOf({ _id: int32(n), ...fields });
    attempt(() => stored.push({ rid: things.insert(made, encode(made)), document: made }));
  });
  later.forEach((fields, n) => {
    const target = stored[n * 2];
    if (target === undefined) return;
    const after = documentOf({ _id: target.document.get('_id') as BsonValue, ...fields });
    attempt(() => {
      things.replace(target.rid, target.document, after, encode(after));
      target.document = after;
    });
  });
  const removed = stored[1];
  if (removed !== undefined) things.remove(removed.rid, removed.document);
}

const ids = (things: Collection, query: RecordQuery) =>
  [...findRecords(things, query)].map(({ document }) => String(document.get('_id')));

/** The sort keys in the order found, or the code of the refusal: some arrays cannot be sorted by. */
function sortKeysOf(things: Collection, query: RecordQuery, order: Sort): string[] | number {
  try {
    return [...findRecords(things, query)].map(({ document }) =>
      Buffer.from(
        encodeKey(
          sortKey(document, order),
          order.map(() => 1),
          query.collation?.indexText,
        ),
      ).toString('hex'),
    );
  } catch (error) {
    if (error instanceof MongoError) return error.code;
    throw error;
  }
}

describe('whatever indexes there are', () => {
  test('a query finds what a scan of the collection finds, in the order of its sort', () => {
    const store = openStore({ path: join(temporaryFolder(), 'data.db'), fsync: false });
    let run = 0;
    const usedPlans = new Set<string>();
    fc.assert(
      fc.property(
        fc.array(document, { maxLength: 12 }),
        fc.array(document, { maxLength: 4 }),
        fc.array(index, { minLength: 1, maxLength: 3 }),
        fc.array(filter, { minLength: 1, maxLength: 6 }),
        keyPattern,
        collation,
        (documents, later, indexes, filters, sort, comparedBy) => {
          const things = store.createCollection('test', `things${run++}`, documentOf({}));
          const collation = parseCollation(comparedBy);
          for (const { key, option, collation: ofIndex } of indexes) {
            try {
              addIndex(store, things, key, option, ofIndex);
            } catch (error) {
              if (!(error instanceof MongoError)) throw error; // the same key under another name
            }
          }
          fill(things, documents, later);
          expect(things.findDisagreements()).toEqual([]);
          for (const given of filters) {
            const query = { filter: parseFilter(given, { collation }), collation };
            const natural = { ...query, hint: documentOf({ $natural: int32(1) }) };
            usedPlans.add(prepareQuery(things, query).plan.kind);
            expect(ids(things, query).sort()).toEqual(ids(things, natural).sort());
            const order = parseSort(sort, collation);
            const keys = (found: RecordQuery) => sortKeysOf(things, found, order);
            expect(keys({ ...query, sort, limit: 5 })).toEqual(keys({ ...natural, sort, limit: 5 }));
          }
          store.dropCollection(things);
        },
      ),
      { numRuns: RUNS },
    );
    store.close();
    expect([...usedPlans].sort()).toEqual(expect.arrayContaining(['collectionScan', 'indexScan', 'union']));
  });

  test('a unique index with a collation refuses what is equal to a value that is there, and nothing else', () => {
    const store = openStore({ path: join(temporaryFolder(), 'unique.db'), fsync: false });
    const text = fc
      .array(fc.constantFrom('a', 'A', 'á', 'ß', 's', 'S', 'ss', '\u00ad', '½', '漢'), { maxLength: 3 })
      .map((parts) => parts.join(''));
    let run = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.integer({ max: 1, min: 0 }))),
        collation,
        (pairs, comparedBy) => {
          const things = store.createCollection('test', `things${run++}`, documentOf({}));
          const key = documentOf({ a: int32(1), n: int32(-1) });
          addIndex(store, things, key, ['unique', true], comparedBy);
          const comparison = parseCollation(comparedBy);
          const taken: BsonValue[][] = [];
          for (const [id, [a, n]] of pairs.entries()) {
            const made = documentOf({ _id: int32(id), a, n: int32(n) });
            const isTaken = taken.some((one) => compareValues(one, [a, int32(n)], comparison) === 0);
            if (!isTaken) taken.push([a, int32(n)]);
            const insert = () => things.insert(made, encode(made));
            if (isTaken) expect(insert).toThrow(/E11000/);
            else insert();
          }
          expect(things.findDisagreements()).toEqual([]);
          store.dropCollection(things);
        },
      ),
      { numRuns: RUNS },
    );
    store.close();
  });
});
