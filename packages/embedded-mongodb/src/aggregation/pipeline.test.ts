import { describe, expect, it } from 'vitest';
import { codeOf, doc, type Shorthand, value } from '../../test/shorthand.ts';
import { type Document, decimal, double, long } from '../bson/document.ts';
import { matches, parseFilter } from '../semantics/filter.ts';
import { type PipelineContext, parsePipeline, runPipeline } from './pipeline.ts';

type Fields = { [name: string]: Shorthand };

const COLLECTIONS: Record<string, Document[]> = {
  items: [
    { _id: 1, sku: 'a', n: 5 },
    { _id: 2, sku: 'b', n: 6 },
    { _id: 3, n: 7 },
  ].map(doc),
};
const CONTEXT: PipelineContext = {
  now: new Date(0),
  variables: new Map([['limit', value(2)]]),
  find: (collection, filter) => {
    const node = parseFilter(filter);
    return (COLLECTIONS[collection] ?? []).filter((document) => matches(node, document));
  },
};

function run(stages: Shorthand[], documents: Fields[], context = CONTEXT): Document[] {
  return [...runPipeline(parsePipeline(value(stages), context), documents.map(doc))];
}

const DOCUMENTS: Fields[] = [
  { _id: 1, k: 'x', v: 1, tags: ['a', 'b'] },
  { _id: 2, k: 'y', v: 2, tags: [] },
  { _id: 3, k: 'x', v: double(3), tags: 'c' },
  { _id: 4, v: long(4) },
];

