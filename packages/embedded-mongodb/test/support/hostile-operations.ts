import { BSON, type Db, type Document } from 'mongodb';

/** An operation of one client that would block the server for the others. */
export interface HostileOperation {
  title: string;
  /** The expected error code; undefined if the operation ends with a result unless it reaches a limit. */
  code: number | undefined;
  run(database: Db, options: { maxTimeMS?: number }): Promise<unknown>;
}

const COMPUTES_TOO_MUCH = 96;
const TOO_LARGE = 10334;
const TOO_MUCH_MEMORY = 292;
const INVALID_REGEX = 51091;
const OVERFLOW = 15;

const { BSONRegExp, Decimal128, Int32 } = BSON;

const TEXT_LENGTH = 1_000_000;
const ARRAY_LENGTH = 100_000;

interface NumberedText {
  _id: number;
  text: string;
}

export async function fillForHostileOperations(database: Db): Promise<void> {
  await database.collection<NumberedText>('texts').insertMany([
    { _id: 1, text: `${'a'.repeat(31)}!` },
    { _id: 2, text: 'ab'.repeat(TEXT_LENGTH / 2) },
  ]);
  const list = Array.from({ length: 1000 }, (_, n) => n);
  await database.collection('lists').insertOne({ list, lists: list.map((n) => ({ n })) });
  const many = Array.from({ length: ARRAY_LENGTH }, (_, n) => new Int32((n * 7919) % ARRAY_LENGTH));
  await database.collection('arrays').insertOne({ many });
  const things = Array.from({ length: 5000 }, (_, n) => ({ n, text: `thing number ${n}` }));
  await database.collection('things').insertMany(things);
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

const mapOfList = (inner: unknown) => ({ $map: { input: '$list', as: 'x', in: inner } });
const NESTED_MAP = nested(4, mapOfList, { $add: ['$$x', 1] });
const filterOfList = (inner: unknown) => ({
  $filter: { input: '$list', as: 'x', cond: { $gte: [{ $size: inner }, 0] } },
});
const NESTED_FILTER = nested(30, filterOfList, '$list');
const DOUBLING = repeated(40, () => ({ $replaceWith: { a: '$$ROOT', b: '$$ROOT' } }));
/** Stages that turn one document into a million. */
const MILLION = [
  { $project: { list: 1, other: '$list', third: '$list' } },
  { $unwind: '$list' },
  { $unwind: '$other' },
];
const MANY_BRANCHES = { $or: repeated(50_000, (n) => ({ [`f${n % 100}`]: n })) };
const EXTREMES = ['1E+6111', '1E-6176'].map((text) => Decimal128.fromString(text));
const LONG_PATH = repeated(100_000, () => 'a').join('.');
const BRANCH = new Map<string, unknown>([
  ['case', false],
  ['then', 1],
]);

function find(title: string, collection: string, filter: Document, code?: number): HostileOperation {
  return {
    title,
    code,
    run: (database, options) => database.collection(collection).find(filter, options).toArray(),
  };
}

function aggregate(title: string, collection: string, pipeline: Document[], code?: number): HostileOperation {
  return {
    title,
    code,
    run: (database, options) => database.collection(collection).aggregate(pipeline, options).toArray(),
  };
}

function update(
  title: string,
  collection: string,
  filter: Document,
  change: Document,
  code = COMPUTES_TOO_MUCH,
): HostileOperation {
  return {
    title,
    code,
    run: (database, options) => database.collection(collection).updateMany(filter, change, options),
  };
}

function insert(title: string, document: Document, code: number): HostileOperation {
  return { title, code, run: (database) => database.collection('indexed').insertOne({ ...document }) };
}

const REGULAR_EXPRESSIONS: HostileOperation[] = [
  find('regex: nested quantifiers', 'texts', { text: /^(a+)+$/ }),
  find('regex: 2^200 states over 1 MB', 'texts', { text: { $regex: 'a[ab]{200}[c-e]' } }),
  find('regex: (a{1000}){1000}', 'texts', { text: { $regex: '(a{1000}){1000}' } }, INVALID_REGEX),
  find('regex: 32,000 characters', 'texts', { text: { $regex: '(a|b)?'.repeat(5300) } }, INVALID_REGEX),
  find(
    'regex: 100,000 in $in',
    'things',
    { text: { $in: repeated(100_000, (n) => new BSONRegExp(`x${n}[a-z]+y`)) } },
    TOO_MUCH_MEMORY,
  ),
  update('regex: of an update over 1 MB', 'texts', { text: /a[ab]{200}[c-e]/ }, { $set: { x: 1 } }),
];

const EXPRESSIONS: HostileOperation[] = [
  find('$expr: 4 nested $map', 'lists', { $expr: { $eq: [NESTED_MAP, 1] } }, TOO_LARGE),
  find('$expr: 30 nested $filter', 'lists', { $expr: { $eq: [NESTED_FILTER, 1] } }, COMPUTES_TOO_MUCH),
  update('$expr: of an update', 'lists', { $expr: { $eq: [NESTED_MAP, 1] } }, { $set: { x: 1 } }),
  update('$map: in the pipeline of an update', 'lists', {}, [{ $set: { x: NESTED_MAP } }] as Document),
  {
    title: '$map: in a projection',
    code: TOO_LARGE,
    run: (database, options) =>
      database
        .collection('lists')
        .find({}, { ...options, projection: { x: NESTED_MAP } })
        .toArray(),
  },
  {
    title: '$expr: of a findAndModify',
    code: COMPUTES_TOO_MUCH,
    run: (database, options) =>
      database
        .collection('lists')
        .findOneAndUpdate({ $expr: { $eq: [NESTED_MAP, 1] } }, { $set: { x: 1 } }, options),
  },
  {
    title: 'explain: nested $filter',
    code: COMPUTES_TOO_MUCH,
    run: (database, options) =>
      database
        .collection('lists')
        .find({ $expr: { $eq: [NESTED_FILTER, 1] } })
        .explain({ verbosity: 'executionStats', ...options }),
  },
  aggregate('$switch: 50,000 branches', 'things', [
    { $project: { x: { $switch: { branches: repeated(50_000, () => BRANCH), default: 0 } } } },
  ]),
  aggregate('decimals: of 12,000 digits', 'things', [
    { $project: { x: { $sum: repeated(2000, (n) => EXTREMES[n % 2]) }, y: { $mod: EXTREMES } } },
  ]),
  aggregate('$dateToString: a format of 1 MB', 'things', [
    { $project: { x: { $dateToString: { date: new Date(0), format: '%Y'.repeat(500_000) } } } },
  ]),
  aggregate('$split: 1 MB into characters, 1,000 times', 'texts', [
    { $match: { _id: 2 } },
    { $set: { all: { $slice: [{ $split: ['$text', 'b'] }, 1000] } } },
    { $project: { x: { $map: { input: '$all', in: { $size: { $split: ['$text', 'a'] } } } } } },
  ]),
];

const GROWING: HostileOperation[] = [
  aggregate('doubling: $replaceWith × 40', 'things', [{ $limit: 1 }, ...DOUBLING], TOO_LARGE),
  aggregate(
    'doubling: $group by it',
    'things',
    [{ $limit: 1 }, ...DOUBLING.slice(20), { $group: { _id: '$$ROOT' } }],
    TOO_LARGE,
  ),
  aggregate(
    'doubling: $sort by it',
    'things',
    [{ $limit: 2 }, ...DOUBLING.slice(20), { $sort: { a: 1 } }],
    TOO_LARGE,
  ),
  aggregate(
    'doubling: $addFields × 40',
    'things',
    [{ $limit: 1 }, ...repeated(40, (n) => ({ $addFields: { [`f${n}`]: '$$ROOT' } }))],
    TOO_LARGE,
  ),
  update('doubling: in the pipeline of an update', 'lists', {}, DOUBLING as Document),
  aggregate(
    'doubling: $concat × 40',
    'things',
    [{ $limit: 1 }, ...repeated(40, () => ({ $set: { text: { $concat: ['$text', '$text'] } } }))],
    TOO_LARGE,
  ),
  aggregate(
    'doubling: $concatArrays × 40',
    'lists',
    [
      ...repeated(40, () => ({ $set: { list: { $concatArrays: ['$list', '$list'] } } })),
      { $project: { n: { $size: '$list' } } },
    ],
    TOO_LARGE,
  ),
  aggregate(
    '$unwind: 3 in a row of 1,000',
    'lists',
    [...MILLION, { $unwind: '$third' }, { $match: { list: -1 } }],
    COMPUTES_TOO_MUCH,
  ),
  aggregate(
    '$group: a million keys',
    'lists',
    [...MILLION, { $group: { _id: { a: '$list', b: '$other' }, n: { $sum: 1 } } }, { $count: 'n' }],
    TOO_MUCH_MEMORY,
  ),
  aggregate(
    '$group: $push of a million documents',
    'lists',
    [...MILLION, { $group: { _id: null, all: { $push: '$$ROOT' } } }, { $project: { n: { $size: '$all' } } }],
    TOO_MUCH_MEMORY,
  ),
  aggregate(
    '$group: $addToSet of a million values',
    'lists',
    [...MILLION, { $group: { _id: null, all: { $addToSet: { a: '$list', b: '$other' } } } }],
    TOO_MUCH_MEMORY,
  ),
  aggregate(
    '$sort: a million documents',
    'lists',
    [...MILLION, { $sort: { list: -1 } }, { $count: 'n' }],
    TOO_MUCH_MEMORY,
  ),
];

const LARGE_REQUESTS: HostileOperation[] = [
  find('$in: 500,000 numbers', 'things', { n: { $in: repeated(500_000, (n) => -n) } }),
  find('$or: 50,000 branches', 'things', MANY_BRANCHES),
  update('$or: 50,000 branches of an update', 'things', MANY_BRANCHES, { $set: { x: 1 } }),
  find(
    '$or: 5^6 branches, nested',
    'lists',
    nested(6, (inner) => ({ $or: repeated(5, () => inner) }), { 'lists.n': -1 }),
  ),
  find(
    'filter: nested 95 deep',
    'things',
    nested(95, (inner) => ({ $nor: [inner] }), { n: 1 }),
  ),
  aggregate(
    'expression: nested 150 deep',
    'things',
    [{ $project: { x: nested(150, (inner) => ({ $abs: inner }), '$n') } }],
    2,
  ),
  find('path: 100,000 parts', 'things', { [LONG_PATH]: 1 }, OVERFLOW),
  update('path: 100,000 parts of an update', 'things', { n: 1 }, { $set: { [LONG_PATH]: 1 } }, OVERFLOW),
  {
    title: 'path: 100,000 parts of distinct',
    code: OVERFLOW,
    run: (database) => database.collection('things').distinct(LONG_PATH),
  },
  aggregate(
    'pipeline: 5,000 stages',
    'things',
    repeated(5000, () => ({ $match: {} })),
    7749501,
  ),
  insert('index: 100,000 entries of one document', { many: repeated(ARRAY_LENGTH, (n) => n) }, 67),
  insert('index: parallel arrays', { many: [1, 2], n: [1, 2] }, 171),
  {
    title: 'index: partial, with $expr',
    code: 67,
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
  update('$pull: 100,000 values of 100,000 elements', 'arrays', {}, {
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
    code: undefined,
    run: (database) => database.collection('arrays').distinct('many'),
  },
];

export const HOSTILE_OPERATIONS: readonly HostileOperation[] = [
  ...REGULAR_EXPRESSIONS,
  ...EXPRESSIONS,
  ...GROWING,
  ...LARGE_REQUESTS,
];
