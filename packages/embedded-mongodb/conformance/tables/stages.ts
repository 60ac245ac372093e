import type { Document } from 'mongodb';
import { type Case, rejected, type Table, type Tables } from '../support/tables.ts';
import { double, long } from '../support/values.ts';

export interface Staged {
  readonly documents: readonly Document[];
  readonly pipeline: readonly unknown[];
}

const PEOPLE: readonly Document[] = [
  { _id: 1, team: 'a', n: 1, tags: ['x', 'y'] },
  { _id: 2, team: 'b', n: 2.5, tags: [] },
  { _id: 3, team: 'a', n: long(3), tags: 'z' },
  { _id: 4, n: null },
];

const passes = (
  documents: readonly Document[],
  stages: unknown[],
  expected: readonly Document[],
): Case<Staged> => [{ documents, pipeline: stages }, expected];
const fails = (stage: unknown, code: number): Case<Staged> => [
  { documents: PEOPLE, pipeline: [stage] },
  rejected(code),
];
const MAX_LONG = long('9223372036854775807');
/** Changes nothing, but prevents the stages after it from becoming part of the initial query. */
const BEHIND_A_STAGE = { $addFields: {} };

const addFields = (name: string): Table<Staged> => ({
  title: 'adds fields, or replaces them in their place',
  cases: [
    passes(
      [{ _id: 1, a: 1, b: 2 }],
      [{ [name]: { a: '$b', c: { $subtract: ['$a', '$b'] } } }],
      [{ _id: 1, a: 2, b: 2, c: -1 }],
    ),
    passes([{ _id: 1, a: { b: 1 } }], [{ [name]: { a: {} } }], [{ _id: 1, a: {} }]),
    passes([{ _id: 1, a: 5 }], [{ [name]: {} }], [{ _id: 1, a: 5 }]),
    passes([{ _id: 1, a: 1 }], [{ [name]: { a: '$$REMOVE', b: '$missing' } }], [{ _id: 1 }]),
    passes(
      [{ _id: 1, a: 1 }],
      [{ [name]: { a: null, b: [1, '$a'], c: 'text' } }],
      [{ _id: 1, a: null, b: [1, 1], c: 'text' }],
    ),
    passes([{ _id: 1, a: 1, b: 2 }], [{ [name]: { a: '$b', b: '$a' } }], [{ _id: 1, a: 2, b: 1 }]),
    fails({ [name]: 1 }, 40272),
    fails({ [name]: { a: { $multiply: [1], b: 1 } } }, 40181),
    fails({ [name]: { a: { b: 1, $multiply: [1] } } }, 40181),
    fails({ [name]: { 'a.': 1 } }, 40353),
    fails({ [name]: { $a: 1 } }, 16410),
    fails({ [name]: { a: { $foo: 1 } } }, 168),
    fails({ [name]: { a: { $divide: [1, 0] } } }, 2),
  ],
});

