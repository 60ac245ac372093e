import { expect, test } from 'vitest';
import { codeOf, value } from '../../test/shorthand.ts';
import type { BsonValue } from '../bson/document.ts';
import { memoryOf, spendForValue } from './value-memory.ts';

test('measures a value as often as it is referred to', () => {
  const once = value(Array.from({ length: 1000 }, (_, n) => n));
  const twice: BsonValue = [once, once];
  expect(memoryOf(twice)).toBeGreaterThan(2 * memoryOf(once));
});

test('measures a value of 2^40 references in no time, and rejects it', () => {
  let doubled = value({ n: 1 });
  const double = () => {
    for (let level = 0; level < 40; level++)
      doubled = spendForValue(
        new Map([
          ['a', doubled],
          ['b', doubled],
        ]),
      );
  };
  expect(codeOf(double)).toBe(10334);
});
