import { describe, expect, it } from 'vitest';
import { codeOf, doc, type Shorthand, value } from '../../test/shorthand.ts';
import { BSON_UNDEFINED } from '../bson/document.ts';
import { extractKeys } from './index-keys.ts';

type Fields = { [name: string]: Shorthand };

describe('the index keys of a document', () => {
  it.each<[Fields, paths: string[], keys: Shorthand[][], multikey: boolean[]]>([
    [{ a: 1, b: 'x' }, ['a', 'b', 'c'], [[1, 'x', null]], [false, false, false]],
    [{ a: { b: { c: 1 } } }, ['a.b.c', 'a.b'], [[1, { c: 1 }]], [false, false]],
    [{ a: 1 }, ['a.b'], [[null]], [false]],
    [{ a: [1, 2] }, ['a'], [[1], [2]], [true]],
    [{ a: [1, [2, 3]] }, ['a'], [[1], [[2, 3]]], [true]],
    [{ a: [] }, ['a', 'a.b'], [[BSON_UNDEFINED, null]], [true, true]],
    [
      { a: [{ b: 1, c: 2 }, { b: 3 }, 4] },
      ['a.b', 'a.c'],
      [
        [1, 2],
        [3, null],
        [null, null],
      ],
      [true, true],
    ],
    [
      { a: [{ b: [1, 2] }, { b: 3 }] },
      ['a.b', 'x'],
      [
        [1, null],
        [2, null],
        [3, null],
      ],
      [true, false],
    ],
    [{ a: [[{ b: 1 }]] }, ['a.b'], [[null]], [true]],
    [
      { a: [7, 8], b: 1 },
      ['a.1', 'b'],
      [
        [8, 1],
        [8, 1],
      ],
      [true, false],
    ],
    [{ a: [7] }, ['a.1'], [[null]], [true]],
    [{ a: { 1: 7 } }, ['a.1'], [[7]], [false]],
    [{ a: [{ b: 5 }, { b: [6] }] }, ['a.1.b'], [[6], [6]], [true]],
    [{ a: [[1, 2]] }, ['a.0'], [[[1, 2]], [[1, 2]]], [true]],
    [{ a: [[]] }, ['a.0'], [[BSON_UNDEFINED]], [true]],
    [{ a: [[7, 8]] }, ['a.0.1'], [[8], [8]], [true]],
  ])('%j on %j', (fields, paths, keys, multikeyFields) => {
    const extracted = extractKeys(
      doc(fields),
      paths.map((path) => path.split('.')),
    );
    expect(extracted).toEqual({ keys: keys.map(value), multikeyFields });
  });

  it.each<[Fields, paths: string[], code: number]>([
    [{ a: [1], b: [1] }, ['a', 'b'], 171],
    [{ a: [{ b: [1], c: [1] }] }, ['a.b', 'a.c'], 171],
    [{ a: [1], b: [1] }, ['a.0', 'b'], 171],
    [{ a: [{ 0: 1 }] }, ['a.0'], 16746],
  ])('the index keys of a document of %j on %j are rejected with %i', (fields, paths, code) => {
    const split = paths.map((path) => path.split('.'));
    expect(codeOf(() => extractKeys(doc(fields), split))).toBe(code);
  });
});