export const STAGE_TABLES: Tables<Staged> = {
  $match: {
    title: 'keeps the documents that match',
    cases: [
      passes(PEOPLE, [{ $match: { team: 'a' } }, { $project: { _id: 1 } }], [{ _id: 1 }, { _id: 3 }]),
      passes(
        PEOPLE,
        [BEHIND_A_STAGE, { $match: { n: { $gt: 2 } } }, { $project: { _id: 1 } }],
        [{ _id: 2 }, { _id: 3 }],
      ),
      fails({ $match: 1 }, 15959),
      fails({ $match: { $foo: 1 } }, 2),
    ],
  },
  $project: {
    title: 'includes, excludes or computes fields',
    cases: [
      passes(PEOPLE, [{ $match: { _id: 1 } }, { $project: { n: 1 } }], [{ _id: 1, n: 1 }]),
      passes(PEOPLE, [{ $match: { _id: 1 } }, { $project: { _id: 0, n: true } }], [{ n: 1 }]),
      passes(PEOPLE, [{ $match: { _id: 1 } }, { $project: { tags: 0, team: 0 } }], [{ _id: 1, n: 1 }]),
      passes(
        PEOPLE,
        [{ $match: { _id: 1 } }, { $project: { twice: { $multiply: ['$n', 2] }, copy: '$team' } }],
        [{ _id: 1, twice: 2, copy: 'a' }],
      ),
      passes([{ _id: 1, a: 5 }], [{ $project: { _id: '$a', b: '$missing' } }], [{ _id: 5 }]),
    ],
  },
  $addFields: addFields('$addFields'),
  $set: addFields('$set'),
  $replaceWith: {
    title: 'replaces the document by another one',
    cases: [
      passes(
        [{ _id: 1, a: 1 }],
        [{ $replaceWith: { $mergeObjects: ['$$ROOT', { b: 2 }] } }],
        [{ _id: 1, a: 1, b: 2 }],
      ),
      passes([{ _id: 1, a: 1 }], [{ $replaceWith: {} }], [{}]),
      fails({ $replaceWith: '$n' }, 40228),
      fails({ $replaceWith: '$tags' }, 40228),
    ],
  },
  $sort: {
    title: 'orders documents by several fields',
    cases: [
      passes(
        PEOPLE,
        [{ $sort: { n: -1 } }, { $project: { _id: 1 } }],
        [{ _id: 3 }, { _id: 2 }, { _id: 1 }, { _id: 4 }],
      ),
      passes(
        PEOPLE,
        [BEHIND_A_STAGE, { $sort: { team: 1, n: -1 } }, { $project: { _id: 1 } }],
        [{ _id: 4 }, { _id: 3 }, { _id: 1 }, { _id: 2 }],
      ),
      // An array sorts by its lowest element, an empty array before null.
      passes(
        PEOPLE,
        [BEHIND_A_STAGE, { $sort: { tags: 1 } }, { $project: { _id: 1 } }],
        [{ _id: 2 }, { _id: 4 }, { _id: 1 }, { _id: 3 }],
      ),
      fails({ $sort: 1 }, 15973),
      fails({ $sort: { a: 'x' } }, 15974),
      fails({ $sort: { a: 2 } }, 15975),
      fails({ $sort: {} }, 15976),
    ],
  },
  $limit: {
    title: 'passes the first documents on',
    cases: [
      passes(PEOPLE, [BEHIND_A_STAGE, { $limit: 2 }, { $project: { _id: 1 } }], [{ _id: 1 }, { _id: 2 }]),
      passes(PEOPLE, [BEHIND_A_STAGE, { $limit: double(1) }, { $project: { _id: 1 } }], [{ _id: 1 }]),
      passes(PEOPLE, [{ $limit: long(99) }, { $group: { _id: 1, n: { $sum: 1 } } }], [{ _id: 1, n: 4 }]),
      fails({ $limit: 0 }, 15958),
      fails({ $limit: -1 }, 5107201),
      fails({ $limit: 1.5 }, 5107201),
      fails({ $limit: double(2 ** 63) }, 5107201),
      fails({ $limit: 'x' }, 5107201),
    ],
  },
  $skip: {
    title: 'leaves the first documents out',
    cases: [
      passes(PEOPLE, [BEHIND_A_STAGE, { $skip: 3 }, { $project: { _id: 1 } }], [{ _id: 4 }]),
      passes(PEOPLE, [{ $skip: 0 }, { $group: { _id: 1, n: { $sum: 1 } } }], [{ _id: 1, n: 4 }]),
      passes(PEOPLE, [{ $skip: 9 }], []),
      passes(PEOPLE, [{ $skip: 0 }, { $limit: MAX_LONG }, { $skip: MAX_LONG }], []),
      fails({ $skip: -1 }, 5107200),
      fails({ $skip: 1.5 }, 5107200),
      fails({ $skip: null }, 5107200),
    ],
  },
  $sample: {
    title: 'returns some of the documents, none twice',
    cases: [
      passes(
        PEOPLE,
        [{ $sample: { size: 3 } }, { $group: { _id: '$_id' } }, { $group: { _id: 1, n: { $sum: 1 } } }],
        [{ _id: 1, n: 3 }],
      ),
      passes(
        PEOPLE,
        [
          { $sample: { size: double(99.5) } },
          { $group: { _id: '$_id' } },
          { $group: { _id: 1, n: { $sum: 1 } } },
        ],
        [{ _id: 1, n: 4 }],
      ),
      fails({ $sample: 1 }, 28745),
      fails({ $sample: { size: 'x' } }, 28746),
      fails({ $sample: { size: 0 } }, 28747),
      fails({ $sample: { size: -1 } }, 28747),
      fails({ $sample: { size: 1, other: 1 } }, 28748),
      fails({ $sample: {} }, 28749),
    ],
  },
  $unwind: {
    title: 'returns a document for each element of an array',
    cases: [
      passes(
        PEOPLE,
        [{ $unwind: '$tags' }, { $project: { tags: 1 } }],
        [
          { _id: 1, tags: 'x' },
          { _id: 1, tags: 'y' },
          { _id: 3, tags: 'z' },
        ],
      ),
      passes([{ _id: 1, a: null }], [{ $unwind: '$a' }], []),
      passes(
        [{ _id: 1, a: { b: [1, [2]], c: 0 } }],
        [{ $unwind: '$a.b' }],
        [
          { _id: 1, a: { b: 1, c: 0 } },
          { _id: 1, a: { b: [2], c: 0 } },
        ],
      ),
      // The path does not enter arrays.
      passes([{ _id: 1, a: [{ b: [1] }] }], [{ $unwind: '$a.b' }], []),
      fails({ $unwind: 1 }, 15981),
      fails({ $unwind: '' }, 28812),
      fails({ $unwind: 'a' }, 28818),
    ],
  },
  $group: {
    title: 'groups documents by a value, a missing one as null',
    cases: [
      passes(
        PEOPLE,
        [{ $group: { _id: '$team', sum: { $sum: '$n' }, many: { $sum: 1 } } }, { $sort: { _id: 1 } }],
        [
          { _id: null, sum: 0, many: 1 },
          { _id: 'a', sum: long(4), many: 2 },
          { _id: 'b', sum: 2.5, many: 1 },
        ],
      ),
      passes(PEOPLE, [{ $group: { _id: 1, n: { $sum: 1 } } }], [{ _id: 1, n: 4 }]),
      passes(PEOPLE, [{ $group: { _id: null } }], [{ _id: null }]),
      passes([], [{ $group: { _id: null, n: { $sum: 1 } } }], []),
      passes(
        [
          { _id: 1, a: 1 },
          { _id: 2, a: double(1) },
          { _id: 3, a: long(1) },
        ],
        [{ $group: { _id: '$a', n: { $sum: 1 } } }],
        [{ _id: 1, n: 3 }],
      ),
      passes(
        [
          { _id: 1, a: [1, 2] },
          { _id: 2, a: [1, 2] },
        ],
        [{ $group: { _id: '$a', n: { $sum: 1 } } }],
        [{ _id: [1, 2], n: 2 }],
      ),
      passes(
        PEOPLE,
        [{ $group: { _id: { t: '$team' }, n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
        [
          { _id: {}, n: 1 },
          { _id: { t: 'a' }, n: 2 },
          { _id: { t: 'b' }, n: 1 },
        ],
      ),
      passes(
        PEOPLE,
        [{ $group: { _id: { $type: '$n' }, id: { $first: '$_id' } } }, { $sort: { _id: 1 } }],
        [
          { _id: 'double', id: 2 },
          { _id: 'int', id: 1 },
          { _id: 'long', id: 3 },
          { _id: 'null', id: 4 },
        ],
      ),
      passes(PEOPLE, [{ $group: { _id: {}, n: { $sum: 1 } } }], [{ _id: {}, n: 4 }]),
      fails({ $group: 1 }, 15947),
      fails({ $group: { n: { $sum: 1 } } }, 15955),
      fails({ $group: { _id: { a: 1 } } }, 17390),
      fails({ $group: { _id: { a: true } } }, 17390),
      fails({ $group: { _id: 1, 'a.b': { $sum: 1 } } }, 40235),
      fails({ $group: { _id: 1, $a: { $sum: 1 } } }, 40236),
    ],
  },
};

export const PIPELINE_SYNTAX: Table<Staged> = {
  title: 'rejects a pipeline that is not an array of single stages',
  cases: [fails({ $foo: 1 }, 40324), fails({ $match: {}, $limit: 1 }, 40323), fails({}, 40323), fails(1, 14)],
};
