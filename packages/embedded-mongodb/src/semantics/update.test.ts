import { expect, it } from 'vitest';
import { doc, type Shorthand, value } from '../../test/shorthand.ts';
import { type BsonValue, type Document, encode } from '../bson/document.ts';
import { applyUpdate, parseUpdate } from './update.ts';

/* conformance/update.test.ts covers the effect of each modifier. */

type Fields = { [name: string]: Shorthand };

function update(before: Document, spec: BsonValue): Document {
  return applyUpdate(parseUpdate(spec), before, { isInsert: false, now: new Date(0) }).document;
}

it.each<[Fields, Shorthand]>([
  [
    { _id: 1, a: { b: [1, { c: 2 }] } },
    { $set: { 'a.b.1.c': 3 }, $unset: { 'a.b.0': 1 } },
  ],
  [{ _id: 1, a: [3, 1] }, { $push: { a: { $each: [2], $slice: -2 } } }],
  [{ _id: 1, a: [1] }, { $pull: { a: 1 } }],
  [{ _id: 1, a: 1 }, { b: 1 }],
  [{ _id: 1, a: 1 }, [{ $set: { a: 2 } }]],
])('an update of %j by %j does not change the given document', (fields, spec) => {
  const before = doc(fields);
  const bytes = encode(before);
  expect(encode(update(before, value(spec)))).not.toEqual(bytes);
  expect(encode(before)).toEqual(bytes);
});

it('an update keeps the _id of a replaced document as the first field, even if it is null', () => {
  expect([...update(doc({ a: 1, _id: null }), doc({ b: 1 })).keys()]).toEqual(['_id', 'b']);
  expect([...update(doc({ a: 1 }), doc({ b: 1 })).keys()]).toEqual(['b']);
});

it('an update truncates a long value in an error message', () => {
  const long = 'x'.repeat(1000);
  expect(() => update(doc({ a: [long, { b: 1 }] }), doc({ $set: { 'a.b': 1 } }))).toThrow(/x{100,150}…$/);
});
