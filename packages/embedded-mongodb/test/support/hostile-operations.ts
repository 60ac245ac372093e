import { BSON, type Db, type Document } from 'mongodb';

/** An operation of one client that would take the server away from the others. */
export interface HostileOperation {
  title: string;
  run(database: Db, options: { maxTimeMS?: number }): Promise<unknown>;
}

const { BSONRegExp, Decimal128, Int32 } = BSON;

const TEXT_LENGTH = 1_000_000;
const ARRAY_LENGTH = 100_000;

export async function fillForHostileOperations(database: Db): Promise<void> {
  await database.collection('texts').insertMany([
    { _id: 1 as never, text: `${'a'.repeat(31)}!` },
    { _id: 2 as never, text: 'ab'.repeat(TEXT_LENGTH / 2) },
  ]);
  const list = Array.from({ length: 1000 }, (_, n) => n);
  await database.collection('lists').insertOne({ _id: 1 as never, list, lists: list.map((n) => ({ n })) });
  const many = Array.from({ length: ARRAY_LENGTH }, (_, n) => new Int32((n * 7919) % ARRAY_LENGTH));
  await database.collection('arrays').insertOne({ _id: 1 as never, many });
  await database
    .collection('things')
    .insertMany(Array.from({ length: 5000 }, (_, n) => ({ n, text: `thing number ${n}` })));
  await database.collection('indexed').createIndex({ many: 1, n: 1 });
}

function nested(depth: number, wrap: (inner: unknown) => Document, innermost: unknown): Document {
  let result = innermost;
  for (let level = 0; level < depth; level++) result = wrap(result);
  return result as Document;
}

function repeated<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}

const NESTED_MAP = nested(4, (inner) => ({ $map: { input: '$list', as: 'x', in: inner } }), {
  $add: ['$$x', 1],
});
const NESTED_FILTER = nested(
  30,
  (inner) => ({ $filter: { input: '$list', as: 'x', cond: { $gte: [{ $size: inner }, 0] } } }),
  '$list',
);
const DOUBLING = repeated(40, () => ({ $replaceWith: { a: '$$ROOT', b: '$$ROOT' } }));
const UNWOUND = ['$list', '$other', '$third'].map((path) => ({ $unwind: path }));
const THREE_LISTS = { $project: { list: 1, other: '$list', third: '$list' } };
const MANY_BRANCHES = { $or: repeated(50_000, (n) => ({ [`f${n % 100}`]: n })) };
const EXTREMES = ['1E+6111', '1E-6176'].map((text) => Decimal128.fromString(text));

const find = (title: string, collection: string, filter: Document): HostileOperation => ({
  title,
  run: (database, options) => database.collection(collection).find(filter, options).toArray(),
});

const aggregate = (title: string, collection: string, pipeline: Document[]): HostileOperation => ({
  title,
  run: (database, options) => database.collection(collection).aggregate(pipeline, options).toArray(),
});

const update = (title: string, collection: string, filter: Document, change: Document): HostileOperation => ({
  title,
  run: (database, options) => database.collection(collection).updateMany(filter, change, options),
});

const insert = (title: string, collection: string, document: Document): HostileOperation => ({
  title,
  run: (database) => database.collection(collection).insertOne({ ...document }),
});

