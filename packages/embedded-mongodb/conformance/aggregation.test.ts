import { BSON, type Document } from 'mongodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { codeOf, day, double, expectSame } from './support/values.ts';

const ground = prepareGround('aggregation');

const DOCUMENTS: Document[] = [
  { _id: 1, team: 'a', n: 1, tags: ['x', 'y'], at: day('2024-01-05') },
  { _id: 2, team: 'b', n: 2, tags: ['y'], at: day('2024-01-20') },
  { _id: 3, team: 'a', n: 3, tags: [], at: day('2024-02-10') },
  { _id: 4, team: 'b', n: 4, at: day('2024-02-11') },
  { _id: 5, team: 'c', n: null, tags: 'z' },
];

beforeEach(async () => {
  await ground.things.insertMany(DOCUMENTS.map((one) => ({ ...one })));
  await ground.database.collection<Document>('teams').insertMany([
    { _id: 'a', name: 'Alpha', boss: 'b' },
    { _id: 'b', name: 'Beta', boss: null },
  ] as Document[]);
});

const results = (pipeline: Document[], options: Document = {}) =>
  ground.things.aggregate(pipeline, options).toArray();

describe('a pipeline gives', () => {
  test.each<[Document[], Document[]]>([
    [
      [{ $match: { team: 'a' } }, { $project: { n: 1 } }],
      [
        { _id: 1, n: 1 },
        { _id: 3, n: 3 },
      ],
    ],
    [
      [{ $sort: { n: -1 } }, { $limit: 2 }, { $project: { _id: 1 } }],
      [{ _id: 4 }, { _id: 3 }],
    ],
    [
      [{ $sort: { _id: 1 } }, { $skip: 3 }, { $project: { _id: 1 } }],
      [{ _id: 4 }, { _id: 5 }],
    ],
    [[{ $match: { n: { $gt: 1 } } }, { $count: 'many' }], [{ many: 3 }]],
    [[{ $match: { n: 99 } }, { $count: 'many' }], []],
    [
      [{ $project: { _id: 0, both: { $concat: ['$team', '-', { $toString: '$n' }] } } }, { $limit: 1 }],
      [{ both: 'a-1' }],
    ],
    [[{ $match: { _id: 1 } }, { $project: { tags: 0, at: 0 } }], [{ _id: 1, team: 'a', n: 1 }]],
    [
      [{ $match: { _id: 1 } }, { $set: { m: { $add: ['$n', 1] } } }, { $unset: ['tags', 'at', 'team'] }],
      [{ _id: 1, n: 1, m: 2 }],
    ],
    [[{ $match: { _id: 1 } }, { $replaceRoot: { newRoot: { t: '$team' } } }], [{ t: 'a' }]],
    [
      [{ $match: { _id: 1 } }, { $replaceWith: { $mergeObjects: [{ z: 1 }, { t: '$team' }] } }],
      [{ z: 1, t: 'a' }],
    ],
    [
      [{ $unwind: '$tags' }, { $project: { tags: 1 } }],
      [
        { _id: 1, tags: 'x' },
        { _id: 1, tags: 'y' },
        { _id: 2, tags: 'y' },
        { _id: 5, tags: 'z' },
      ],
    ],
    [
      [
        { $unwind: { path: '$tags', preserveNullAndEmptyArrays: true } },
        { $match: { _id: { $gte: 3 } } },
        { $project: { tags: 1 } },
      ],
      [{ _id: 3 }, { _id: 4 }, { _id: 5, tags: 'z' }],
    ],
    [
      [
        { $match: { _id: 1 } },
        { $unwind: { path: '$tags', includeArrayIndex: 'i' } },
        { $project: { tags: 1, i: 1 } },
      ],
      [
        { _id: 1, tags: 'x', i: BSON.Long.ZERO },
        { _id: 1, tags: 'y', i: BSON.Long.ONE },
      ],
    ],
    [
      [{ $group: { _id: '$team', sum: { $sum: '$n' }, count: { $sum: 1 } } }, { $sort: { _id: 1 } }],
      [
        { _id: 'a', sum: 4, count: 2 },
        { _id: 'b', sum: 6, count: 2 },
        { _id: 'c', sum: 0, count: 1 },
      ],
    ],
    [
      [
        { $group: { _id: '$team', avg: { $avg: '$n' }, min: { $min: '$n' }, max: { $max: '$n' } } },
        { $sort: { _id: 1 } },
      ],
      [
        { _id: 'a', avg: double(2), min: 1, max: 3 },
        { _id: 'b', avg: double(3), min: 2, max: 4 },
        { _id: 'c', avg: null, min: null, max: null },
      ],
    ],
    [[{ $group: { _id: null, all: { $push: '$_id' } } }], [{ _id: null, all: [1, 2, 3, 4, 5] }]],
    [
      [{ $sort: { _id: 1 } }, { $group: { _id: null, first: { $first: '$n' }, last: { $last: '$team' } } }],
      [{ _id: null, first: 1, last: 'c' }],
    ],
    [
      [{ $group: { _id: { t: '$team' }, n: { $count: {} } } }, { $sort: { _id: 1 } }, { $limit: 1 }],
      [{ _id: { t: 'a' }, n: 2 }],
    ],
    [
      [{ $sortByCount: '$team' }, { $limit: 2 }, { $sort: { _id: 1 } }],
      [
        { _id: 'a', count: 2 },
        { _id: 'b', count: 2 },
      ],
    ],
    [
      [
        { $match: { n: { $ne: null } } },
        { $bucket: { groupBy: '$n', boundaries: [0, 2, 4], default: 'more' } },
      ],
      [
        { _id: 0, count: 1 },
        { _id: 2, count: 2 },
        { _id: 'more', count: 1 },
      ],
    ],
    [
      [{ $match: { n: { $ne: null } } }, { $bucketAuto: { groupBy: '$n', buckets: 2 } }],
      [
        { _id: { min: 1, max: 3 }, count: 2 },
        { _id: { min: 3, max: 4 }, count: 2 },
      ],
    ],
    [
      [
        {
          $facet: {
            few: [{ $match: { n: { $lt: 3 } } }, { $count: 'n' }],
            ids: [{ $sort: { _id: -1 } }, { $limit: 1 }, { $project: { _id: 1 } }],
          },
        },
      ],
      [{ few: [{ n: 2 }], ids: [{ _id: 5 }] }],
    ],
    [
      [
        { $match: { _id: { $in: [1, 5] } } },
        { $lookup: { from: 'teams', localField: 'team', foreignField: '_id', as: 'found' } },
        { $project: { 'found.name': 1 } },
      ],
      [
        { _id: 1, found: [{ name: 'Alpha' }] },
        { _id: 5, found: [] },
      ],
    ],
    [
      [
        { $match: { _id: 1 } },
        {
          $lookup: {
            from: 'teams',
            let: { t: '$team' },
            pipeline: [{ $match: { $expr: { $eq: ['$_id', '$$t'] } } }, { $project: { _id: 0, name: 1 } }],
            as: 'found',
          },
        },
        { $project: { found: 1 } },
      ],
      [{ _id: 1, found: [{ name: 'Alpha' }] }],
    ],
    [
      [
        { $match: { _id: 1 } },
        { $project: { _id: 1 } },
        { $unionWith: { coll: 'teams', pipeline: [{ $project: { _id: 1 } }] } },
      ],
      [{ _id: 1 }, { _id: 'a' }, { _id: 'b' }],
    ],
    [[{ $sample: { size: 10 } }, { $count: 'n' }], [{ n: 5 }]],
    [
      [
        { $match: { team: { $in: ['a', 'b'] } } },
        {
          $setWindowFields: {
            partitionBy: '$team',
            sortBy: { n: 1 },
            output: { total: { $sum: '$n', window: { documents: ['unbounded', 'current'] } } },
          },
        },
        { $project: { total: 1 } },
      ],
      [
        { _id: 1, total: 1 },
        { _id: 3, total: 4 },
        { _id: 2, total: 2 },
        { _id: 4, total: 6 },
      ],
    ],
  ])('%j', async (pipeline, expected) => {
    expectSame(await results(pipeline), expected);
  });

  test('what let brings', async () => {
    expectSame(
      await results([{ $match: { $expr: { $eq: ['$n', '$$x'] } } }, { $project: { _id: 1 } }], {
        let: { x: 2 },
      }),
      [{ _id: 2 }],
    );
  });

  test('to $out: a collection of its own', async () => {
    expectSame(await results([{ $match: { team: 'a' } }, { $project: { n: 1 } }, { $out: 'made' }]), []);
    expectSame(await ground.database.collection('made').find().toArray(), [
      { _id: 1, n: 1 },
      { _id: 3, n: 3 },
    ]);
  });

  test('to $merge: what is merged into another one', async () => {
    const made = ground.database.collection<Document>('made');
    await made.insertOne({ _id: 1 as never, kept: true });
    await results([{ $match: { team: 'a' } }, { $project: { n: 1 } }, { $merge: { into: 'made' } }]);
    expectSame(await made.find({}, { sort: { _id: 1 } }).toArray(), [
      { _id: 1, kept: true, n: 1 },
      { _id: 3, n: 3 },
    ]);
  });

  test.each<[Document[], number]>([
    [[{ $project: {} }], 51272],
    [[{ $project: { a: 1, b: 0 } }], 31254],
    [[{ $limit: 0 }], 15958],
    [[{ $skip: -1 }], 5107200],
    [[{ $sort: {} }], 15976],
    [[{ $group: { n: { $sum: 1 } } }], 15955],
    [[{ $group: { _id: 1, n: { $foo: 1 } } }], 15952],
    [[{ $group: { _id: 1, n: 1 } }], 40234],
    [[{ $unwind: 'tags' }], 28818],
    [[{ $count: '' }], 40156],
    [[{ $count: '$a' }], 40158],
    [[{ $replaceRoot: { newRoot: '$n' } }], 40228],
    [[{ $facet: {} }], 40169],
    [[{ $set: { a: { $foo: 1 } } }], 168],
    [[{ $set: { a: { $divide: [1, 0] } } }], 2],
    [[{ $match: { $foo: 1 } }], 2],
    [[{ $out: 'a' }, { $match: {} }], 40601],
    [[{ $bucket: { groupBy: '$n', boundaries: [0, 1] } }], 40066],
    [[{ $bucket: { groupBy: '$n', boundaries: [1, 0] } }], 40194],
  ])('%j is refused with %i', async (pipeline, code) => {
    expect(await codeOf(results(pipeline))).toBe(code);
  });
});
