import { describe, expect, it } from 'vitest';
import { codeOf, doc, type Shorthand } from '../../test/shorthand.ts';
import { matches, parseFilter } from './filter.ts';
import { applyProjection, parseProjection } from './projection.ts';

type Fields = { [name: string]: Shorthand };

const NOW = new Date(0);

function project(spec: Fields, fields: Fields, filter?: Fields) {
  const root = doc(fields);
  const projection = parseProjection(doc(spec));
  if (projection === undefined) return root;
  const position = { index: undefined };
  if (filter !== undefined) matches(parseFilter(doc(filter)), root, position);
  return applyProjection(projection, { root, now: NOW, variables: new Map() }, position.index);
}

const FULL: Fields = { _id: 1, a: 1, b: { c: 2, d: 3 }, e: [{ x: 1, y: 2 }, 5, [{ x: 3, y: 4 }], { y: 6 }] };

const CASES: [title: string, spec: Fields, from: Fields, to: Fields, filter?: Fields][] = [
  ['an empty one keeps all', {}, FULL, FULL],
  ['inclusion keeps the _id', { a: 1 }, FULL, { _id: 1, a: 1 }],
  ['inclusion without the _id', { a: true, _id: 0 }, FULL, { a: 1 }],
  ['only the _id', { _id: 1 }, FULL, { _id: 1 }],
  ['all but the _id', { _id: 0 }, { _id: 1, a: 1 }, { a: 1 }],
  ['exclusion', { a: 0, 'b.c': 0, e: false }, FULL, { _id: 1, b: { d: 3 } }],
  ['exclusion of the _id as well', { _id: 0, a: 0 }, { _id: 1, a: 1, b: 1 }, { b: 1 }],
  ['exclusion that names the _id', { a: 0, _id: 1 }, { _id: 1, a: 1, b: 1 }, { _id: 1, b: 1 }],
  ['exclusion after the _id', { _id: 1, a: 0 }, { _id: 1, a: 1, b: 1 }, { _id: 1, b: 1 }],
  [
    '$slice and the _id include',
    { _id: 1, a: { $slice: 1 } },
    { _id: 1, a: [1, 2], b: 1 },
    { _id: 1, a: [1] },
  ],
  [
    '$elemMatch without the _id includes',
    { _id: 0, a: { $elemMatch: { $gt: 1 } } },
    { _id: 1, a: [1, 2], b: 1 },
    { a: [2] },
  ],
  ['inclusion along a path', { 'b.c': 1 }, FULL, { _id: 1, b: { c: 2 } }],
  ['inclusion in a nested form', { b: { c: 1 } }, FULL, { _id: 1, b: { c: 2 } }],
  [
    'inclusion through arrays drops what is no document',
    { 'e.x': 1 },
    FULL,
    { _id: 1, e: [{ x: 1 }, [{ x: 3 }], {}] },
  ],
  [
    'exclusion through arrays keeps what is no document',
    { 'e.y': 0, b: 0 },
    FULL,
    { _id: 1, a: 1, e: [{ x: 1 }, 5, [{ x: 3 }], {}] },
  ],
  ['a path through a scalar includes nothing', { 'a.z': 1 }, FULL, { _id: 1 }],
  ['fields keep the order of the document', { b: 1, a: 1 }, { _id: 1, a: 1, b: 2 }, { _id: 1, a: 1, b: 2 }],
  ['a computed field', { a: 1, sum: { $add: ['$a', 1] } }, FULL, { _id: 1, a: 1, sum: 2 }],
  ['a renamed field', { z: '$b.c' }, FULL, { _id: 1, z: 2 }],
  ['a missing computed field is left out', { z: '$nothing' }, FULL, { _id: 1 }],
  ['a computed field within a document', { 'b.z': '$a', 'b.c': 1 }, FULL, { _id: 1, b: { c: 2, z: 1 } }],
  ['a computed _id', { _id: '$a', b: 1 }, { _id: 9, a: 1, b: 2 }, { b: 2, _id: 1 }],
  ['a text is a value', { z: 'text' }, FULL, { _id: 1, z: 'text' }],
  [
    '$slice keeps the other fields',
    { a: { $slice: 2 } },
    { _id: 1, a: [1, 2, 3], b: 1 },
    { _id: 1, a: [1, 2], b: 1 },
  ],
  ['$slice from the end', { a: { $slice: -2 } }, { a: [1, 2, 3] }, { a: [2, 3] }],
  ['$slice with skip and limit', { a: { $slice: [1, 1] } }, { a: [1, 2, 3] }, { a: [2] }],
  ['$slice with a skip from the end', { a: { $slice: [-2, 1] } }, { a: [1, 2, 3] }, { a: [2] }],
  [
    '$slice with inclusion',
    { b: 1, a: { $slice: 1 } },
    { _id: 1, a: [1, 2], b: 1, c: 1 },
    { _id: 1, a: [1], b: 1 },
  ],
  [
    '$slice with exclusion',
    { b: 0, 'x.a': { $slice: 1 } },
    { x: { a: [1, 2], z: 1 }, b: 1 },
    { x: { a: [1], z: 1 } },
  ],
  ['$slice of what is no array', { a: { $slice: 1 } }, { a: 5 }, { a: 5 }],
  [
    '$elemMatch keeps the first that matches',
    { a: { $elemMatch: { x: { $gt: 1 } } } },
    { _id: 1, a: [{ x: 1 }, { x: 2 }, { x: 3 }], b: 1 },
    { _id: 1, a: [{ x: 2 }] },
  ],
  [
    '$elemMatch without a match leaves the field out',
    { a: { $elemMatch: { $gt: 9 } }, b: 1 },
    { _id: 1, a: [1], b: 1 },
    { _id: 1, b: 1 },
  ],
  ['the positional $', { 'a.$': 1 }, { _id: 1, a: [4, 5, 6], b: 1 }, { _id: 1, a: [5] }, { a: { $gte: 5 } }],
  [
    'the positional $ in a document',
    { 'x.a.$': 1 },
    { x: { a: [{ k: 1 }, { k: 2 }], z: 1 } },
    { x: { a: [{ k: 2 }] } },
    { 'x.a.k': 2 },
  ],
];

