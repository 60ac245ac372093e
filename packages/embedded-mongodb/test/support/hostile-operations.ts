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

const { Int32 } = BSON;

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

const DOUBLING = repeated(40, () => ({ $replaceWith: { a: '$$ROOT', b: '$$ROOT' } }));
/** Stages that turn one document into a million. */
const MILLION = [
  { $project: { list: 1, other: '$list', third: '$list' } },
  { $unwind: '$list' },
  { $unwind: '$other' },
];
const MANY_BRANCHES = { $or: repeated(50_000, (n) => ({ [`f${n % 100}`]: n })) };
const LONG_PATH = repeated(100_000, () => 'a').join('.');
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
  find('regex: repeated quantifiers', 'texts', { text: /^a+a+a+a+a+$/ }),
  find('regex: 2^200 states over 1 MB', 'texts', { text: { $regex: 'a[ab]{200}[c-e]' } }),
  find('regex: 32,000 characters', 'texts', { text: { $regex: '[ab]?'.repeat(5300) } }, INVALID_REGEX),
  update('regex: of an update over 1 MB', 'texts', { text: /a[ab]{200}[c-e]/ }, { $set: { x: 1 } }),
];

const EXPRESSIONS: HostileOperation[] = [
  aggregate('$multiply: 50,000 factors', 'things', [
    { $project: { x: { $multiply: repeated(50_000, () => '$n') } } },
  ]),
  aggregate('$mergeObjects: 50,000 documents', 'things', [
    { $replaceWith: { $mergeObjects: repeated(50_000, () => '$$ROOT') } },
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
    '$unwind: 3 in a row of 1,000',
    'lists',
    [...MILLION, { $unwind: '$third' }, { $match: { list: -1 } }],
    COMPUTES_TOO_MUCH,
  ),
  aggregate(
    '$group: a million keys',
    'lists',
    [
      ...MILLION,
      { $group: { _id: { a: '$list', b: '$other' }, n: { $sum: 1 } } },
      { $group: { _id: 1, n: { $sum: 1 } } },
    ],
    TOO_MUCH_MEMORY,
  ),
  aggregate(
    '$sort: a million documents',
    'lists',
    [...MILLION, { $sort: { list: -1 } }, { $group: { _id: 1, n: { $sum: 1 } } }],
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
    [{ $project: { x: nested(150, (inner) => ({ $multiply: inner }), '$n') } }],
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
  update('$pull: 100,000 values of 100,000 elements', 'arrays', {}, {
    $pull: { many: { $in: repeated(ARRAY_LENGTH, (n) => -n - 1) } },
  } as Document),
  update(
    'update: 100,000 modifiers',
    'things',
    { n: 1 },
    { $set: Object.fromEntries(repeated(100_000, (n) => [`f${n}`, 1])) },
  ),
  insert(
    'insert: 100,000 fields',
    Object.fromEntries(repeated(100_000, (n) => [`f${n}`, 1])),
    COMPUTES_TOO_MUCH,
  ),
  {
    title: 'insert: 50,000 documents',
    code: undefined,
    run: (database) => database.collection('inserted').insertMany(repeated(50_000, (n) => ({ n }))),
  },
  {
    title: 'update: 20,000 operations of one batch',
    code: undefined,
    run: (database) =>
      database
        .collection('things')
        .bulkWrite(
          repeated(20_000, (n) => ({ updateOne: { filter: { n: 1 }, update: { $set: { x: n } } } })),
        ),
  },
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
