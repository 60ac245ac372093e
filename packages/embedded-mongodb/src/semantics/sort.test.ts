import { expect, it } from 'vitest';
import { doc, value } from '../../test/shorthand.ts';
import { parseSort, sortDocuments } from './sort.ts';

/* conformance/projection-and-sort.test.ts covers the order of each sort. */

it('documents that compare as equal keep their order', () => {
  const documents = [
    doc({ a: 2, n: 1 }),
    doc({ a: 1, n: 2 }),
    doc({ a: 1.0, n: 3 }),
    doc({ n: 4 }),
    doc({ a: null, n: 5 }),
  ];
  const sorted = sortDocuments(documents, parseSort(doc({ a: 1 })));
  expect(sorted.map((document) => document.get('n'))).toEqual([4, 5, 2, 3, 1].map(value));
});
