import { describe, expect, it } from 'vitest';
import { decimal, double, int32, type NumericValue } from '../bson/document.ts';
import { MongoError } from '../bson/mongo-error.ts';
import { add, multiply, subtract } from './arithmetic.ts';
import { truncatedToInt64, wholeNumber } from './numbers.ts';

it.each([add, subtract, multiply])('%o rejects a decimal with NotImplemented (238)', (operation) => {
  expect(() => operation(int32(1), decimal('1'))).toThrow(MongoError);
  expect(() => operation(decimal('1'), int32(1))).toThrow('is outside the scope of embedded-mongodb');
});

describe('the integer in a number', () => {
  it.each<[NumericValue, truncated: bigint | undefined, whole: bigint | undefined]>([
    [int32(-5), -5n, -5n],
    [double(5.9), 5n, undefined],
    [double(-5.9), -5n, undefined],
    [double(2 ** 62), 2n ** 62n, 2n ** 62n],
    [double(2 ** 63), undefined, undefined],
    [double(-(2 ** 63)), -(2n ** 63n), -(2n ** 63n)],
    [double(Number.NaN), undefined, undefined],
    [decimal('1E+3'), 1000n, 1000n],
    [decimal('1E-6176'), 0n, undefined],
    [decimal('1E+6000'), undefined, undefined],
    [decimal('-0.0'), 0n, 0n],
  ])('%o', (number, truncated, whole) => {
    expect(truncatedToInt64(number)).toBe(truncated);
    expect(wholeNumber(number)).toBe(whole);
  });
});
