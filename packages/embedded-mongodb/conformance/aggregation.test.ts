import type { Document } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { codeOf, day, decimal, double, expectSame, int, long } from './support/values.ts';

const ground = prepareGround('aggregation');

async function run(pipeline: Document[], documents: Document[] = []): Promise<Document[]> {
  if (documents.length > 0) await ground.things.insertMany(documents);
  return ground.things.aggregate(pipeline).toArray();
}

const SALES = [
  { _id: 1, shop: 'a', day: 1, n: 10 },
  { _id: 2, shop: 'b', day: 1, n: 5 },
  { _id: 3, shop: 'a', day: 2, n: 20 },
  { _id: 4, shop: 'a', day: 4, n: 30 },
];

type Case = [title: string, pipeline: Document[], expected: Document[]];

const GROUPS: Case[] = [
  [
    'sums, averages and extremes',
    [
      { $group: { _id: '$shop', sum: { $sum: '$n' }, avg: { $avg: '$n' }, max: { $max: '$n' } } },
      { $sort: { _id: 1 } },
    ],
    [
      { _id: 'a', sum: 60, avg: double(20), max: 30 },
      { _id: 'b', sum: 5, avg: double(5), max: 5 },
    ],
  ],
  [
    '$bucket',
    [{ $bucket: { groupBy: '$n', boundaries: [0, 10, 25], default: 'more' } }, { $sort: { _id: 1 } }],
    [
      { _id: 0, count: 1 },
      { _id: 10, count: 2 },
      { _id: 'more', count: 1 },
    ],
  ],
  [
    '$bucketAuto',
    [{ $bucketAuto: { groupBy: '$n', buckets: 2 } }],
    [
      { _id: { min: 5, max: 20 }, count: 2 },
      { _id: { min: 20, max: 30 }, count: 2 },
    ],
  ],
  [
    '$sortByCount',
    [{ $sortByCount: '$shop' }],
    [
      { _id: 'a', count: 3 },
      { _id: 'b', count: 1 },
    ],
  ],
  [
    '$facet',
    [{ $facet: { few: [{ $match: { n: { $lt: 6 } } }, { $project: { _id: 1 } }], all: [{ $count: 'n' }] } }],
    [{ few: [{ _id: 2 }], all: [{ n: 4 }] }],
  ],
];

const WINDOWS: Case[] = [
  [
    'a running sum in each partition',
    [
      {
        $setWindowFields: {
          partitionBy: '$shop',
          sortBy: { day: 1 },
          output: { x: { $sum: '$n', window: { documents: ['unbounded', 'current'] } } },
        },
      },
      { $project: { x: 1 } },
    ],
    [
      { _id: 1, x: 10 },
      { _id: 3, x: 30 },
      { _id: 4, x: 60 },
      { _id: 2, x: 5 },
    ],
  ],
  [
    'a range of values',
    [
      { $match: { shop: 'a' } },
      {
        $setWindowFields: { sortBy: { day: 1 }, output: { x: { $push: '$n', window: { range: [-1, 1] } } } },
      },
      { $project: { x: 1 } },
    ],
    [
      { _id: 1, x: [10, 20] },
      { _id: 3, x: [10, 20] },
      { _id: 4, x: [30] },
    ],
  ],
  [
    'a shift',
    [
      { $match: { shop: 'a' } },
      {
        $setWindowFields: {
          sortBy: { day: 1 },
          output: { x: { $shift: { output: '$n', by: 1, default: 0 } } },
        },
      },
      { $project: { x: 1 } },
    ],
    [
      { _id: 1, x: 20 },
      { _id: 3, x: 30 },
      { _id: 4, x: 0 },
    ],
  ],
];

describe.each([
  ['groups', GROUPS],
  ['windows', WINDOWS],
])('%s', (_, cases) => {
  test.each(cases)('%s', async (_title, pipeline, expected) => {
    expectSame(await run(pipeline, SALES), expected);
  });
});

