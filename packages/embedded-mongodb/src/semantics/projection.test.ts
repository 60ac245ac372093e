import { expect, it } from 'vitest';
import { codeOf, doc } from '../../test/shorthand.ts';
import { scopeOf } from '../aggregation/scope.ts';
import { int32 } from '../bson/document.ts';
import { applyProjection, type Projection, parseProjection } from './projection.ts';

/* conformance/projection-and-sort.test.ts covers the results of each form of projection. */

it('a projection evaluates $$NOW to the time of the command', () => {
  const projection = parseProjection(doc({ at: '$$NOW' })) as Projection;
  expect(applyProjection(projection, scopeOf(doc({ _id: 1 }), new Date(5)))).toEqual(
    doc({ _id: 1, at: new Date(5) }),
  );
});

it('an empty projection returns whole documents, and a projection that is not a document is rejected', () => {
  expect(parseProjection(new Map())).toBe(undefined);
  expect(codeOf(() => parseProjection(int32(1)))).toBe(14);
});
