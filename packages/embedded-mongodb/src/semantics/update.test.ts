import { describe, expect, it } from 'vitest';
import { codeOf, doc, type Shorthand, value } from '../../test/shorthand.ts';
import {
  type BsonValue,
  type Document,
  decimal,
  double,
  long,
  ObjectId,
  Timestamp,
} from '../bson/document.ts';
import { matches, parseFilter } from './filter.ts';
import { applyUpdate, type ParseUpdateOptions, parseUpdate } from './update.ts';
import { documentForUpsert } from './upsert.ts';

type Fields = { [name: string]: Shorthand };
interface Options {
  filter?: Fields;
  arrayFilters?: Fields[];
  isInsert?: boolean;
}

const NOW = new Date('2026-01-02T03:04:05.678Z');
const MAX_INT64 = long(2n ** 63n - 1n);

function update(before: Document, spec: Shorthand, options: Options = {}): Document {
  const parseOptions: ParseUpdateOptions =
    options.arrayFilters === undefined ? {} : { arrayFilters: options.arrayFilters.map(doc) };
  const parsed = parseUpdate(value(spec), parseOptions);
  const position: { index: number | undefined } = { index: undefined };
  if (options.filter !== undefined) matches(parseFilter(doc(options.filter)), before, position);
  return applyUpdate(parsed, before, {
    isInsert: options.isInsert ?? false,
    now: NOW,
    position: position.index,
  }).document;
}

/** The fields in order, so that toEqual sees their order too. */
function ordered(document: BsonValue): unknown {
  if (document instanceof Map) return [...document].map(([name, field]) => [name, ordered(field)]);
  return Array.isArray(document) ? document.map(ordered) : document;
}

