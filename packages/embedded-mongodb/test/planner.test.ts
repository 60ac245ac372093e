import { type Collection, type Document, type FindOptions, MinKey } from 'mongodb';
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

  const explain = async (filter: Document, options: FindOptions = {}) =>
    summarize(await payments.find(filter, options).explain('executionStats'));

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

  const BY_APP = 'app_1_amount_-1';
  const UNBOUNDED = { stages: ['COLLSCAN'] };
  const SORTED = { stages: ['LIMIT', 'FETCH', 'IXSCAN'], index: BY_APP, documents: 5 };
  const MANY = Array.from({ length: 50 }, (_, n) => n);

  test.each<[behavior: string, filter: Document, options: FindOptions, plan: Partial<Explained>]>([
    ['finds by _id directly', { _id: 7 }, {}, { stages: ['IDHACK'], keys: 1, documents: 1, returned: 1 }],
    [
      'reads only the keys of a compound index that an equality and a range select',
      { app: 'app3', amount: { $gte: 100, $lt: 150 } },
      {},
      { stages: ['FETCH', 'IXSCAN'], index: BY_APP, keys: 5, documents: 5, returned: 5 },
    ],
    ['looks up each value of $in', { amount: { $in: [1, 2, 2, 250] } }, {}, { index: 'amount_1', keys: 3 }],
    ['reads nothing if no document can match', { amount: { $in: [] } }, {}, { keys: 0, documents: 0 }],
    [
      'combines bounds on one field',
      { amount: { $gt: 10, $gte: 100, $lt: 200, $lte: 103 } },
      {},
      { index: 'amount_1', keys: 4, returned: 4 },
    ],
    ['combines bounds on one field', { amount: { $gt: 5, $lt: 3 } }, {}, { index: 'amount_1', keys: 0 }],
    [
      'bounds only the first field if the values of several $in combine to too many keys',
      { app: { $in: MANY.map((n) => `app${n}`) }, amount: { $in: MANY } },
      { hint: BY_APP },
      { keys: DOCUMENTS, returned: 50 },
    ],
    [
      'finds array elements by a multikey index, each document once',
      { tags: { $in: ['t1', 'u1'] } },
      {},
      { index: 'tags_1', returned: 94 },
    ],

    ['reads from the index in order', { app: 'app3' }, { sort: { amount: -1 }, limit: 5 }, SORTED],
    [
      'reads from the index in order, backward',
      { app: 'app3' },
      { sort: { amount: 1 }, limit: 5 },
      { ...SORTED, direction: 'backward' },
    ],
    [
      'reads from the index in order',
      {},
      { sort: { app: 1, amount: -1 }, limit: 5 },
      { ...SORTED, direction: 'forward' },
    ],
    [
      'omits a field bound to one value from the sort',
      { app: 'app3' },
      { sort: { app: 1, amount: 1 }, limit: 5 },
      { ...SORTED, direction: 'backward' },
    ],
    [
      'sorts in memory if the directions do not match the index',
      {},
      { sort: { app: 1, amount: 1 } },
      { stages: ['SORT', 'COLLSCAN'] },
    ],
    ['does not sort by a partial index', {}, { sort: { rare: 1 } }, { stages: ['SORT', 'COLLSCAN'] }],
    ['does not sort by a position', {}, { sort: { 'tags.0': 1 } }, { stages: ['SORT', 'COLLSCAN'] }],
    [
      'sorts in memory by a field with arrays, even if the filter binds it to one value',
      { tags: 't1' },
      { sort: { tags: 1 } },
      { stages: ['SORT', 'FETCH', 'IXSCAN'] },
    ],

    [
      'uses a partial unique index if the filter implies its expression',
      { app: 'app0', key: 'k50' },
      {},
      { index: 'app_1_key_1', keys: 1, returned: 1 },
    ],
    ['does not use it otherwise', { app: 'app0', key: null }, {}, { index: BY_APP }],
    [
      'scans a partial index if the filter only repeats its expression',
      { key: { $exists: true } },
      {},
      { index: 'app_1_key_1', keys: 6, documents: 6, returned: 6 },
    ],

    [
      'runs an $or as one index scan for each alternative',
      { $or: [{ amount: 5 }, { rare: 8 }, { _id: 9 }] },
      {},
      { stages: ['FETCH', 'OR'], documents: 3, returned: 3 },
    ],
    ['uses an index for an $or with one alternative', { $or: [{ amount: 5 }] }, {}, { index: 'amount_1' }],
    ['needs an index for each alternative', { $or: [{ amount: 5 }, { nothing: 8 }] }, {}, UNBOUNDED],

    // `tags.0` can name the first element of an array or a field.
    ['does not bound a position', { 'tags.0': 't1' }, {}, UNBOUNDED],
    ['does not bound by null', { app: { $gt: null } }, {}, UNBOUNDED],
    ['does not bound by a document', { app: { $gt: { x: 1 } } }, {}, UNBOUNDED],
    ['does not bound by $nor', { $nor: [{ amount: 1 }] }, {}, UNBOUNDED],

    ['follows a hint by key', { app: 'app1' }, { hint: { amount: 1 } }, { index: 'amount_1' }],
    [
      'follows the hint $natural',
      { amount: 3 },
      { hint: { $natural: -1 } },
      { ...UNBOUNDED, direction: 'backward' },
    ],
  ])('the planner %s: %j %j', async (_, filter, options, plan) => {
    expect(await explain(filter, options)).toMatchObject(plan);
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

  test('the planner rejects a hint of a partial index that does not contain all documents', async () => {
    expect(await rejection(payments.find({}).hint('app_1_key_1').toArray())).toMatchObject({ code: 291 });
  });
});
