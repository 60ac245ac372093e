import { describe, expect, it } from 'vitest';
import { codeOf, doc, type Shorthand, value } from '../../../test/shorthand.ts';
import type { Document } from '../../bson/document.ts';
import { parsePipeline, runPipeline } from '../pipeline.ts';

function run(operand: Shorthand, numbers: Shorthand[]): Document[] {
  const stages = parsePipeline(value([{ $bucketAuto: operand }]), { now: new Date(0), variables: new Map() });
  return [
    ...runPipeline(
      stages,
      numbers.map((n) => doc({ n })),
    ),
  ];
}

const bucket = (min: Shorthand, max: Shorthand, count: number) => doc({ _id: { min, max }, count });

describe('$bucketAuto', () => {
  it.each<[string, Shorthand[], number, Document[]]>([
    ['even shares', [4, 1, 3, 2], 2, [bucket(1, 3, 2), bucket(3, 4, 2)]],
    ['a rest, for the last', [1, 2, 3, 4, 5], 2, [bucket(1, 4, 3), bucket(4, 5, 2)]],
    ['equal values, which stay together', [1, 2, 2, 2, 3], 3, [bucket(1, 3, 4), bucket(3, 3, 1)]],
    ['fewer documents than buckets', [1, 2], 5, [bucket(1, 2, 1), bucket(2, 2, 1)]],
    ['no documents', [], 3, []],
    ['values of several types', [1, 'a'], 2, [bucket(1, 'a', 1), bucket('a', 'a', 1)]],
  ])('%s', (_, numbers, buckets, expected) => {
    expect(run({ groupBy: '$n', buckets }, numbers)).toEqual(expected);
  });

  it('computes what is asked for', () => {
    expect(run({ groupBy: '$n', buckets: 1, output: { all: { $push: '$n' } } }, [2, 1])).toEqual([
      doc({ _id: { min: 1, max: 2 }, all: [1, 2] }),
    ]);
  });

  it.each<[Shorthand, number]>([
    [5, 40240],
    [{ groupBy: '$n', buckets: 2, x: 1 }, 40245],
    [{ groupBy: '$n' }, 40246],
    [{ groupBy: 5, buckets: 2 }, 40239],
    [{ groupBy: '$n', buckets: 'x' }, 40241],
    [{ groupBy: '$n', buckets: 0 }, 40243],
    [{ groupBy: '$n', buckets: 2, granularity: 'R5' }, 238],
  ])('%j is refused with %i', (operand, code) => {
    expect(codeOf(() => run(operand, [1]))).toBe(code);
  });
});
