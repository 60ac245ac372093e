import { describe, expect, it } from 'vitest';
import { decimal, double, int32, long, type NumericValue } from '../bson/document.ts';
import { MongoError } from '../bson/mongo-error.ts';
import { add, multiply, subtract } from './arithmetic.ts';
import { truncatedToInt64, wholeNumber } from './numbers.ts';

it.each([add, subtract, multiply])('%o rejects a decimal with NotImplemented (238)', (operation) => {
  expect(() => operation(int32(1), decimal('1'))).toThrow(MongoError);
  expect(() => operation(decimal('1'), int32(1))).toThrow('is outside the scope of embedded-mongodb');
});

describe('arithmetic of numbers', () => {
  it.each<[typeof add, NumericValue, NumericValue, NumericValue | undefined]>([
    [add, int32(1), int32(2), int32(3)],
    [add, int32(2147483647), int32(1), long(2147483648n)],
    [add, int32(1), long(1), long(2)],
    [add, long(2n ** 63n - 1n), int32(1), undefined],
    [subtract, int32(-2147483648), int32(1), long(-2147483649n)],
    [multiply, long(2n ** 62n), int32(2), undefined],
    [multiply, int32(2), double(1.5), double(3)],
    [add, long(2n ** 53n + 1n), double(0), double(2 ** 53)],
  ])('%o of %o and %o', (operation, a, b, expected) => {
    expect(operation(a, b)).toEqual(expected);
  });
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
