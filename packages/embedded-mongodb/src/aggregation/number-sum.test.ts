import fc from 'fast-check';
import { expect, it } from 'vitest';
import { long, type NumericValue } from '../bson/document.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import { NumberSum } from './number-sum.ts';

function totalOf(numbers: readonly NumericValue[]): NumericValue {
  const sum = new NumberSum();
  for (const number of numbers) sum.add(number);
  return sum.result();
}

const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);

it('a sum is exact if it fits in an int64', () => {
  fc.assert(
    fc.property(fc.array(int64, { minLength: 1, maxLength: 50 }), (integers) => {
      const exact = integers.reduce((a, b) => a + b, 0n);
      const total = totalOf(integers.map((value) => long(value)));
      if (BigInt.asIntN(64, exact) === exact) expect(total).toEqual(long(exact));
      else expect(toNearestDouble(total) / Number(exact)).toBeCloseTo(1, 14);
    }),
  );
});