const CASES: [title: string, stages: Shorthand[], documents: Fields[], expected: Fields[]][] = [
  ['no stages', [], DOCUMENTS, DOCUMENTS],
  [
    '$match, $sort, $skip, $limit',
    [{ $match: { v: { $gte: 2 } } }, { $sort: { v: -1 } }, { $skip: 1 }, { $limit: 1 }],
    DOCUMENTS,
    [DOCUMENTS[2] as Fields],
  ],
  [
    "mongoose's countDocuments",
    [{ $match: { k: 'x' } }, { $group: { _id: 1, n: { $sum: 1 } } }],
    DOCUMENTS,
    [{ _id: 1, n: 2 }],
  ],
  ['a count of nothing', [{ $match: { k: 'q' } }, { $group: { _id: 1, n: { $sum: 1 } } }], DOCUMENTS, []],
  [
    '$match with $expr and a variable',
    [{ $match: { $expr: { $gt: ['$v', '$$limit'] } } }, { $count: 'n' }],
    DOCUMENTS,
    [{ n: 2 }],
  ],
  ['$count of nothing gives no document', [{ $count: 'n' }], [], []],
  [
    '$group by a field, missing as null',
    [{ $group: { _id: '$k', sum: { $sum: '$v' }, all: { $push: '$_id' } } }],
    DOCUMENTS,
    [
      { _id: 'x', sum: double(4), all: [1, 3] },
      { _id: 'y', sum: 2, all: [2] },
      { _id: null, sum: long(4), all: [4] },
    ],
  ],
  [
    '$group holds equal numbers for one',
    [{ $group: { _id: '$a', n: { $count: {} } } }],
    [{ a: 1 }, { a: double(1) }, { a: decimal('1.0') }],
    [{ _id: 1, n: 3 }],
  ],
  [
    '$group by a document',
    [{ $group: { _id: { k: '$k', o: '$none' }, f: { $first: '$v' }, l: { $last: '$v' } } }, { $limit: 1 }],
    DOCUMENTS,
    [{ _id: { k: 'x' }, f: 1, l: double(3) }],
  ],
  [
    '$avg, $min, $max',
    [
      {
        $group: {
          _id: null,
          avg: { $avg: '$v' },
          min: { $min: '$v' },
          max: { $max: '$k' },
          none: { $avg: '$none' },
        },
      },
    ],
    DOCUMENTS,
    [{ _id: null, avg: 2.5, min: 1, max: 'y', none: null }],
  ],
  [
    '$addToSet and $mergeObjects',
    [{ $group: { _id: null, s: { $addToSet: '$k' }, m: { $mergeObjects: '$o' } } }],
    [{ k: 1, o: { a: 1 } }, { k: double(1), o: { b: 2 } }, {}],
    [{ _id: null, s: [1], m: { a: 1, b: 2 } }],
  ],
  [
    '$firstN, $lastN, $minN, $maxN',
    [
      {
        $group: {
          _id: null,
          f: { $firstN: { input: '$_id', n: 2 } },
          l: { $lastN: { input: '$k', n: 1 } },
          min: { $minN: { input: '$k', n: 9 } },
          max: { $maxN: { input: '$v', n: 1 } },
        },
      },
    ],
    DOCUMENTS,
    [{ _id: null, f: [1, 2], l: [null], min: ['x', 'x', 'y'], max: [long(4)] }],
  ],
  [
    '$top and $bottomN',
    [
      {
        $group: {
          _id: null,
          t: { $top: { output: '$_id', sortBy: { v: -1 } } },
          b: { $bottomN: { output: '$_id', sortBy: { v: -1 }, n: 2 } },
        },
      },
    ],
    DOCUMENTS,
    [{ _id: null, t: 4, b: [2, 1] }],
  ],
  [
    '$stdDevPop and $stdDevSamp',
    [{ $group: { _id: null, p: { $stdDevPop: '$a' }, s: { $stdDevSamp: '$a' }, n: { $stdDevSamp: '$b' } } }],
    [{ a: 2, b: 1 }, { a: 4 }, { a: 'x' }],
    [{ _id: null, p: double(1), s: double(Math.SQRT2), n: null }],
  ],
  [
    '$project',
    [{ $project: { _id: 0, k: 1, double: { $multiply: ['$v', 2] } } }, { $limit: 1 }],
    DOCUMENTS,
    [{ k: 'x', double: 2 }],
  ],
  [
    '$set keeps the place of a field',
    [{ $set: { k: 'z', 'in.ner': '$v' } }, { $limit: 1 }, { $project: { tags: 0 } }],
    DOCUMENTS,
    [{ _id: 1, k: 'z', v: 1, in: { ner: 1 } }],
  ],
  [
    '$addFields of a document merges',
    [{ $addFields: { a: { b: 1 } } }],
    [{ a: { c: 2 } }],
    [{ a: { c: 2, b: 1 } }],
  ],
  [
    '$addFields through an array',
    [{ $addFields: { 'a.b': 1 } }],
    [{ a: [{ c: 2 }, 5] }],
    [{ a: [{ c: 2, b: 1 }, { b: 1 }] }],
  ],
  ['$set with $$REMOVE', [{ $set: { a: '$$REMOVE' } }], [{ a: 1, b: 2 }], [{ b: 2 }]],
  ['$unset', [{ $unset: ['a', 'b.c'] }], [{ a: 1, b: { c: 1, d: 2 } }], [{ b: { d: 2 } }]],
  ['$replaceRoot', [{ $replaceRoot: { newRoot: '$a' } }], [{ a: { x: 1 } }], [{ x: 1 }]],
  ['$replaceWith', [{ $replaceWith: { $mergeObjects: ['$$ROOT', { b: 2 }] } }], [{ a: 1 }], [{ a: 1, b: 2 }]],
  [
    '$unwind',
    [{ $unwind: '$tags' }, { $project: { tags: 1 } }],
    DOCUMENTS,
    [
      { _id: 1, tags: 'a' },
      { _id: 1, tags: 'b' },
      { _id: 3, tags: 'c' },
    ],
  ],
  [
    '$unwind that keeps what is empty',
    [
      { $unwind: { path: '$tags', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i' } },
      { $project: { tags: 1, i: 1 } },
    ],
    DOCUMENTS,
    [
      { _id: 1, tags: 'a', i: long(0) },
      { _id: 1, tags: 'b', i: long(1) },
      { _id: 2, i: null },
      { _id: 3, tags: 'c', i: null },
      { _id: 4, i: null },
    ],
  ],
  [
    '$unwind of a path',
    [{ $unwind: '$a.b' }],
    [{ a: { b: [1, 2], c: 0 } }],
    [{ a: { b: 1, c: 0 } }, { a: { b: 2, c: 0 } }],
  ],
  ['$sortByCount', [{ $sortByCount: '$k' }, { $limit: 1 }], DOCUMENTS, [{ _id: 'x', count: 2 }]],
  [
    '$bucket',
    [{ $bucket: { groupBy: '$v', boundaries: [0, 2, 4], default: 'other' } }],
    DOCUMENTS,
    [
      { _id: 0, count: 1 },
      { _id: 2, count: 2 },
      { _id: 'other', count: 1 },
    ],
  ],
  [
    '$facet',
    [{ $facet: { n: [{ $count: 'n' }], ids: [{ $project: { _id: 1 } }, { $limit: 1 }] } }],
    DOCUMENTS,
    [{ n: [{ n: 4 }], ids: [{ _id: 1 }] }],
  ],
  [
    '$lookup by fields',
    [
      { $lookup: { from: 'items', localField: 's', foreignField: 'sku', as: 'found' } },
      { $project: { found: '$found._id' } },
    ],
    [{ _id: 1, s: 'a' }, { _id: 2, s: ['a', 'b'] }, { _id: 3 }, { _id: 4, s: [] }],
    [
      { _id: 1, found: [1] },
      { _id: 2, found: [1, 2] },
      { _id: 3, found: [3] },
      { _id: 4, found: [] },
    ],
  ],
  [
    '$lookup by a pipeline',
    [
      {
        $lookup: {
          from: 'items',
          let: { min: '$min' },
          pipeline: [{ $match: { $expr: { $gte: ['$n', '$$min'] } } }, { $project: { n: 1, _id: 0 } }],
          as: 'found',
        },
      },
    ],
    [{ min: 6 }],
    [{ min: 6, found: [{ n: 6 }, { n: 7 }] }],
  ],
  [
    '$unionWith',
    [{ $unionWith: { coll: 'items', pipeline: [{ $match: { _id: 1 } }] } }, { $project: { _id: 1 } }],
    [{ _id: 9 }],
    [{ _id: 9 }, { _id: 1 }],
  ],
];

const REFUSED: [title: string, stages: Shorthand, code: number][] = [
  ['an unknown stage', [{ $foo: 1 }], 40324],
  ['a stage that is not supported', [{ $densify: {} }], 238],
  ['a pipeline that is no array', { $match: {} }, 14],
  ['a stage that is no document', [1], 14],
  ['a stage of two', [{ $match: {}, $limit: 1 }], 40323],
  ['a $match of a value', [{ $match: 1 }], 15959],
  ['an unknown operator in $match', [{ $match: { a: { $foo: 1 } } }], 2],
  ['a negative $skip', [{ $skip: -1 }], 5107200],
  ['a $limit of zero', [{ $limit: 0 }], 15958],
  ['a $limit of text', [{ $limit: 'x' }], 2107201],
  ['an empty $sort', [{ $sort: {} }], 15976],
  ['a $sort in no direction', [{ $sort: { a: 2 } }], 15975],
  ['a $group without an _id', [{ $group: { n: { $sum: 1 } } }], 15955],
  ['a $group with a plain field', [{ $group: { _id: 1, n: 1 } }], 40234],
  ['an unknown accumulator', [{ $group: { _id: 1, n: { $foo: 1 } } }], 15952],
  ['two accumulators in one field', [{ $group: { _id: 1, n: { $sum: 1, $avg: 1 } } }], 40238],
  ['a $firstN of none', [{ $group: { _id: 1, n: { $firstN: { input: '$a', n: 0 } } } }], 5787908],
  ['a $count without a name', [{ $count: '' }], 40156],
  ['an $unwind without a dollar', [{ $unwind: 'a' }], 28818],
  ['an empty $project', [{ $project: {} }], 51272],
  ['a mixed $project', [{ $project: { a: 1, b: 0 } }], 31254],
  ['an unknown expression', [{ $set: { a: { $foo: 1 } } }], 168],
  ['a $facet within a $facet', [{ $facet: { a: [{ $facet: { b: [] } }] } }], 40600],
  ['boundaries out of order', [{ $bucket: { groupBy: '$a', boundaries: [2, 1] } }], 40194],
  ['a $lookup without its names', [{ $lookup: { from: 'x' } }], 9],
];

describe('a pipeline gives what MongoDB gives', () => {
  it.each(CASES)('%s', (_title, stages, documents, expected) => {
    const results = run(stages, documents);
    expect(results).toEqual(expected.map(doc));
    expect(results.map((result) => [...result.keys()])).toEqual(
      expected.map((fields) => Object.keys(fields)),
    );
  });

  it.each(REFUSED)('%s is refused before any document is read', (_title, stages, code) => {
    expect(codeOf(() => parsePipeline(value(stages), CONTEXT))).toBe(code);
  });

  it('a $replaceRoot to no document is refused', () => {
    expect(codeOf(() => run([{ $replaceRoot: { newRoot: '$a' } }], [{ a: 1 }]))).toBe(40228);
  });

  it('a value outside of all buckets is refused', () => {
    expect(codeOf(() => run([{ $bucket: { groupBy: '$a', boundaries: [0, 1] } }], [{ a: 5 }]))).toBe(40066);
  });

  it('$limit reads no further than it must', () => {
    let read = 0;
    function* endless() {
      for (;;) {
        read += 1;
        yield doc({ n: read });
      }
    }
    const results = [
      ...runPipeline(parsePipeline(value([{ $match: {} }, { $limit: 2 }]), CONTEXT), endless()),
    ];
    expect([results.length, read]).toEqual([2, 2]);
  });

  it('$sample gives as many as asked, none twice', () => {
    const ids = run([{ $sample: { size: 3 } }], DOCUMENTS).map((document) => String(document.get('_id')));
    expect(new Set(ids).size).toBe(3);
  });
});