const APPLIED: [title: string, before: Fields, update: Shorthand, after: Fields, options?: Options][] = [
  ['$set replaces and adds', { _id: 1, a: 1 }, { $set: { a: 'x', b: 2 } }, { _id: 1, a: 'x', b: 2 }],
  [
    '$set adds fields in the order of their names',
    { _id: 1 },
    { $set: { c: 1, a: 1, b: 1 } },
    { _id: 1, a: 1, b: 1, c: 1 },
  ],
  ['$set of names that start with $', {}, { $set: { $b: 1, 'a.$each': 2 } }, { $b: 1, a: { $each: 2 } }],
  ['$set makes the documents on the way', {}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
  ['$set into an array, padded with null', { a: [1] }, { $set: { 'a.3': 4 } }, { a: [1, null, null, 4] }],
  ['$set of a field in an element', { a: [{ b: 1 }] }, { $set: { 'a.0.b': 2 } }, { a: [{ b: 2 }] }],
  ['$set keeps the type it is given', { a: 1 }, { $set: { a: double(1) } }, { a: double(1) }],
  ['$set with a number as a name in a document', { a: {} }, { $set: { 'a.0': 1 } }, { a: { 0: 1 } }],
  ['$set of the same _id', { _id: 1, a: 1 }, { $set: { _id: 1, a: 2 } }, { _id: 1, a: 2 }],
  ['$unset', { a: 1, b: { c: 1, d: 2 } }, { $unset: { a: '', 'b.c': 1, x: 1, 'b.d.e': 1 } }, { b: { d: 2 } }],
  ['$unset in an array leaves null', { a: [1, 2] }, { $unset: { 'a.0': 1 } }, { a: [null, 2] }],
  ['$inc', { a: 1 }, { $inc: { a: 2, b: -1 } }, { a: 3, b: -1 }],
  ['$inc grows int32 to int64', { a: 2147483647 }, { $inc: { a: 1 } }, { a: long(2147483648n) }],
  ['$inc of int64 stays int64', { a: long(1) }, { $inc: { a: 1 } }, { a: long(2) }],
  ['$inc with a double', { a: 1 }, { $inc: { a: 0.5 } }, { a: 1.5 }],
  [
    '$inc of int64 beyond 2^53 is exact',
    { a: long(2n ** 53n) },
    { $inc: { a: 1 } },
    { a: long(2n ** 53n + 1n) },
  ],
  ['$inc with a decimal', { a: 1 }, { $inc: { a: decimal('0.10') } }, { a: decimal('1.10') }],
  [
    '$inc of a double with a decimal takes 15 digits',
    { a: 0.1 },
    { $inc: { a: decimal('0.2') } },
    { a: decimal('0.300000000000000') },
  ],
  ['$mul', { a: 3, b: 2 }, { $mul: { a: 2, b: 1.5, c: long(5) } }, { a: 6, b: double(3), c: long(0) }],
  ['$mul grows int32 to int64', { a: 65536 }, { $mul: { a: 65536 } }, { a: long(2n ** 32n) }],
  ['$mul of decimals', { a: decimal('1.5') }, { $mul: { a: decimal('1.5') } }, { a: decimal('2.25') }],
  ['$min and $max', { a: 5, b: 5 }, { $min: { a: 3, c: 1 }, $max: { b: 'x' } }, { a: 3, b: 'x', c: 1 }],
  [
    '$min with an equal value of another type changes nothing',
    { a: 5 },
    { $min: { a: double(5) } },
    { a: 5 },
  ],
  [
    '$rename',
    { a: 1, b: { c: 2 } },
    { $rename: { a: 'x.y', 'b.c': 'd', no: 'z' } },
    { b: {}, d: 2, x: { y: 1 } },
  ],
  ['$rename onto another field', { a: 1, b: 2 }, { $rename: { a: 'b' } }, { b: 1 }],
  [
    '$setOnInsert on insert',
    {},
    { $setOnInsert: { a: 1 }, $set: { b: 1 } },
    { a: 1, b: 1 },
    { isInsert: true },
  ],
  ['$setOnInsert on update', { b: 0 }, { $setOnInsert: { a: 1, 'b.c': 1 }, $set: { d: 1 } }, { b: 0, d: 1 }],
  [
    '$currentDate',
    {},
    { $currentDate: { a: true, b: { $type: 'date' }, c: { $type: 'timestamp' } } },
    { a: NOW, b: NOW, c: new Timestamp({ t: 1767323045, i: 1 }) },
  ],
  ['$push', { a: [1] }, { $push: { a: 2, b: [3] } }, { a: [1, 2], b: [[3]] }],
  ['$push $each', { a: [1] }, { $push: { a: { $each: [2, 3] } } }, { a: [1, 2, 3] }],
  [
    '$push at a position',
    { a: [1, 4] },
    { $push: { a: { $each: [2, 3], $position: 1 } } },
    { a: [1, 2, 3, 4] },
  ],
  [
    '$push at a position from the end',
    { a: [1, 4] },
    { $push: { a: { $each: [2, 3], $position: -1 } } },
    { a: [1, 2, 3, 4] },
  ],
  [
    '$push with $sort and $slice',
    { a: [5, 1] },
    { $push: { a: { $each: [4, 2], $sort: 1, $slice: 3 } } },
    { a: [1, 2, 4] },
  ],
  [
    '$push with $sort by field and $slice from the end',
    { a: [{ s: 5 }] },
    { $push: { a: { $each: [{ s: 9 }, { s: 1 }], $sort: { s: -1 }, $slice: -2 } } },
    { a: [{ s: 5 }, { s: 1 }] },
  ],
  ['$push $slice 0 empties', { a: [1] }, { $push: { a: { $each: [], $slice: 0 } } }, { a: [] }],
  ['$addToSet', { a: [1] }, { $addToSet: { a: double(1), b: 1 } }, { a: [1], b: [1] }],
  [
    '$addToSet $each',
    { a: [1] },
    { $addToSet: { a: { $each: [1, 2, 2, { x: 1 }] } } },
    { a: [1, 2, { x: 1 }] },
  ],
  [
    '$pop',
    { a: [1, 2, 3], b: [1, 2, 3], c: [] },
    { $pop: { a: 1, b: -1, c: 1, d: 1 } },
    { a: [1, 2], b: [2, 3], c: [] },
  ],
  ['$pull of a value', { a: [1, double(1), 2, [1]] }, { $pull: { a: 1, b: 1 } }, { a: [2, [1]] }],
  ['$pull by condition', { a: [1, 5, 9, 'x'] }, { $pull: { a: { $gte: 5 } } }, { a: [1, 'x'] }],
  [
    '$pull by fields of documents',
    { a: [{ x: 1, y: 1 }, { x: 2 }, 1] },
    { $pull: { a: { x: 1 } } },
    { a: [{ x: 2 }, 1] },
  ],
  [
    '$pull by an $or',
    { a: [{ x: 1 }, { y: 1 }, { z: 1 }] },
    { $pull: { a: { $or: [{ x: 1 }, { y: 1 }] } } },
    { a: [{ z: 1 }] },
  ],
  ['$rename of a missing field into an array', { a: [1] }, { $rename: { x: 'a.0' } }, { a: [1] }],
  ['$pull by a regular expression', { a: ['ab', 'b'] }, { $pull: { a: /^a/ } }, { a: ['b'] }],
  ['$pull with $in', { a: [1, 2, 3] }, { $pull: { a: { $in: [1, 3] } } }, { a: [2] }],
  ['$pullAll', { a: [1, 2, 1, { x: 1 }] }, { $pullAll: { a: [1, { x: 1 }] } }, { a: [2] }],
  [
    '$bit',
    { a: 13, b: long(1) },
    { $bit: { a: { and: 10 }, b: { or: 4 }, c: { xor: 5 } } },
    { a: 8, b: long(5), c: 5 },
  ],
  ['positional $', { a: [1, 5, 9] }, { $set: { 'a.$': 0 } }, { a: [1, 0, 9] }, { filter: { a: { $gt: 3 } } }],
  [
    'positional $ in documents',
    { a: [{ k: 1 }, { k: 2, n: 1 }] },
    { $inc: { 'a.$.n': 1 } },
    { a: [{ k: 1 }, { k: 2, n: 2 }] },
    { filter: { 'a.k': 2 } },
  ],
  ['$[] changes all', { a: [1, 2] }, { $inc: { 'a.$[]': 10 } }, { a: [11, 12] }],
  ['$[] in documents', { a: [{ b: 1 }, {}] }, { $set: { 'a.$[].b': 5 } }, { a: [{ b: 5 }, { b: 5 }] }],
  [
    '$[identifier]',
    { a: [1, 5, 9] },
    { $set: { 'a.$[big]': 0 } },
    { a: [1, 0, 0] },
    { arrayFilters: [{ big: { $gte: 5 } }] },
  ],
  [
    '$[identifier] on fields, nested',
    {
      a: [
        { k: 'x', b: [1, 2] },
        { k: 'y', b: [1] },
      ],
    },
    { $inc: { 'a.$[x].b.$[]': 1 } },
    {
      a: [
        { k: 'x', b: [2, 3] },
        { k: 'y', b: [1] },
      ],
    },
    { arrayFilters: [{ 'x.k': 'x' }] },
  ],
  [
    'two identifiers that select different elements',
    { a: [1, 2] },
    { $set: { 'a.$[i]': 'one', 'a.$[j]': 'two' } },
    { a: ['one', 'two'] },
    { arrayFilters: [{ i: 1 }, { j: 2 }] },
  ],
  ['a replacement keeps the _id, at the front', { _id: 1, a: 1 }, { b: 2 }, { _id: 1, b: 2 }],
  ['a replacement with the same _id', { _id: 1, a: 1 }, { b: 2, _id: 1 }, { _id: 1, b: 2 }],
  ['an empty replacement', { _id: 1, a: 1 }, {}, { _id: 1 }],
  ['a DBRef field by path', { a: {} }, { $set: { 'a.$id': 1 } }, { a: { $id: 1 } }],
  ['dollar names within a value', {}, { $set: { a: { $x: 1 } } }, { a: { $x: 1 } }],
  ['an empty $set', { a: 1 }, { $set: {} }, { a: 1 }],
  [
    'a pipeline',
    { _id: 1, a: 2, b: 3 },
    [{ $set: { c: { $add: ['$a', '$b'] }, at: '$$NOW' } }, { $unset: 'b' }],
    { _id: 1, a: 2, c: 5, at: NOW },
  ],
  [
    'a pipeline that replaces keeps the _id',
    { _id: 1, a: { x: 1 } },
    [{ $replaceWith: '$a' }],
    { _id: 1, x: 1 },
  ],
];

const REFUSED: [title: string, before: Fields, update: Shorthand, code: number, options?: Options][] = [
  ['an unknown modifier', {}, { $foo: { a: 1 } }, 9],
  ['a modifier without fields', {}, { $set: 1 }, 9],
  ['a plain field among modifiers', {}, { $set: { a: 1 }, b: 1 }, 9],
  ['a modifier in a replacement', {}, { b: 1, $set: { a: 1 } }, 52],
  ['an update that is no document', {}, 'x', 9],
  ['the same path twice', {}, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
  ['a path within another', {}, { $set: { a: 1, 'a.b': 1 } }, 40],
  ['a rename onto a path that is set', {}, { $rename: { a: 'b' }, $set: { b: 1 } }, 40],
  ['a changed _id', { _id: 1 }, { $set: { _id: 2 } }, 66],
  ['a removed _id', { _id: 1 }, { $unset: { _id: 1 } }, 66],
  ['a field within the _id', { _id: { a: 1 } }, { $set: { '_id.a': 2 } }, 66],
  ['another _id in a replacement', { _id: 1 }, { _id: 2 }, 66],
  ['$inc of text', { a: 'x' }, { $inc: { a: 1 } }, 14],
  ['$inc of null', { a: null }, { $inc: { a: 1 } }, 14],
  ['$inc by text', {}, { $inc: { a: 'x' } }, 14],
  ['$inc beyond int64', { a: MAX_INT64 }, { $inc: { a: 1 } }, 2],
  ['$mul of text', { a: 'x' }, { $mul: { a: 1 } }, 14],
  ['$mul by null', {}, { $mul: { a: null } }, 14],
  ['a field in a number', { a: 5 }, { $set: { 'a.b': 1 } }, 28],
  ['a named field in an array', { a: [] }, { $set: { 'a.b': 1 } }, 28],
  ['a field in null', { a: null }, { $inc: { 'a.b': 1 } }, 28],
  ['$pull from a blocked path', { a: 5 }, { $pull: { 'a.b': 1 } }, 28],
  ['an empty path', {}, { $set: { '': 1 } }, 56],
  ['an empty part of a path', {}, { $set: { 'a..b': 1 } }, 56],
  ['$push onto a number', { a: 1 }, { $push: { a: 1 } }, 2],
  ['$push with an unknown clause', {}, { $push: { a: { $each: [], $foo: 1 } } }, 2],
  ['$push $each of a value', {}, { $push: { a: { $each: 1 } } }, 2],
  ['$push with a broken $slice', {}, { $push: { a: { $each: [], $slice: 1.5 } } }, 2],
  ['$push with a broken $sort', {}, { $push: { a: { $each: [], $sort: 2 } } }, 2],
  ['$addToSet on a number', { a: 1 }, { $addToSet: { a: 1 } }, 2],
  ['$addToSet $each of a value', {}, { $addToSet: { a: { $each: 1 } } }, 14],
  ['$pop of a number', { a: 1 }, { $pop: { a: 1 } }, 14],
  ['$pop by 2', {}, { $pop: { a: 2 } }, 9],
  ['$pull from a number', { a: 1 }, { $pull: { a: 1 } }, 2],
  ['$pullAll of a value', {}, { $pullAll: { a: 1 } }, 2],
  ['$bit of a double', { a: 1.5 }, { $bit: { a: { and: 1 } } }, 2],
  ['$bit with an unknown operation', {}, { $bit: { a: { nand: 1 } } }, 2],
  ['$currentDate of an unknown type', {}, { $currentDate: { a: { $type: 'time' } } }, 2],
  ['$rename to the same', { a: 1 }, { $rename: { a: 'a' } }, 2],
  ['$rename to a number', { a: 1 }, { $rename: { a: 1 } }, 2],
  ['$rename into itself', { a: {} }, { $rename: { a: 'a.b' } }, 2],
  ['$rename from an array', { a: [{ b: 1 }] }, { $rename: { 'a.0.b': 'c' } }, 2],
  ['$rename into an array', { a: [1], x: 1 }, { $rename: { x: 'a.0' } }, 2],
  ['$rename of a name in an array', { a: [{ b: 1 }] }, { $rename: { 'a.b': 'c' } }, 28],
  ['$ without a match in an array', { a: [1] }, { $set: { 'a.$': 1 } }, 2],
  ['$ at the front', {}, { $set: { $: 1 } }, 2],
  ['$ twice', { a: [] }, { $set: { 'a.$.$': 1 } }, 2],
  ['$[] on a number', { a: 1 }, { $set: { 'a.$[]': 1 } }, 2],
  ['$[] on a missing field', {}, { $set: { 'a.$[]': 1 } }, 2],
  ['an identifier without its filter', { a: [1] }, { $set: { 'a.$[x]': 1 } }, 2],
  ['a filter that is not used', { a: [1] }, { $set: { a: 1 } }, 9, { arrayFilters: [{ x: 1 }] }],
  ['a filter given twice', { a: [1] }, { $set: { 'a.$[x]': 1 } }, 9, { arrayFilters: [{ x: 1 }, { x: 2 }] }],
  [
    'a filter on two identifiers',
    { a: [1] },
    { $set: { 'a.$[x]': 1 } },
    9,
    { arrayFilters: [{ x: 1, y: 2 }] },
  ],
  ['a broken identifier', { a: [1] }, { $set: { 'a.$[X]': 1 } }, 2, { arrayFilters: [{ X: 1 }] }],
  [
    'two identifiers that select one element',
    { a: [1] },
    { $set: { 'a.$[i]': 2, 'a.$[j]': 3 } },
    40,
    { arrayFilters: [{ i: 1 }, { j: 1 }] },
  ],
  ['a stage that no update has', {}, [{ $match: {} }], 72],
  ['an unknown stage', {}, [{ $foo: {} }], 40324],
  ['another _id by a pipeline', { _id: 1 }, [{ $set: { _id: 2 } }], 66],
  ['array filters with a pipeline', {}, [{ $set: { a: 1 } }], 9, { arrayFilters: [{ x: 1 }] }],
  ['an array as _id', {}, { $set: { _id: [1] } }, 53],
  ['an element far beyond the end', { a: [] }, { $set: { 'a.9999999': 1 } }, 39],
];

describe('an update changes what MongoDB changes', () => {
  it.each(APPLIED)('%s', (_title, before, spec, after, options) => {
    const original = doc(before);
    expect(ordered(update(original, spec, options))).toEqual(ordered(doc(after)));
    expect(original).toEqual(doc(before));
  });

  it.each(REFUSED)('%s is refused', (_title, before, spec, code, options) => {
    expect(codeOf(() => update(doc(before), spec, options))).toBe(code);
  });

  it.each<[Fields, Shorthand, boolean]>([
    [{ a: 1 }, { $set: { a: 1 } }, false],
    [{ a: 1 }, { $set: { a: double(1) } }, true],
    [{ a: { x: 1, y: 2 } }, { $set: { a: { y: 2, x: 1 } } }, true],
    [{ a: 1 }, { $inc: { a: 0 } }, false],
    [{ a: 1 }, { $max: { a: 0 } }, false],
    [{ a: [1] }, { $addToSet: { a: 1 } }, false],
    [{ a: [1] }, { $pull: { a: 9 } }, false],
    [{}, { $unset: { a: 1 } }, false],
    [{ _id: 1, a: 1 }, { a: 1 }, false],
    [{ _id: 1, a: 1 }, { a: 2 }, true],
    [{ a: [2, 1] }, { $push: { a: { $each: [], $sort: 1 } } }, true],
  ])('%j updated with %j tells whether anything changed', (before, spec, changed) => {
    const result = applyUpdate(parseUpdate(value(spec)), doc(before), { isInsert: false, now: NOW });
    expect(result.changed).toBe(changed);
  });

  it('a document that would nest too deep is refused', () => {
    let deep: Document = new Map();
    for (let level = 0; level < 179; level++) deep = new Map([['a', deep]]);
    expect(codeOf(() => update(new Map(), { $set: { 'x.y': deep } }))).toBe(15);
  });
});

describe('an upsert starts from what the filter asks to be equal', () => {
  const upsert = (filter: Fields, spec: Shorthand) =>
    documentForUpsert(parseFilter(doc(filter)), parseUpdate(value(spec)), { now: NOW });

  it.each<[filter: Fields, update: Shorthand, expected: Fields]>([
    [{ _id: 1, a: 2, b: { $gt: 5 } }, { $set: { c: 3 } }, { _id: 1, a: 2, c: 3 }],
    [{ _id: 1, 'a.b': 2 }, { $inc: { 'a.n': 1 } }, { _id: 1, a: { b: 2, n: 1 } }],
    [{ $and: [{ _id: 1 }, { x: { $eq: 2 } }] }, { $setOnInsert: { y: 1 } }, { _id: 1, x: 2, y: 1 }],
    [{ _id: { $in: [7] }, $or: [{ a: 1 }] }, { $set: { b: 1 } }, { _id: 7, a: 1, b: 1 }],
    [{ _id: 1, $or: [{ a: 1 }, { b: 1 }] }, { $set: { c: 1 } }, { _id: 1, c: 1 }],
    [{ _id: 1, a: 2 }, { b: 3 }, { _id: 1, b: 3 }],
    [{ _id: 1, a: 2 }, { $set: { a: 3 } }, { _id: 1, a: 3 }],
    [{ z: 1, a: 1, _id: 5 }, { $set: { m: 1 } }, { _id: 5, a: 1, z: 1, m: 1 }],
    [{ a: 1 }, { $set: { _id: 9 } }, { _id: 9, a: 1 }],
  ])('%j with %j', (filter, spec, expected) => {
    expect(ordered(upsert(filter, spec))).toEqual(ordered(doc(expected)));
  });

  it('a new ObjectId is the _id where neither gives one', () => {
    const made = upsert({ a: 1 }, { $set: { b: 1 } });
    expect([...made.keys()]).toEqual(['_id', 'a', 'b']);
    expect(made.get('_id')).toBeInstanceOf(ObjectId);
  });

  it.each<[string, Fields, Shorthand, number]>([
    ['a path that is asked twice', { a: 1, $and: [{ a: 1 }] }, { $set: { b: 1 } }, 54],
    ['a path within another', { a: {}, 'a.b': 1 }, { $set: { b: 1 } }, 54],
    ['another _id than the filter asks', { _id: 1 }, { $set: { _id: 2 } }, 66],
    ['another _id in a replacement', { _id: 1 }, { _id: 2 }, 66],
  ])('%s is refused', (_title, filter, spec, code) => {
    expect(codeOf(() => upsert(filter, spec))).toBe(code);
  });

  it('null is an _id like any other', () => {
    expect(upsert({ _id: null }, { $set: { n: 1 } }).get('_id')).toBe(null);
    expect(ordered(update(doc({ _id: null, a: 1 }), { b: 1 }))).toEqual(ordered(doc({ _id: null, b: 1 })));
  });
});