describe('$lookup', () => {
  test.each<[string, Document, Document]>([
    [
      'by equal fields',
      { localField: 'ref', foreignField: 'key', as: 'found' },
      { _id: 1, ref: 'k', found: [{ _id: 10, key: 'k', n: 1 }] },
    ],
    [
      'by a pipeline with variables',
      {
        let: { wanted: '$ref' },
        pipeline: [{ $match: { $expr: { $eq: ['$key', '$$wanted'] } } }, { $project: { n: 1 } }],
        as: 'found',
      },
      { _id: 1, ref: 'k', found: [{ _id: 10, n: 1 }] },
    ],
    [
      'into a dotted path',
      { localField: 'ref', foreignField: 'key', pipeline: [{ $project: { _id: 1 } }], as: 'a.b' },
      { _id: 1, ref: 'k', a: { b: [{ _id: 10 }] } },
    ],
  ])('%s', async (_, options, expected) => {
    await ground.database.collection('others').insertMany([
      { _id: 10 as never, key: 'k', n: 1 },
      { _id: 11 as never, key: 'l', n: 2 },
    ]);
    expectSame(await run([{ $lookup: { from: 'others', ...options } }], [{ _id: 1, ref: 'k' }]), [expected]);
  });
});

describe('$graphLookup', () => {
  test('follows references, each document once', async () => {
    const people = [
      { _id: 1, name: 'Ada', boss: 'Bob' },
      { _id: 2, name: 'Bob', boss: 'Cyd' },
      { _id: 3, name: 'Cyd', boss: 'Ada' },
    ];
    const lookup = {
      from: 'things',
      startWith: '$boss',
      connectFromField: 'boss',
      connectToField: 'name',
      as: 'chain',
      depthField: 'depth',
      maxDepth: 1,
    };
    const [result] = await run([{ $match: { _id: 1 } }, { $graphLookup: lookup }], people);
    const found: Document[] = result?.chain;
    const chain = found.toSorted((a, b) => Number(a._id) - Number(b._id));
    expectSame(chain, [
      { _id: 2, name: 'Bob', boss: 'Cyd', depth: long(0) },
      { _id: 3, name: 'Cyd', boss: 'Ada', depth: long(1) },
    ]);
  });
});

describe('stages that write', () => {
  const target = () => ground.database.collection('target').find().sort({ _id: 1 }).toArray();

  test('$out replaces all, and nothing when a document is refused', async () => {
    await ground.database.collection('target').insertOne({ _id: 9 as never });
    await ground.database.collection('target').createIndex({ n: 1 }, { unique: true });
    expect(await codeOf(run([{ $set: { n: 1 } }, { $out: 'target' }], SALES))).toBe(11000);
    expectSame(await target(), [{ _id: 9 }]);
    expectSame(await run([{ $match: { _id: 1 } }, { $out: 'target' }]), []);
    expectSame(await target(), [SALES[0]]);
    expect(await ground.database.collection('target').indexes()).toHaveLength(2);
  });

  test.each<[Document, Document[]]>([
    [
      {},
      [
        { _id: 1, old: true, n: 10 },
        { _id: 2, n: 5 },
      ],
    ],
    [
      { whenMatched: 'replace' },
      [
        { _id: 1, n: 10 },
        { _id: 2, n: 5 },
      ],
    ],
    [
      { whenMatched: 'keepExisting' },
      [
        { _id: 1, old: true },
        { _id: 2, n: 5 },
      ],
    ],
    [{ whenNotMatched: 'discard' }, [{ _id: 1, old: true, n: 10 }]],
    [
      { whenMatched: [{ $set: { sum: '$$new.n' } }] },
      [
        { _id: 1, old: true, sum: 10 },
        { _id: 2, n: 5 },
      ],
    ],
  ])('$merge %j', async (options, expected) => {
    await ground.database.collection('target').insertOne({ _id: 1 as never, old: true });
    const pipeline = [{ $project: { n: 1 } }, { $merge: { into: 'target', ...options } }];
    await run([{ $match: { _id: { $lte: 2 } } }, ...pipeline], SALES);
    expectSame(await target(), expected);
  });

  test.each<[Document[], number]>([
    [[{ $merge: { into: 'target', whenMatched: 'fail' } }], 11000],
    [[{ $merge: { into: 'target', whenNotMatched: 'fail' } }], 13113],
    [[{ $merge: { into: 'target', on: 'n' } }], 51183],
    [[{ $out: 'target' }, { $match: {} }], 40601],
    [[{ $facet: { a: [{ $out: 'target' }] } }], 40600],
    [[{ $lookup: { from: 'target', as: 'a', pipeline: [{ $out: 'target' }] } }], 51047],
  ])('%j is refused with %i', async (pipeline, code) => {
    await ground.database.collection('target').insertOne({ _id: 1 as never });
    expect(await codeOf(run(pipeline, SALES))).toBe(code);
  });
});

