import { describe, expect, it } from 'vitest';
import { Decimal128, decimal, double, int32, long, type NumericValue } from '../bson/document.ts';
import {
  add,
  divideDecimals,
  multiply,
  remainderOfDecimals,
  roundToDecimal,
  subtract,
  toDecimal,
} from './arithmetic.ts';
import { type ExactDecimal, exactDecimal, truncatedToInt64, wholeNumber } from './numbers.ts';
import { quantize, quantizeDecimal, type Rounding } from './quantize.ts';

const text = (value: NumericValue | undefined) => (value instanceof Decimal128 ? value.toString() : value);

describe('arithmetic of decimals', () => {
  it.each<[typeof add, a: string, b: string, result: string]>([
    [add, '0.1', '0.20', '0.30'],
    [add, '1', '-1', '0'],
    [add, '-0', '-0', '-0'],
    [add, '-0', '0', '0'],
    [add, '1E+6000', '1E-6000', '1.000000000000000000000000000000000E+6000'],
    [add, '1E+6000', '-1E-6000', '1.000000000000000000000000000000000E+6000'],
    [add, '0E+6000', '1E-6000', '1E-6000'],
    [add, 'Infinity', '-Infinity', 'NaN'],
    [add, '9999999999999999999999999999999999', '1', '1.000000000000000000000000000000000E+34'],
    [subtract, '0', '0', '0'],
    [subtract, '-0', '0', '-0'],
    [subtract, '1', 'Infinity', '-Infinity'],
    [multiply, '-2', '0.0', '-0.0'],
    [multiply, '1E-4000', '-1E-4000', '-0E-6176'],
    [multiply, '1E+4000', '-1E+4000', '-Infinity'],
    [multiply, '0E+6111', '1E+6111', '0E+6111'],
    [multiply, '0', 'Infinity', 'NaN'],
  ])('%o of %s and %s is %s', (operation, a, b, result) => {
    expect(text(operation(decimal(a), decimal(b)))).toBe(result);
  });

  it.each<[typeof divideDecimals, a: string, b: string, result: string]>([
    [divideDecimals, '1', '3', '0.3333333333333333333333333333333333'],
    [divideDecimals, '-2', '3', '-0.6666666666666666666666666666666667'],
    [divideDecimals, '1', '8', '0.125'],
    [divideDecimals, '2.40', '2', '1.20'],
    [divideDecimals, '1E+5', '8', '1.25E+4'],
    [divideDecimals, '0', '-5', '-0'],
    [divideDecimals, '5', 'NaN', 'NaN'],
    [divideDecimals, '-1', 'Infinity', '-0E-6176'],
    [remainderOfDecimals, '5.5', '2', '1.5'],
    [remainderOfDecimals, '-5.5', '2', '-1.5'],
    [remainderOfDecimals, '-4', '2', '-0'],
    [remainderOfDecimals, '4', 'Infinity', '4'],
    [remainderOfDecimals, 'Infinity', '4', 'NaN'],
    [remainderOfDecimals, '4', 'NaN', 'NaN'],
  ])('%o of %s and %s is %s', (operation, a, b, result) => {
    expect(text(operation(decimal(a), decimal(b)))).toBe(result);
  });

  it.each<[coefficient: bigint, rounded: string]>([
    [10n ** 34n + 5n, '1.000000000000000000000000000000000E+34'],
    [10n ** 34n + 15n, '1.000000000000000000000000000000002E+34'],
    [-(10n ** 34n) - 6n, '-1.000000000000000000000000000000001E+34'],
  ])('%i rounds to %s, ties to the even digit', (coefficient, rounded) => {
    expect(roundToDecimal({ coefficient, exponent: 0 }).toString()).toBe(rounded);
  });

  it.each<[NumericValue, string]>([
    [int32(-7), '-7'],
    [long(2n ** 63n - 1n), '9223372036854775807'],
    [double(0.1), '0.100000000000000'],
    [double(3), '3.00000000000000'],
    [double(-0), '-0'],
    [double(1e21), '1.00000000000000E+21'],
    [double(5e-324), '4.94065645841247E-324'],
    [double(100000000000000.5), '100000000000000'],
    [double(Number.NEGATIVE_INFINITY), '-Infinity'],
    [double(Number.NaN), 'NaN'],
    [decimal('1.50'), '1.50'],
  ])('%o becomes the decimal %s', (number, expected) => {
    expect(toDecimal(number).toString()).toBe(expected);
  });
});

describe('arithmetic of other numbers', () => {
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

describe('a decimal quantized to whole numbers', () => {
  it.each<[text: string, Record<Rounding, bigint>]>([
    ['2.5', { halfToEven: 2n, towardZero: 2n, up: 3n, down: 2n }],
    ['3.5', { halfToEven: 4n, towardZero: 3n, up: 4n, down: 3n }],
    ['-2.5', { halfToEven: -2n, towardZero: -2n, up: -2n, down: -3n }],
    ['-2.51', { halfToEven: -3n, towardZero: -2n, up: -2n, down: -3n }],
    ['1E+2', { halfToEven: 100n, towardZero: 100n, up: 100n, down: 100n }],
  ])('%s', (text, expected) => {
    for (const [rounding, whole] of Object.entries(expected))
      expect(quantize(exactDecimal(decimal(text)) as ExactDecimal, 0, rounding as Rounding)).toBe(whole);
  });

  it.each<[text: string, digits: number, quantized: string | undefined]>([
    ['1.255', 2, '1.26'],
    ['-0.004', 2, '-0.00'],
    ['5', 2, '5.00'],
    ['NaN', 2, 'NaN'],
    ['1E+33', 2, undefined],
  ])('%s with %i digits is %s', (text, digits, quantized) => {
    expect(quantizeDecimal(decimal(text), digits, 'halfToEven')?.toString()).toBe(quantized);
  });
});
