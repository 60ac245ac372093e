import { expect, it } from 'vitest';
import { codeOf, doc, type Shorthand, value } from '../../test/shorthand.ts';
import { parseFilter } from './filter.ts';

/* conformance/query.test.ts covers what each operator matches. */

it('a parsed filter lists the conditions that must hold in one flat list for the planner', () => {
  const node = parseFilter(doc({ a: 1, $and: [{ b: { $gt: 1, $lt: 5 } }, { c: { $in: [1] } }] }));
  expect(node.kind === 'and' && node.children.map((child) => child.kind === 'path' && child.path)).toEqual([
    'a',
    'b',
    'b',
    'c',
  ]);
});

it.each<[string, (inner: Shorthand) => Shorthand, innermost: Shorthand]>([
  ['$and', (inner) => ({ $and: [inner] }), { a: 1 }],
  ['$not', (inner) => ({ a: { $not: (inner as { a: Shorthand }).a } }), { a: { $eq: 1 } }],
])('a parsed filter rejects %s nested deeper than 100 levels', (_operator, wrap, innermost) => {
  const nested = (levels: number) => {
    let filter = innermost;
    for (let level = 0; level < levels; level++) filter = wrap(filter);
    return value(filter);
  };
  expect(() => parseFilter(nested(40))).not.toThrow();
  expect(codeOf(() => parseFilter(nested(110)))).toBe(2);
});
