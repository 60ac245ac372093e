import { describe, expect, it } from 'vitest';
import { codeOf, doc, type Shorthand, value } from '../../../test/shorthand.ts';
import { type Document, double, long } from '../../bson/document.ts';
import { type PipelineContext, parsePipeline, runPipeline } from '../pipeline.ts';

type Fields = { [name: string]: Shorthand };

const CONTEXT: PipelineContext = { now: new Date(0), variables: new Map() };

function run(stage: Shorthand, documents: Fields[]): Document[] {
  return [...runPipeline(parsePipeline(value([{ $setWindowFields: stage }]), CONTEXT), documents.map(doc))];
}

/** The field `x` of each document after the stage, in the order of `_id`. */
function computed(stage: Fields, documents: Fields[]): (unknown | undefined)[] {
  const result = run(stage, documents).toSorted((a, b) => Number(a.get('_id')) - Number(b.get('_id')));
  return result.map((document) => document.get('x'));
}

const SALES: Fields[] = [
  { _id: 1, shop: 'a', day: 1, n: 10 },
  { _id: 2, shop: 'b', day: 1, n: 5 },
  { _id: 3, shop: 'a', day: 2, n: 20 },
  { _id: 4, shop: 'a', day: 4, n: 30 },
  { _id: 5, shop: 'b', day: 2, n: 5 },
];
const BY_DAY = { partitionBy: '$shop', sortBy: { day: 1 } };

const CASES: [title: string, stage: Fields, expected: Shorthand[]][] = [
  [
    'a sum over the whole partition',
    { partitionBy: '$shop', output: { x: { $sum: '$n' } } },
    [60, 10, 60, 60, 10],
  ],
  ['a sum over all documents', { output: { x: { $sum: '$n' } } }, [70, 70, 70, 70, 70]],
  [
    'a running sum',
    { ...BY_DAY, output: { x: { $sum: '$n', window: { documents: ['unbounded', 'current'] } } } },
    [10, 5, 30, 60, 10],
  ],
  [
    'what is still to come',
    { ...BY_DAY, output: { x: { $sum: '$n', window: { documents: ['current', 'unbounded'] } } } },
    [60, 10, 50, 30, 5],
  ],
  [
    'a moving average',
    { ...BY_DAY, output: { x: { $avg: '$n', window: { documents: [-1, 0] } } } },
    [double(10), double(5), double(15), double(25), double(5)],
  ],
  [
    'neighbours, without the document itself',
    { ...BY_DAY, output: { x: { $push: '$n', window: { documents: [1, 2] } } } },
    [[20, 30], [5], [30], [], []],
  ],
  [
    'an empty window',
    { ...BY_DAY, output: { x: { $min: '$n', window: { documents: [5, 6] } } } },
    [null, null, null, null, null],
  ],
  [
    'a running list, each of its own',
    { ...BY_DAY, output: { x: { $push: '$n', window: { documents: ['unbounded', 'current'] } } } },
    [[10], [5], [10, 20], [10, 20, 30], [5, 5]],
  ],
  [
    'a range of values',
    { ...BY_DAY, output: { x: { $count: {}, window: { range: [-1, 0] } } } },
    [1, 1, 2, 1, 2],
  ],
  [
    'a range from the beginning, ties included',
    { sortBy: { day: 1 }, output: { x: { $sum: '$n', window: { range: ['unbounded', 'current'] } } } },
    [15, 15, 40, 70, 40],
  ],
  ['the lowest', { partitionBy: '$shop', output: { x: { $min: '$n' } } }, [10, 5, 10, 10, 5]],
  ['the highest', { partitionBy: '$shop', output: { x: { $max: '$n' } } }, [30, 5, 30, 30, 5]],
  ['the first', { ...BY_DAY, output: { x: { $first: '$n' } } }, [10, 5, 10, 10, 5]],
  ['the last', { ...BY_DAY, output: { x: { $last: '$n' } } }, [30, 5, 30, 30, 5]],
  ['the rank', { sortBy: { n: 1 }, output: { x: { $rank: {} } } }, [3, 1, 4, 5, 1].map(long)],
  ['the dense rank', { sortBy: { n: 1 }, output: { x: { $denseRank: {} } } }, [2, 1, 3, 4, 1].map(long)],
  ['the number', { ...BY_DAY, output: { x: { $documentNumber: {} } } }, [1, 1, 2, 3, 2].map(long)],
  [
    'the one before',
    { ...BY_DAY, output: { x: { $shift: { output: '$n', by: -1, default: 'none' } } } },
    ['none', 'none', 10, 20, 5],
  ],
  [
    'the one after, null where there is none',
    { ...BY_DAY, output: { x: { $shift: { output: '$n', by: 1 } } } },
    [20, 5, 30, null, null],
  ],
  [
    'a descending order',
    { sortBy: { day: -1 }, output: { x: { $documentNumber: {} } } },
    [4, 5, 2, 1, 3].map(long),
  ],
];

