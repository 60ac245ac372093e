import { describe, expect, it } from 'vitest';
import { codeOf, type Shorthand, value } from '../../test/shorthand.ts';
import { Binary, type BsonValue, decimal, double, long, Timestamp } from '../bson/document.ts';
import { compileExpression } from './expression.ts';

function evaluate(expression: Shorthand): BsonValue | undefined {
  const scope = { root: new Map(), now: new Date(0), variables: new Map() };
  return compileExpression(value(expression))(scope);
}

type Case = [expression: Shorthand, expected: Shorthand];
const MOST_LONG = 2n ** 63n - 1n;

const POWERS: Case[] = [
  [{ $pow: [2, 10] }, 1024],
  [{ $pow: [2, 31] }, long(2n ** 31n)],
  [{ $pow: [long(2), 3] }, long(8)],
  [{ $pow: [2, 64] }, double(2 ** 64)],
  [{ $pow: [2, -1] }, double(0.5)],
  [{ $pow: [-1, 1001] }, -1],
  [{ $pow: [-1, -2] }, 1],
  [{ $pow: [0, 0] }, 1],
  [{ $pow: [double(2.5), 2] }, double(6.25)],
  [{ $pow: [null, 2] }, null],
  [{ $log: [8, 2] }, double(3)],
];

const ROUNDINGS: Case[] = [
  [{ $round: [1234.5678, 2] }, double(1234.57)],
  [{ $round: [2.5, 0] }, double(2)],
  [{ $round: [3.5] }, double(4)],
  [{ $round: [0.125, 2] }, double(0.12)],
  // 1.005 is a little less in binary.
  [{ $round: [1.005, 2] }, double(1)],
  [{ $round: [-1.5] }, double(-2)],
  [{ $round: [-0.4] }, double(-0)],
  [{ $round: [12345, -2] }, 12300],
  [{ $round: [12350, -2] }, 12400],
  [{ $round: [12250, -2] }, 12200],
  [{ $round: [2147483647, -1] }, long(2147483650)],
  [{ $round: [long(15), -1] }, long(20)],
  [{ $round: [7, 3] }, 7],
  [{ $round: [decimal('1.25'), 1] }, decimal('1.2')],
  [{ $round: [decimal('-2.5')] }, decimal('-2')],
  [{ $trunc: [1234.5678, 2] }, double(1234.56)],
  [{ $trunc: [-1234.5678, -2] }, double(-1200)],
  [{ $trunc: [199, -2] }, 100],
  [{ $trunc: [decimal('1.999'), 2] }, decimal('1.99')],
  [{ $abs: decimal('-1.50') }, decimal('1.50')],
  [{ $ceil: decimal('-1.5') }, decimal('-1')],
  [{ $ceil: decimal('1.1') }, decimal('2')],
  [{ $floor: decimal('-1.1') }, decimal('-2')],
  [{ $mod: [decimal('5.5'), 2] }, decimal('1.5')],
  [{ $mod: [decimal('-5.5'), decimal('2.25')] }, decimal('-1.00')],
];

const ARRAYS: Case[] = [
  [
    {
      $zip: {
        inputs: [
          [1, 2, 3],
          ['a', 'b'],
        ],
      },
    },
    [
      [1, 'a'],
      [2, 'b'],
    ],
  ],
  [
    { $zip: { inputs: [[1, 2], ['a']], useLongestLength: true, defaults: [0, 'z'] } },
    [
      [1, 'a'],
      [2, 'z'],
    ],
  ],
  [{ $zip: { inputs: [[1], []], useLongestLength: true } }, [[1, null]]],
  [{ $zip: { inputs: [[1], null] } }, null],
  [{ $firstN: { input: [1, 2, 3], n: 2 } }, [1, 2]],
  [{ $lastN: { input: [1, 2, 3], n: 2 } }, [2, 3]],
  [{ $minN: { input: [3, null, 1, 2], n: 2 } }, [1, 2]],
  [{ $maxN: { input: [3, null, 1, 2], n: 5 } }, [3, 2, 1]],
];

const REGEXES: Case[] = [
  [{ $regexFind: { input: 'a cat', regex: 'c(a)(x)?' } }, { match: 'ca', idx: 2, captures: ['a', null] }],
  [{ $regexFind: { input: '🙂 cat', regex: /cat/ } }, { match: 'cat', idx: 2, captures: [] }],
  [{ $regexFind: { input: 'dog', regex: 'cat' } }, null],
  [{ $regexFind: { input: null, regex: 'cat' } }, null],
  [
    { $regexFindAll: { input: 'Cat cat', regex: 'cat', options: 'i' } },
    [
      { match: 'Cat', idx: 0, captures: [] },
      { match: 'cat', idx: 4, captures: [] },
    ],
  ],
  [
    { $regexFindAll: { input: 'ab', regex: 'x*' } },
    [0, 1, 2].map((idx) => ({ match: '', idx, captures: [] })),
  ],
  [{ $regexFindAll: { input: null, regex: 'cat' } }, []],
  [{ $regexMatch: { input: 'a cat', regex: '^a' } }, true],
  [{ $regexMatch: { input: 'a cat', regex: null } }, false],
];

