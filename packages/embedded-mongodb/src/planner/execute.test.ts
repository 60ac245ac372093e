import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { type BsonValue, documentOf, double, encode, int32 } from '../bson/document.ts';
import { parseFilter } from '../semantics/filter.ts';
import type { Collection } from '../storage/collection.ts';
import { readIndexSpecification } from '../storage/index-specification.ts';
import { openStore } from '../storage/store.ts';
import { findRecords, type RecordQuery } from './find-records.ts';

const RUNS = 600;
const folder = mkdtempSync(join(tmpdir(), 'execute-'));
const store = openStore({ path: join(folder, 'data.db'), fsync: false });
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});
let collections = 0;

const scalar = fc.constantFrom<BsonValue>(int32(1), double(Number.NaN), 'a', 'b', null);
const array = fc.oneof(fc.array(scalar, { maxLength: 2 }), fc.constant<BsonValue[]>(['a', 'b']));
const fieldsOf = (value: fc.Arbitrary<BsonValue>) =>
  fc.array(fc.record({ a: value, b: scalar }, { requiredKeys: [] }), { maxLength: 8 });
/** Documents with and without arrays, because a multikey index has different rules. */
const documents = fc.oneof(fieldsOf(scalar), fieldsOf(fc.oneof(scalar, array)));
const comparison = fc.oneof(
  fc.oneof(scalar, array).map((wanted) => documentOf({ $eq: wanted })),
  fc
    .tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte', '$ne'), scalar)
    .map(([operator, wanted]) => documentOf({ [operator]: wanted })),
  fc.tuple(scalar, scalar).map(([from, to]) => documentOf({ $gte: from, $lte: to })),
  array.map((wanted) => documentOf({ $in: wanted })),
  // Matches two entries of `['a', 'b']`.
  fc.constant(documentOf({ $gte: 'a' })),
);
const filter = fc.oneof(
  comparison.map((a) => documentOf({ a })),
  fc.tuple(comparison, comparison).map(([a, b]) => documentOf({ a, b })),
);

function collectionOf(stored: readonly object[]): Collection {
  const things = store.createCollection('test', `things${collections++}`);
  const key = documentOf({ a: int32(1), b: int32(-1) });
  store.createIndex(things, readIndexSpecification(documentOf({ key, name: 'a_1_b_-1' })));
  stored.forEach((fields, n) => {
    const document = documentOf({ _id: int32(n), ...fields });
    things.insert(document, encode(document));
  });
  return things;
}

function idsOf(things: Collection, query: RecordQuery): number[] {
  return [...findRecords(things, query)].map(({ document }) => Number(document.get('_id')));
}

test('an index scan finds exactly the matching documents, each once', () => {
  fc.assert(
    fc.property(documents, filter, (stored, given) => {
      const things = collectionOf(stored);
      const query = { filter: parseFilter(given) };
      const found = idsOf(things, { ...query, hint: 'a_1_b_-1' });
      expect(found.sort()).toEqual(
        idsOf(things, { ...query, hint: documentOf({ $natural: int32(1) }) }).sort(),
      );
      store.dropCollection(things);
    }),
    { numRuns: RUNS },
  );
});

test('an index scan with a limit finds as many matching documents as the limit allows', () => {
  const window = fc.record({
    skip: fc.nat(2),
    limit: fc.integer({ min: 1, max: 4 }),
    isWriting: fc.boolean(),
  });
  fc.assert(
    fc.property(documents, filter, window, (stored, given, { skip, limit, isWriting }) => {
      const things = collectionOf(stored);
      const query = { filter: parseFilter(given), hint: 'a_1_b_-1' };
      const all = idsOf(things, query);
      expect(idsOf(things, { ...query, skip, limit, isWriting })).toEqual(all.slice(skip, skip + limit));
      store.dropCollection(things);
    }),
    { numRuns: RUNS },
  );
});

test.each([1, -1])('an index scan in direction %i reads all of several chunks in order', (direction) => {
  const keys = Array.from({ length: 1000 }, (_, n) => n % 7);
  const things = collectionOf(keys.map((key) => ({ a: int32(key) })));
  const sort = documentOf({ a: int32(direction), b: int32(-direction) });
  const found = idsOf(things, {
    filter: parseFilter(documentOf({ a: documentOf({ $gt: int32(0) }) })),
    sort,
  });
  const expected = [...keys.keys()].filter((id) => keys[id] !== 0);
  expected.sort((a, b) => ((keys[a] as number) - (keys[b] as number) || a - b) * direction);
  expect(found).toEqual(expected);
});
