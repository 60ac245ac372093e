import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BsonValue,
  type Document,
  documentOf,
  double,
  encode,
  int32,
  long,
  MaxKey,
  MinKey,
} from '../src/bson/document.ts';
import { MongoError } from '../src/bson/mongo-error.ts';
import { findRecords, prepareQuery, type RecordQuery } from '../src/planner/find-records.ts';
import { parseFilter } from '../src/semantics/filter.ts';
import { encodeKey } from '../src/semantics/key-encoding.ts';
import { parseSort, type Sort, sortKey } from '../src/semantics/sort.ts';
import type { Collection } from '../src/storage/collection.ts';
import { readIndexSpecification } from '../src/storage/index-specification.ts';
import { openStore } from '../src/storage/store.ts';
import { temporaryFolder } from './support/server-under-test.ts';

const RUNS = 500;

/** Few values, so that documents and filters share some, of many types, to test the bounds between types. */
const common = fc.constantFrom<BsonValue>(int32(0), int32(1), 'a', 'A', null);
const scalar = fc.oneof(
  { weight: 6, arbitrary: common },
  fc.integer({ min: -2, max: 3 }).map((n): BsonValue => int32(n)),
  fc.constantFrom<BsonValue>(double(1), double(1.5), double(Number.NaN), long(2n), long(9007199254740993n)),
  fc.constantFrom<BsonValue>('', 'a', 'A', 'á', 'b', null, true, false),
  fc.integer({ min: 0, max: 2 }).map((ms): BsonValue => new Date(ms)),
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
/** Several elements with the same fields, because bounds on two fields must not be combined. */
const lines = fc.array(subdocument, { minLength: 1, maxLength: 3 }).map((found): BsonValue => found);
const document = fc.record({ a: value, b: value, c: fc.oneof(value, lines, lines) }, { requiredKeys: [] });

const path = fc.constantFrom('a', 'b', 'c', 'c.x', 'c.y', 'c.x', 'c.y', 'a.x');
/** Values that compare unlike others: with all types, or only with themselves. */
const extreme = fc.constantFrom<BsonValue>(new MinKey(), new MaxKey(), double(Number.NaN));
const operand = fc.oneof({ weight: 8, arbitrary: value }, extreme);
const comparison = fc.oneof(
  common.map((wanted) => ({ $eq: wanted })),
  operand.map((wanted) => ({ $eq: wanted })),
  fc
    .tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte', '$ne'), operand)
    .map(([name, wanted]) => ({ [name]: wanted })),
  fc.tuple(operand, operand).map(([from, to]) => ({ $gte: from, $lt: to })),
  // Only an array can satisfy both.
  fc.constant({ $gt: int32(0), $lt: int32(1) }),
  fc.array(operand, { maxLength: 3 }).map((wanted) => ({ $in: wanted })),
  fc.boolean().map((exists) => ({ $exists: exists })),
);
const condition = fc
  .tuple(path, comparison)
  .map(([name, operators]) => documentOf({ [name]: documentOf(operators as never) }));
/** Filters that nearly imply one of the partial filter expressions. */
const almostImplying = fc.constantFrom(documentOf({ a: int32(1) }), documentOf({ b: null }));
const aComparedWithExtreme = fc
  .tuple(fc.constantFrom('$eq', '$gt', '$gte', '$lt', '$lte'), extreme)
  .map(([name, wanted]) => documentOf({ a: documentOf({ [name]: wanted }) }));
const conjunction = fc
  .array(condition, { minLength: 1, maxLength: 3 })
  .map((conditions) => documentOf({ $and: conditions }));
/** The fields of one element of an array, or of two. */
const pair = fc.tuple(common, common).map(([x, y]) => documentOf({ 'c.x': x, 'c.y': y }));
const PARTIAL_FILTERS = [
  documentOf({ a: documentOf({ $exists: true }) }),
  documentOf({ 'c.x': documentOf({ $exists: true }) }),
  documentOf({ a: documentOf({ $gt: int32(0) }) }),
  documentOf({ a: documentOf({ $lte: int32(1) }) }),
  documentOf({ a: documentOf({ $gte: double(Number.NaN) }) }),
  documentOf({ a: documentOf({ $lt: new MaxKey() }) }),
  documentOf({ b: null }),
  documentOf({ c: documentOf({ $in: ['a', int32(1), null] }) }),
  documentOf({ $or: [documentOf({ a: int32(1) }), documentOf({ b: documentOf({ $lt: 'b' }) })] }),
];
const filter = fc.oneof(
  pair,
  aComparedWithExtreme,
  almostImplying,
  fc.constantFrom(...PARTIAL_FILTERS),
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
const index = fc.record({
  key: fc.oneof(
    { weight: 3, arbitrary: keyPattern },
    fc.constant(documentOf({ 'c.x': int32(1), 'c.y': int32(-1) })),
  ),
  partialFilter: fc.option(fc.constantFrom(...PARTIAL_FILTERS), { nil: undefined }),
});

function addIndex(
  store: ReturnType<typeof openStore>,
  things: Collection,
  key: Document,
  partialFilter?: Document,
) {
  const specification = documentOf({ key, name: `i${things.indexes.length}` });
  if (partialFilter !== undefined) specification.set('partialFilterExpression', partialFilter);
  store.createIndex(things, readIndexSpecification(specification));
}

/** Stores, updates and removes documents, except those with parallel arrays in an index. */
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

/** The sort keys in the order found. */
const sortKeysOf = (things: Collection, query: RecordQuery, order: Sort) =>
  [...findRecords(things, query)].map(({ document }) =>
    Buffer.from(
      encodeKey(
        sortKey(document, order),
        order.map(() => 1),
      ),
    ).toString('hex'),
  );

/** The result or the error code. MongoDB cannot sort by some arrays, or use a partial index for every filter. */
function outcomeOf<T>(read: () => T): T | number {
  try {
    return read();
  } catch (error) {
    if (error instanceof MongoError) return error.code;
    throw error;
  }
}

const NO_QUERY_EXECUTION_PLANS = 291;

describe('with any indexes', () => {
  test('a query returns the same documents as a collection scan, in the order of its sort', () => {
    const store = openStore({ path: join(temporaryFolder(), 'data.db'), fsync: false });
    let run = 0;
    const usedPlans = new Set<string>();
    let hintedQueries = 0;
    fc.assert(
      fc.property(
        fc.array(document, { maxLength: 12 }),
        fc.array(document, { maxLength: 4 }),
        fc.array(index, { minLength: 1, maxLength: 3 }),
        fc.array(filter, { minLength: 1, maxLength: 6 }),
        keyPattern,
        (documents, later, indexes, filters, sort) => {
          const things = store.createCollection('test', `things${run++}`);
          for (const { key, partialFilter } of indexes) addIndex(store, things, key, partialFilter);
          fill(things, documents, later);
          expect(things.findDisagreements()).toEqual([]);
          const order = parseSort(sort);
          const sorted = (query: RecordQuery) =>
            outcomeOf(() => sortKeysOf(things, { ...query, sort, limit: 5 }, order));
          for (const given of filters) {
            const query = { filter: parseFilter(given) };
            const natural = { ...query, hint: documentOf({ $natural: int32(1) }) };
            const [wanted, wantedOrder] = [ids(things, natural).sort(), sorted(natural)];
            usedPlans.add(prepareQuery(things, query).plan.kind);
            expect(ids(things, query).sort()).toEqual(wanted);
            expect(sorted(query)).toEqual(wantedOrder);
            for (const { definition } of things.indexes) {
              const hinted = { ...query, hint: definition.name };
              const found = outcomeOf(() => ids(things, hinted).sort());
              if (found === NO_QUERY_EXECUTION_PLANS) continue;
              hintedQueries += 1;
              expect(found).toEqual(wanted);
              expect(sorted(hinted)).toEqual(wantedOrder);
              const inScanOrder = ids(things, hinted);
              expect(ids(things, { ...hinted, skip: 1, limit: 2 })).toEqual(inScanOrder.slice(1, 3));
              expect(ids(things, { ...hinted, limit: 1, isWriting: true })).toEqual(inScanOrder.slice(0, 1));
            }
          }
          store.dropCollection(things);
        },
      ),
      { numRuns: RUNS },
    );
    store.close();
    expect([...usedPlans].sort()).toEqual(['collectionScan', 'indexScan', 'union']);
    expect(hintedQueries).toBeGreaterThan(RUNS);
  });

  test.each([1, -1])('an index scan in direction %i reads all of several chunks in order', (direction) => {
    const store = openStore({ path: join(temporaryFolder(), `chunks${direction}.db`), fsync: false });
    const things = store.createCollection('test', 'things');
    addIndex(store, things, documentOf({ a: int32(1), b: int32(-1) }));
    const keys = Array.from({ length: 1000 }, (_, n) => n % 7);
    fill(
      things,
      keys.map((key) => ({ a: int32(key) })),
      [],
    );
    const sort = documentOf({ a: int32(direction), b: int32(-direction) });
    const found = ids(things, {
      filter: parseFilter(documentOf({ a: documentOf({ $gt: int32(0) }) })),
      sort,
    });
    // Without the document that `fill` removes.
    const expected = [...keys.keys()].filter((id) => keys[id] !== 0 && id !== 1);
    expected.sort((a, b) => ((keys[a] as number) - (keys[b] as number) || a - b) * direction);
    expect(found).toEqual(expected.map(String));
    store.close();
  });
});