const REFUSED: [title: string, spec: Fields, code: number][] = [
  ['exclusion in an inclusion', { a: 1, b: 0 }, 31254],
  ['inclusion in an exclusion', { a: 0, b: 1 }, 31253],
  ['a computed field in an exclusion', { a: 0, b: { $add: [1, '$a'] } }, 31252],
  ['a path within another', { a: 1, 'a.b': 1 }, 31249],
  ['a path above another', { 'a.b': 1, a: 1 }, 31250],
  ['an empty part', { 'a..b': 1 }, 15998],
  ['an empty document', { a: {} }, 51270],
  ['$meta', { a: { $meta: 'textScore' } }, 40218],
  ['$elemMatch on a path', { 'a.b': { $elemMatch: { x: 1 } } }, 31275],
  ['$elemMatch with a positional one', { 'a.$': 1, b: { $elemMatch: { x: 1 } } }, 31255],
  ['a text in an exclusion', { a: 0, b: 'x' }, 31310],
  ['a positional document', { 'a.$': { b: 1 } }, 31271],
  ['$elemMatch of a value', { a: { $elemMatch: 1 } }, 31274],
  ['two positional ones', { 'a.$': 1, 'b.$': 1 }, 31276],
  ['positional exclusion', { 'a.$': 0 }, 31395],
  ['an unknown expression', { a: { $foo: 1 } }, 31325],
];

describe('a projection gives what MongoDB gives', () => {
  it.each(CASES)('%s', (_title, spec, from, to, filter) => {
    const result = project(spec, from, filter);
    expect(result).toEqual(doc(to));
    expect([...result.keys()]).toEqual(Object.keys(to));
  });

  it.each(REFUSED)('%s is refused', (_title, spec, code) => {
    expect(codeOf(() => parseProjection(doc(spec)))).toBe(code);
  });

  it('a positional one without a match is refused', () => {
    expect(codeOf(() => project({ 'a.$': 1 }, { a: [1] }, { b: null }))).toBe(51246);
  });
});