export const HOSTILE_OPERATIONS: readonly HostileOperation[] = [
  find('regex: nested quantifiers', 'texts', { _id: 1, text: /^(a+)+$/ }),
  find('regex: 2^200 states over 1 MB', 'texts', { text: { $regex: 'a[ab]{200}[c-e]' } }),
  find('regex: (a{1000}){1000}', 'texts', { text: { $regex: '(a{1000}){1000}' } }),
  find('regex: 32,000 characters', 'texts', { text: { $regex: '(a|b)?'.repeat(5300) } }),
  find('regex: 100,000 in $in', 'things', {
    text: { $in: repeated(100_000, (n) => new BSONRegExp(`x${n}[a-z]+y`)) },
  }),
  update('regex: of an update', 'texts', { text: /^(a+)+$/ }, { $set: { found: true } }),
  update(
    'regex: of an update over 1 MB',
    'texts',
    { text: { $regex: 'a[ab]{200}[c-e]' } },
    { $set: { x: 1 } },
  ),
  find('$expr: 4 nested $map', 'lists', { $expr: { $eq: [NESTED_MAP, 1] } }),
  find('$expr: 30 nested $filter', 'lists', { $expr: { $eq: [NESTED_FILTER, 1] } }),
  update('$expr: of an update', 'lists', { $expr: { $eq: [NESTED_MAP, 1] } }, { $set: { x: 1 } }),
  update('$map: in the pipeline of an update', 'lists', {}, [{ $set: { x: NESTED_MAP } }] as Document),
  {
    title: '$map: in a projection',
    run: (database, options) =>
      database
        .collection('lists')
        .find({}, { ...options, projection: { x: NESTED_MAP } })
        .toArray(),
  },
  {
    title: '$expr: of a findAndModify',
    run: (database, options) =>
      database
        .collection('lists')
        .findOneAndUpdate({ $expr: { $eq: [NESTED_MAP, 1] } }, { $set: { x: 1 } }, options),
  },
  aggregate('doubling: $replaceWith × 40', 'things', [{ $limit: 1 }, ...DOUBLING]),
  aggregate('doubling: and $group by it', 'things', [
    { $limit: 1 },
    ...DOUBLING,
    { $group: { _id: '$$ROOT' } },
  ]),
  aggregate('doubling: and $sort by it', 'things', [{ $limit: 2 }, ...DOUBLING, { $sort: { a: 1 } }]),
  aggregate('doubling: $addFields × 40', 'things', [
    { $limit: 1 },
    ...repeated(40, (n) => ({ $addFields: { [`f${n}`]: '$$ROOT' } })),
    { $match: { $expr: { $eq: ['$f38', { $mergeObjects: ['$f38', {}] }] } } },
  ]),
  update('doubling: in the pipeline of an update', 'lists', {}, DOUBLING.slice(0, 20) as Document),
  aggregate('doubling: $concat × 40', 'things', [
    { $limit: 1 },
    ...repeated(40, () => ({ $set: { text: { $concat: ['$text', '$text'] } } })),
  ]),
  aggregate('doubling: $concatArrays × 40', 'lists', [
    ...repeated(40, () => ({ $set: { list: { $concatArrays: ['$list', '$list'] } } })),
    { $project: { n: { $size: '$list' } } },
  ]),
  aggregate('$split of 1 MB into characters, 1,000 times', 'texts', [
    { $match: { _id: 2 } },
    {
      $project: {
        x: {
          $map: {
            input: { $slice: [{ $split: ['$text', 'b'] }, 1000] },
            in: { $size: { $split: ['$text', 'a'] } },
          },
        },
      },
    },
  ]),
  aggregate('$unwind: 3 in a row of 1,000', 'lists', [THREE_LISTS, ...UNWOUND, { $match: { list: -1 } }]),
  aggregate('$group: a million keys', 'lists', [
    THREE_LISTS,
    ...UNWOUND.slice(0, 2),
    { $group: { _id: { a: '$list', b: '$other' }, n: { $sum: 1 } } },
    { $count: 'n' },
  ]),
  aggregate('$group: $push of a million documents', 'lists', [
    THREE_LISTS,
    ...UNWOUND.slice(0, 2),
    { $group: { _id: null, all: { $push: '$$ROOT' } } },
    { $project: { n: { $size: '$all' } } },
  ]),
  aggregate('$group: $addToSet of a million values', 'lists', [
    THREE_LISTS,
    ...UNWOUND.slice(0, 2),
    { $group: { _id: null, all: { $addToSet: { a: '$list', b: '$other' } } } },
    { $project: { n: { $size: '$all' } } },
  ]),
  aggregate('$sort: a million documents', 'lists', [
    THREE_LISTS,
    ...UNWOUND.slice(0, 2),
    { $sort: { list: -1 } },
    { $count: 'n' },
  ]),
  find('$in: 500,000 numbers', 'things', { n: { $in: repeated(500_000, (n) => -n) } }),
  find('$or: 50,000 branches', 'things', MANY_BRANCHES),
  update('$or: 50,000 branches of an update', 'things', MANY_BRANCHES, { $set: { x: 1 } }),
  find(
    'filter: 5^6 branches',
    'lists',
    nested(6, (inner) => ({ $or: repeated(5, () => inner) }), { 'lists.n': -1 }),
  ),
  find(
    'filter: nested 150 deep',
    'things',
    nested(150, (inner) => ({ $and: [inner] }), { n: 1 }),
  ),
  aggregate('expression: nested 150 deep', 'things', [
    { $project: { x: nested(150, (inner) => ({ $abs: inner }), '$n') } },
  ]),
  find('path: 100,000 parts', 'things', { [repeated(100_000, () => 'a').join('.')]: 1 }),
  update(
    'path: 100,000 parts of an update',
    'things',
    { n: 1 },
    { $set: { [repeated(100_000, () => 'a').join('.')]: 1 } },
  ),
  aggregate(
    'pipeline: 5,000 stages',
    'things',
    repeated(5000, () => ({ $match: {} })),
  ),
  aggregate('$switch: 50,000 branches', 'things', [
    {
      $project: {
        x: {
          $switch: {
            branches: repeated(
              50_000,
              () =>
                new Map<string, unknown>([
                  ['case', false],
                  ['then', 1],
                ]),
            ),
            default: 0,
          },
        },
      },
    },
  ]),
  aggregate('decimals: of 12,000 digits', 'things', [
    { $project: { x: { $sum: repeated(2000, (n) => EXTREMES[n % 2]) }, y: { $mod: EXTREMES } } },
  ]),
  aggregate('$dateToString: a format of 1 MB', 'things', [
    { $project: { x: { $dateToString: { date: new Date(0), format: '%Y'.repeat(500_000) } } } },
  ]),
  insert('index: 100,000 entries of one document', 'indexed', { many: repeated(ARRAY_LENGTH, (n) => n) }),
  insert('index: parallel arrays', 'indexed', { many: [1, 2], n: [1, 2] }),
  {
    title: 'index: partial, with $expr',
    run: (database) =>
      database
        .collection('things')
        .createIndex({ n: 1 }, { partialFilterExpression: { $expr: { $eq: [NESTED_MAP, 1] } } }),
  },
  update('$push: with $sort of 100,000 elements', 'arrays', {}, {
    $push: { many: { $each: [1], $sort: 1 } },
  } as Document),
  update('$addToSet: 100,000 values to 100,000 elements', 'arrays', {}, {
    $addToSet: { many: { $each: repeated(ARRAY_LENGTH, (n) => n) } },
  } as Document),
  update('$pull: with nested $or', 'arrays', {}, {
    $pull: { many: { $in: repeated(ARRAY_LENGTH, (n) => -n - 1) } },
  } as Document),
  update(
    'update: 100,000 modifiers',
    'things',
    { n: 1 },
    { $set: Object.fromEntries(repeated(100_000, (n) => [`f${n}`, 1])) },
  ),
  {
    title: 'distinct: 100,000 elements',
    run: (database) => database.collection('arrays').distinct('many'),
  },
  {
    title: 'explain: nested $map',
    run: (database, options) =>
      database
        .collection('lists')
        .find({ $expr: { $eq: [NESTED_MAP, 1] } }, options)
        .explain('executionStats'),
  },
];
