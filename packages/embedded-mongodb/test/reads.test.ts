import { type Collection, type Document, Long } from 'mongodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rejection, type ServerUnderTest, startForTest } from './support/server-under-test.ts';

let under: ServerUnderTest;
let things: Collection<Document>;

beforeAll(async () => {
  under = await startForTest();
});

beforeEach(async () => {
  await under.client.db('test').dropDatabase();
  things = under.client.db('test').collection('things');
});

const ids = (found: Document[]) => found.map(({ _id }) => _id);

describe('find', () => {
  beforeEach(async () => {
    await things.insertMany(
      Array.from({ length: 250 }, (_, n) => ({ _id: n as never, n, odd: n % 2 === 1 })),
    );
  });

  test('find returns 101 documents first and more by getMore, until the cursor is killed', async () => {
    const first = await under.command({ find: 'things' });
    expect(first.cursor.firstBatch).toHaveLength(101);
    const more = { getMore: Long.fromBigInt(BigInt(first.cursor.id)), collection: 'things', batchSize: 100 };
    expect((await under.command(more)).cursor.nextBatch).toHaveLength(100);
    const killed = await under.command({ killCursors: 'things', cursors: [more.getMore] });
    expect(killed.cursorsKilled).toHaveLength(1);
    expect(await rejection(under.command(more))).toMatchObject({ code: 43 });
  });

  test('a cursor ends with an error when its collection is dropped', async () => {
    const cursor = things.find().batchSize(2);
    await cursor.next();
    await things.drop();
    expect(await rejection(cursor.toArray())).toMatchObject({ code: 175 });
  });

  test('a cursor on an index ends with an error when the index or the collection is dropped', async () => {
    await things.createIndex({ n: 1 });
    const alongIndex = things.find({ n: { $gte: 0 } }).batchSize(2);
    await alongIndex.next();
    await things.dropIndex('n_1');
    expect(await rejection(alongIndex.toArray())).toMatchObject({ code: 175 });
    const byId = things.find({ _id: { $gte: 0 as never } }).batchSize(2);
    await byId.next();
    await things.drop();
    expect(await rejection(byId.toArray())).toMatchObject({ code: 175 });
  });

  test('a cursor continues while documents are changed and removed', async () => {
    const cursor = things.find().batchSize(20);
    await cursor.next();
    await things.deleteMany({ n: { $gte: 200 } });
    const rest = await cursor.toArray();
    expect(rest.length).toBeGreaterThanOrEqual(199);
  });

  test.each<[Document, Document, number[]]>([
    [{ n: { $lt: 3 } }, {}, [0, 1, 2]],
    [{ n: { $lt: 6 }, odd: true }, { sort: { n: -1 } }, [5, 3, 1]],
    [{}, { sort: { odd: 1, n: -1 }, limit: 2 }, [248, 246]],
    [{}, { sort: { n: 1 }, skip: 10, limit: 2 }, [10, 11]],
    [{}, { sort: { $natural: -1 }, limit: 2 }, [249, 248]],
  ])('find finds %j with %j', async (filter, options, expected) => {
    expect(ids(await things.find(filter, options).toArray())).toEqual(expected);
  });
});

describe('count, distinct and aggregate', () => {
  beforeEach(async () => {
    await things.insertMany([
      { _id: 1, team: 'a', n: 1, tags: ['x', 'y'] },
      { _id: 2, team: 'a', n: 2, tags: [] },
      { _id: 3, team: 'b', n: 3, tags: ['y'] },
    ] as Document[]);
  });

  test('a pipeline uses an index for its first stages', async () => {
    await things.createIndex({ team: 1, n: 1 });
    const pipeline = [
      { $match: { team: 'a' } },
      { $sort: { n: -1 } },
      { $group: { _id: '$team', first: { $first: '$n' }, sum: { $sum: '$n' } } },
    ];
    expect(await things.aggregate(pipeline).toArray()).toEqual([{ _id: 'a', first: 2, sum: 3 }]);
    const explained = await under.command({ explain: { aggregate: 'things', pipeline, cursor: {} } });
    expect(explained).toMatchObject({ queryPlanner: { winningPlan: { inputStage: { stage: 'IXSCAN' } } } });
  });
});
