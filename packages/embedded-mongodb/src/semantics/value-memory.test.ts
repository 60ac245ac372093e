import { expect, test } from 'vitest';
import { codeOf, value } from '../../test/shorthand.ts';
import type { BsonValue } from '../bson/document.ts';
import { memoryOf, spendForValue } from './value-memory.ts';

test('the memory of a value counts once per reference', () => {
  const once = value(Array.from({ length: 1000 }, (_, n) => n));
  const twice: BsonValue = [once, once];
  expect(memoryOf(twice)).toBeGreaterThan(2 * memoryOf(once));
});

test('a value with 2^40 references is rejected without visiting each reference', () => {
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
