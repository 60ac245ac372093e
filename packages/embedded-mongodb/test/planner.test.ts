import { type Collection, type Document, MinKey } from 'mongodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { rejection, startForTest } from './support/server-under-test.ts';

const DOCUMENTS = 300;

/** From `explain`: the names of the stages, outermost first, the index, and the examined keys and documents. */
interface Explained {
  stages: string[];
  index: string | undefined;
  direction: string | undefined;
  keys: number;
  documents: number;
  returned: number;
}

function summarize(explained: Document): Explained {
  const stages: string[] = [];
  let stage: Document = explained.queryPlanner.winningPlan;
  for (; stage !== undefined; stage = stage.inputStage) {
    stages.push(stage.stage);
    if (stage.inputStage === undefined) break;
  }
  const { totalKeysExamined, totalDocsExamined, nReturned } = explained.executionStats;
  return {
    stages,
    index: stage.indexName,
    direction: stage.direction,
    keys: totalKeysExamined,
    documents: totalDocsExamined,
    returned: nReturned,
  };
}

describe('the planner', () => {
  let payments: Collection;

  beforeAll(async () => {
    const { client } = await startForTest();
    payments = client.db('test').collection('payments');
    await payments.insertMany(
      Array.from({ length: DOCUMENTS }, (_, n) => ({
        _id: n as never,
        app: `app${n % 10}`,
        status: n % 3 === 0 ? 'pending' : 'succeeded',
        amount: n,
        tags: [`t${n % 5}`, `u${n % 7}`],
        lines: [
          { sku: n % 11, count: n % 2 },
          { sku: 100, count: 9 },
        ],
        ...(n % 50 === 0 ? { key: `k${n}` } : {}),
        ...(n % 2 === 0 ? { rare: n } : {}),
      })),
    );
    await payments.createIndexes([
      { key: { app: 1, amount: -1 } },
      { key: { app: 1, key: 1 }, unique: true, partialFilterExpression: { key: { $exists: true } } },
      { key: { tags: 1 } },
      { key: { amount: 1 } },
      { key: { 'tags.0': 1 } },
      { key: { rare: 1 }, partialFilterExpression: { rare: { $exists: true } } },
      { key: { 'lines.sku': 1, 'lines.count': 1 } },
      { key: { score: 1 }, partialFilterExpression: { score: { $lte: 10 } } },
    ]);
  });

  const explain = async (filter: Document, sort?: Document, limit = 0) =>
    summarize(await payments.find(filter, { ...(sort ? { sort } : {}), limit }).explain('executionStats'));

  test('the planner finds by _id directly', async () => {
    expect(await explain({ _id: 7 })).toMatchObject({
      stages: ['IDHACK'],
      keys: 1,
      documents: 1,
      returned: 1,
    });
  });

  test('the planner reads only the keys of a compound index that an equality and a range select', async () => {
    expect(await explain({ app: 'app3', amount: { $gte: 100, $lt: 150 } })).toMatchObject({
      stages: ['FETCH', 'IXSCAN'],
      index: 'app_1_amount_-1',
      keys: 5,
      documents: 5,
      returned: 5,
    });
  });

  test.each([
    [{ app: 'app3' }, { amount: -1 }, 'forward'],
    [{ app: 'app3' }, { amount: 1 }, 'backward'],
    [{}, { app: 1, amount: -1 }, 'forward'],
    [{}, { app: -1, amount: 1 }, 'backward'],
    [{ app: 'app3' }, { app: 1, amount: 1 }, 'backward'],
  ])('the planner reads %j sorted by %j from the index in order, %s', async (filter, sort, direction) => {
    const found = await explain(filter, sort, 5);
    expect(found).toMatchObject({
      stages: ['LIMIT', 'FETCH', 'IXSCAN'],
      index: 'app_1_amount_-1',
      direction,
    });
    expect(found.documents).toBe(5);
  });

  test('the planner sorts in memory when the directions do not match the index', async () => {
    expect((await explain({}, { app: 1, amount: 1 })).stages).toEqual(['SORT', 'COLLSCAN']);
  });

  test('the planner looks up each value of $in', async () => {
    expect(await explain({ amount: { $in: [1, 2, 2, 250] } })).toMatchObject({
      index: 'amount_1',
      keys: 3,
      returned: 3,
    });
  });

  test('the planner uses a partial unique index only when the filter implies its expression', async () => {
    expect(await explain({ app: 'app0', key: 'k50' })).toMatchObject({
      index: 'app_1_key_1',
      keys: 1,
      returned: 1,
    });
    expect((await explain({ app: 'app0', key: null })).index).toBe('app_1_amount_-1');
  });

  test('the planner scans a partial index instead of the collection when the filter only repeats its expression', async () => {
    expect(await explain({ key: { $exists: true } })).toMatchObject({
      index: 'app_1_key_1',
      keys: 6,
      documents: 6,
      returned: 6,
    });
  });

  test.each<[Document, string]>([
    [{ rare: 4 }, 'rare_1'],
    [{ rare: { $gt: 4 } }, 'rare_1'],
    [{ rare: { $in: [4, 6] } }, 'rare_1'],
    [{ score: 3 }, 'score_1'],
    [{ score: { $lt: 10 } }, 'score_1'],
    [{ score: { $in: [1, 10] } }, 'score_1'],
  ])('the planner uses a partial index for %j', async (filter, index) => {
    expect((await explain(filter)).index).toBe(index);
  });

  test.each<Document>([
    { rare: null },
    { rare: { $in: [4, null] } },
    // MinKey and MaxKey also compare with a missing field.
    { rare: { $gt: new MinKey() } },
    { score: 11 },
    { score: { $lte: 11 } },
    { score: { $gte: 3 } },
    { score: { $lt: 'a' } },
    // $lte: 10 does not match NaN, which sorts before it.
    { score: Number.NaN },
    { score: [3] },
  ])(
    'the planner does not use a partial index for %j, which can match documents outside it',
    async (filter) => {
      expect((await explain(filter)).stages).toEqual(['COLLSCAN']);
    },
  );

  test('the planner does not sort by a partial index', async () => {
    expect((await explain({}, { rare: 1 })).stages).toEqual(['SORT', 'COLLSCAN']);
  });

  test('the planner finds array elements by a multikey index, each document once', async () => {
    const found = await explain({ tags: { $in: ['t1', 'u1'] } });
    expect(found.index).toBe('tags_1');
    expect(found.returned).toBe(await payments.countDocuments({ $or: [{ tags: 't1' }, { tags: 'u1' }] }));
    expect(found.keys).toBeLessThan(DOCUMENTS);
  });

  test('the planner sorts in memory by a field with arrays, even when the filter binds it to one value', async () => {
    expect((await explain({ tags: 't1' }, { tags: 1 })).stages).toEqual(['SORT', 'FETCH', 'IXSCAN']);
  });

  test('the planner does not intersect ranges over array elements', async () => {
    await payments.insertOne({ _id: 'a' as never, tags: ['a', 'z'] });
    expect(await payments.countDocuments({ tags: { $gt: 'y', $lt: 'b' } })).toBe(1);
    await payments.deleteOne({ _id: 'a' as never });
  });

  test('the planner does not bound two fields of one array together', async () => {
    const hinted = await payments
      .find({ 'lines.sku': 100, 'lines.count': 0 })
      .hint('lines.sku_1_lines.count_1')
      .toArray();
    expect(hinted).toHaveLength(DOCUMENTS / 2);
  });

  test('the planner runs an $or as one index scan for each alternative', async () => {
    const explained = await payments
      .find({ $or: [{ amount: 5 }, { rare: 8 }, { _id: 9 as never }] })
      .explain('executionStats');
    expect(explained.queryPlanner.winningPlan.inputStage.stage).toBe('OR');
    expect(explained.executionStats).toMatchObject({ totalDocsExamined: 3, nReturned: 3 });
  });

  test('the planner scans the collection when an alternative of an $or has no index', async () => {
    expect((await explain({ $or: [{ amount: 5 }, { nothing: 8 }] })).stages).toEqual(['COLLSCAN']);
  });

  test('the planner combines two bounds on one field', async () => {
    expect(await explain({ amount: { $gt: 10, $gte: 100, $lt: 200, $lte: 103 } })).toMatchObject({
      index: 'amount_1',
      keys: 4,
      returned: 4,
    });
    expect(await explain({ amount: { $gt: 5, $lt: 3 } })).toMatchObject({
      index: 'amount_1',
      keys: 0,
      returned: 0,
    });
  });

  test.each<[Document, Document?]>([
    // `tags.0` can name the first element of an array or a field.
    [{ 'tags.0': 't1' }],
    [{}, { 'tags.0': 1 }],
    [{ app: { $gt: null } }],
    [{ app: { $gt: { x: 1 } } }],
    [{ $nor: [{ amount: 1 }] }],
  ])('the planner does not bound an index for %j sorted by %j', async (filter, sort) => {
    const { stages } = await explain(filter, sort);
    expect(stages.at(-1)).toBe('COLLSCAN');
  });

  test('the planner uses an index for an $or with one alternative', async () => {
    expect(await explain({ $or: [{ amount: 5 }] })).toMatchObject({ index: 'amount_1', keys: 1 });
  });

  test('the planner reads nothing for a filter that no document can match', async () => {
    expect(await explain({ amount: { $in: [] } })).toMatchObject({ keys: 0, documents: 0 });
  });

  test('the planner scans the collection when the values of several $in combine to too many keys', async () => {
    const many = Array.from({ length: 50 }, (_, n) => n);
    const filter = { app: { $in: many.map((n) => `app${n}`) }, amount: { $in: many } };
    const found = await payments.find(filter).hint('app_1_amount_-1').explain('executionStats');
    // Only `app` bounds the scan: it reads all 300 entries.
    expect(summarize(found)).toMatchObject({ keys: DOCUMENTS, returned: 50 });
  });

  test('the planner follows a hint by name and by key, and rejects a hint without an index', async () => {
    const byName = await payments.find({ amount: 3 }).hint('app_1_amount_-1').explain('executionStats');
    expect(summarize(byName)).toMatchObject({ index: 'app_1_amount_-1', returned: 1 });
    const byKey = await payments.find({ app: 'app1' }).hint({ amount: 1 }).explain('executionStats');
    expect(summarize(byKey).index).toBe('amount_1');
    const natural = await payments.find({ amount: 3 }).hint({ $natural: -1 }).explain('executionStats');
    expect(summarize(natural)).toMatchObject({ stages: ['COLLSCAN'], direction: 'backward' });
    expect(await rejection(payments.find({}).hint('none').toArray())).toMatchObject({ code: 2 });
    // The partial index does not contain all documents.
    expect(await rejection(payments.find({}).hint('app_1_key_1').toArray())).toMatchObject({ code: 291 });
  });

  test.each([
    { app: 'app1' },
    { app: 'app1', amount: { $gt: 17 } },
    { app: { $in: ['app1', 'app2'] }, amount: { $lte: 33 } },
    { amount: { $gte: 10 }, tags: 't2' },
    { key: { $exists: true } },
    { app: 'app0', key: { $gte: 'k' } },
    { rare: { $gt: 20, $lt: 40 } },
    { 'lines.sku': { $in: [1, 2] } },
    { $or: [{ amount: { $lt: 4 } }, { app: 'app2', amount: { $gt: 280 } }] },
    { amount: { $not: { $gt: 5 } } },
  ] as Document[])('the planner returns the same with indexes as without: %j', async (filter) => {
    const ids = (found: Document[]) => found.map(({ _id }) => _id).sort();
    const planned = await payments.find(filter).toArray();
    const scanned = await payments.find(filter).hint({ $natural: 1 }).toArray();
    expect(ids(planned)).toEqual(ids(scanned));
    expect(planned.length).toBeGreaterThan(0);
  });
});
