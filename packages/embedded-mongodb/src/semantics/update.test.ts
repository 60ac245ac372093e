import { expect, it } from 'vitest';
import { codeOf, doc, type Shorthand, value } from '../../test/shorthand.ts';
import { type BsonValue, type Document, encode, ObjectId } from '../bson/document.ts';
import { parseFilter } from './filter.ts';
import { applyUpdate, parseUpdate } from './update.ts';
import { documentForUpsert } from './upsert.ts';

/* conformance/update.test.ts covers the effect of each modifier. */

type Fields = { [name: string]: Shorthand };

const NOW = new Date('2026-01-02T03:04:05.678Z');

function update(before: Document, spec: BsonValue, isInsert = false): Document {
  return applyUpdate(parseUpdate(spec), before, { isInsert, now: NOW }).document;
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

it('an update applies $setOnInsert only to a document that is about to be inserted', () => {
  const spec = doc({ $setOnInsert: { 'a.b': 1 } });
  expect(update(new Map(), spec, true)).toEqual(doc({ a: { b: 1 } }));
  expect(update(doc({ a: 5 }), spec)).toEqual(doc({ a: 5 }));
  expect(codeOf(() => update(doc({ a: 5 }), spec, true))).toBe(28);
});

it('an update by a pipeline evaluates $$NOW to the time of the command', () => {
  expect(update(doc({ _id: 1 }), value([{ $set: { at: '$$NOW' } }]))).toEqual(doc({ _id: 1, at: NOW }));
});

it('an update keeps the _id of a replaced document as the first field, even if it is null', () => {
  expect([...update(doc({ a: 1, _id: null }), doc({ b: 1 })).keys()]).toEqual(['_id', 'b']);
  expect([...update(doc({ a: 1 }), doc({ b: 1 })).keys()]).toEqual(['b']);
});

it('an update that is neither a document nor an array is rejected', () => {
  expect(codeOf(() => parseUpdate(value('x')))).toBe(9);
});

it('an update truncates a long value in an error message', () => {
  const long = 'x'.repeat(1000);
  expect(() => update(doc({ a: [long, { b: 1 }] }), doc({ $set: { 'a.b': 1 } }))).toThrow(/x{100,150}…$/);
});

it('an upsert assigns a new ObjectId to each document', () => {
  const made = () => documentForUpsert(parseFilter(doc({ a: 1 })), parseUpdate(doc({ b: 1 })), { now: NOW });
  expect(made().get('_id')).toBeInstanceOf(ObjectId);
  expect(made()).not.toEqual(made());
});