describe('a pipeline without a collection', () => {
  test('has documents of its own', async () => {
    const documents = [{ $documents: [{ a: { $add: [1, 2] } }] }];
    expectSame(await ground.database.aggregate(documents).toArray(), [{ a: 3 }]);
  });

  test.each([[[]], [[{ $match: {} }]]])('%j is refused', async (pipeline) => {
    expect(await codeOf(ground.database.aggregate(pipeline).toArray())).toBe(73);
  });
});

describe('expressions', () => {
  test.each<[Document, unknown]>([
    [{ $pow: [2, 31] }, long(2 ** 31)],
    [{ $pow: [2, -1] }, double(0.5)],
    [{ $round: [1234.5678, 2] }, double(1234.57)],
    [{ $round: [12250, -2] }, int(12200)],
    [{ $round: [decimal('1.25'), 1] }, decimal('1.2')],
    [{ $trunc: [-1234.5678, 2] }, double(-1234.56)],
    [{ $mod: [decimal('5.5'), 2] }, decimal('1.5')],
    [
      {
        $zip: {
          inputs: [
            [1, 2, 3],
            ['a', 'b'],
          ],
        },
      },
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    [
      { $zip: { inputs: [[1, 2], ['a']], useLongestLength: true, defaults: [0, 'z'] } },
      [
        [1, 'a'],
        [2, 'z'],
      ],
    ],
    [{ $regexFind: { input: 'a cat', regex: 'c(a)(x)?' } }, { match: 'ca', idx: 2, captures: ['a', null] }],
    [{ $regexFindAll: { input: 'aXa', regex: 'x', options: 'i' } }, [{ match: 'X', idx: 1, captures: [] }]],
    [{ $regexMatch: { input: 'cat', regex: '^a' } }, false],
    [{ $firstN: { input: [1, 2, 3], n: 2 } }, [1, 2]],
    [{ $bitAnd: [12, long(10)] }, long(8)],
    [{ $binarySize: 'é' }, 2],
    [{ $indexOfBytes: ['éa', 'a'] }, 2],
    [{ $dateFromParts: { year: 2024, month: 2, day: 29 } }, day('2024-02-29')],
    [{ $dateFromParts: { year: 2024, month: 14, day: 1 } }, day('2025-02-01')],
  ])('%j', async (expression, expected) => {
    const [result] = await run([{ $project: { _id: 0, x: expression } }], [{ _id: 1 }]);
    expectSame(result, { x: expected });
  });

  test.each<[Document, number]>([
    [{ $pow: [0, -1] }, 28764],
    [{ $zip: { inputs: [5] } }, 34468],
    [{ $regexFind: { input: 5, regex: 'a' } }, 51104],
    [{ $bsonSize: 5 }, 31393],
  ])('%j is refused with %i', async (expression, code) => {
    expect(await codeOf(run([{ $project: { x: expression } }], [{ _id: 1, five: 5 }]))).toBe(code);
  });
});