const BITS_AND_SIZES: Case[] = [
  [{ $bitAnd: [12, 10] }, 8],
  [{ $bitOr: [12, long(3)] }, long(15)],
  [{ $bitXor: [12, 10] }, 6],
  [{ $bitXor: [] }, 0],
  [{ $bitNot: 0 }, -1],
  [{ $bitNot: long(MOST_LONG) }, long(-(2n ** 63n))],
  [{ $bitAnd: [null, 1] }, null],
  [{ $bsonSize: { $literal: { a: 1 } } }, 12],
  [{ $bsonSize: null }, null],
  [{ $binarySize: 'é' }, 2],
  [{ $binarySize: new Binary(Buffer.from([1, 2, 3])) }, 3],
  [{ $tsSecond: new Timestamp({ t: 7, i: 2 }) }, long(7)],
  [{ $tsIncrement: new Timestamp({ t: 7, i: 2 }) }, long(2)],
  [{ $indexOfBytes: ['éa', 'a'] }, 2],
  [{ $indexOfBytes: ['abab', 'b', 2] }, 3],
  [{ $indexOfBytes: ['a', 'b'] }, -1],
];

const DATES: Case[] = [
  [{ $dateFromParts: { year: 2024, month: 2, day: 29, hour: 12 } }, new Date('2024-02-29T12:00:00Z')],
  [{ $dateFromParts: { year: 2024 } }, new Date('2024-01-01T00:00:00Z')],
  [{ $dateFromParts: { year: 2024, month: 14, day: 0 } }, new Date('2025-01-31T00:00:00Z')],
  [{ $dateFromParts: { year: 2024, month: 7, timezone: 'Europe/Paris' } }, new Date('2024-06-30T22:00:00Z')],
  [{ $dateFromParts: { year: 2024, month: null } }, null],
  [
    { $dateToParts: { date: new Date('2024-02-29T23:30:00.007Z'), timezone: '+01:00' } },
    { year: 2024, month: 3, day: 1, hour: 0, minute: 30, second: 0, millisecond: 7 },
  ],
];

describe.each([
  ['powers', POWERS],
  ['roundings', ROUNDINGS],
  ['arrays', ARRAYS],
  ['regular expressions', REGEXES],
  ['bits and sizes', BITS_AND_SIZES],
  ['dates', DATES],
])('%s', (_, cases) => {
  it.each(cases)('%j', (expression, expected) => {
    expect(evaluate(expression)).toEqual(value(expected));
  });
});

describe('refusals', () => {
  it.each<[Shorthand, number]>([
    [{ $pow: ['a', 1] }, 28762],
    [{ $pow: [1, 'a'] }, 28763],
    [{ $pow: [0, -1] }, 28764],
    [{ $pow: [decimal('2'), 2] }, 238],
    [{ $log: [-1, 2] }, 28758],
    [{ $log: [1, 1] }, 28759],
    [{ $round: ['a'] }, 28765],
    [{ $round: [1, 1.5] }, 51082],
    [{ $round: [1, 101] }, 51083],
    [{ $round: [long(MOST_LONG), -1] }, 51080],
    [{ $divide: [1, decimal('0.0')] }, 2],
    [{ $zip: 5 }, 34460],
    [{ $zip: { inputs: 5 } }, 34461],
    [{ $zip: { inputs: [] } }, 34465],
    [{ $zip: { inputs: [[1]], defaults: [1] } }, 34466],
    [{ $zip: { inputs: [5] } }, 34468],
    [{ $firstN: { input: 5, n: 1 } }, 5788200],
    [{ $firstN: { input: [], n: 0 } }, 5787908],
    [{ $regexFind: { input: 5, regex: 'a' } }, 51104],
    [{ $regexFind: { input: 'a', regex: 5 } }, 51105],
    [{ $regexFind: { input: 'ab', regex: '(?:(a)|b)*' } }, 238],
    [{ $bitAnd: [1.5] }, 14],
    [{ $bsonSize: 5 }, 31393],
    [{ $dateFromParts: { year: 0 } }, 40523],
    [{ $dateFromParts: { year: 'x' } }, 40515],
  ])('%j is refused with %i', (expression, code) => {
    expect(codeOf(() => evaluate(expression))).toBe(code);
  });
});