describe('$setWindowFields', () => {
  it.each(CASES)('%s', (_, stage, expected) => {
    expect(computed(stage, SALES)).toEqual(expected.map(value));
  });

  it('takes ranges of dates by a unit, months by the calendar', () => {
    const at = (text: string) => new Date(text);
    const documents = [at('2024-01-31'), at('2024-02-29'), at('2024-03-30')].map((day, index) => ({
      _id: index,
      day,
    }));
    const window = (unit: string, least: number) => ({
      sortBy: { day: 1 },
      output: { x: { $count: {}, window: { range: [least, 'current'], unit } } },
    });
    expect(computed(window('month', -1), documents)).toEqual([1, 2, 2].map((n) => value(n)));
    expect(computed(window('day', -29), documents)).toEqual([1, 2, 1].map((n) => value(n)));
  });

  it('carries the last value forward', () => {
    const documents: Fields[] = [{ _id: 1, v: 'a' }, { _id: 2, v: null }, { _id: 3 }, { _id: 4, v: 'b' }];
    expect(computed({ sortBy: { _id: 1 }, output: { x: { $locf: '$v' } } }, documents)).toEqual([
      'a',
      'a',
      'a',
      'b',
    ]);
  });

  it('sets nested fields as $addFields does, and gives partition after partition in order', () => {
    const result = run({ ...BY_DAY, output: { 'a.b': { $count: {} } } }, SALES);
    expect(result.map((document) => Number(document.get('_id')))).toEqual([1, 3, 4, 2, 5]);
    expect(result[0]).toEqual(doc({ ...(SALES[0] as Fields), a: { b: 3 } }));
  });

  it.each<[string, Fields, number]>([
    ['no output', { sortBy: { a: 1 } }, 40414],
    ['an unknown option', { output: {}, frobnicate: 1 }, 40415],
    ['an unknown function', { output: { x: { $frobnicate: 1 } } }, 9],
    ['two functions', { output: { x: { $sum: 1, $avg: 1 } } }, 9],
    [
      'a documents window without a sort',
      { output: { x: { $sum: 1, window: { documents: [-1, 0] } } } },
      5339901,
    ],
    ['a range without a sort', { output: { x: { $sum: 1, window: { range: [-1, 0] } } } }, 5339902],
    [
      'a range over a descending sort',
      { sortBy: { a: -1 }, output: { x: { $sum: 1, window: { range: [-1, 0] } } } },
      5339902,
    ],
    [
      'bounds that are the wrong way round',
      { sortBy: { a: 1 }, output: { x: { $sum: 1, window: { documents: [1, -1] } } } },
      5339900,
    ],
    ['a rank without a sort', { output: { x: { $rank: {} } } }, 5371602],
    ['a rank with an operand', { sortBy: { a: 1 }, output: { x: { $rank: { a: 1 } } } }, 5371603],
    ['a derivative, which is not served', { sortBy: { a: 1 }, output: { x: { $derivative: {} } } }, 238],
    [
      'a range over text',
      { sortBy: { shop: 1 }, output: { x: { $sum: 1, window: { range: [-1, 0] } } } },
      5429414,
    ],
    [
      'a unit over numbers',
      { sortBy: { day: 1 }, output: { x: { $sum: 1, window: { range: [-1, 0], unit: 'day' } } } },
      5429513,
    ],
  ])('refuses %s', (_, stage, code) => {
    expect(codeOf(() => run(stage, SALES))).toBe(code);
  });
});
