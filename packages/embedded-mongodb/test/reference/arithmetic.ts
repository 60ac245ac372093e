import {
  type BsonValue,
  Decimal128,
  Double,
  Int32,
  Long,
  type NumericValue,
} from '../../src/bson/document.ts';
import {
  addExact,
  compareExact,
  decimal,
  divideDecimal,
  type Exact,
  exactAsDecimal,
  exactly,
  exactTo34Digits,
  type Finite,
  fitsLong,
  intOrLong,
  isFiniteNumber,
  isNumber,
  isZero,
  long,
  multiplyExact,
  negate,
  ofBigInt,
  ofDouble,
  power10,
  type Rounding,
  remainderExact,
  roundTo,
  toDouble,
  truncate,
  wholeNumber,
} from './numbers.ts';
import type { Maybe } from './order.ts';
import { rejectUnless, Undetermined } from './rejected.ts';

export const isNullish = (value: Maybe): value is null | undefined => value === null || value === undefined;
const doubleOf = (value: NumericValue): number => toDouble(exactly(value));
const bigIntOf = (value: NumericValue): bigint => truncate(exactly(value) as Exclude<Exact, string>);
const isDecimal = (value: unknown): value is Decimal128 => value instanceof Decimal128;
const isDouble = (value: unknown): value is Double => value instanceof Double;
const isInteger = (value: unknown): boolean =>
  value instanceof Int32 || (isNumber(value) && value instanceof Long);

/** The result of adding or multiplying integers: a long if an operand is a long, a double if it does not fit. */
function integerResult(exact: bigint, operands: readonly NumericValue[]): NumericValue | undefined {
  if (!fitsLong(exact)) return undefined;
  return operands.some((operand) => operand instanceof Long) ? long(exact) : intOrLong(exact);
}

/**
 * `$add` of numbers, from left to right: exact for integers until they do not fit in a long, then doubles, and decimals
 * from the first decimal on.
 */
export function add(operands: readonly NumericValue[]): NumericValue {
  let total: NumericValue = new Int32(0);
  for (const operand of operands) total = addTwo(total, operand);
  return ofWidestType(total, operands);
}

/** The type is that of the widest operand, however large a result in between was. */
function ofWidestType(result: NumericValue, operands: readonly NumericValue[]): NumericValue {
  const isOfInts = result instanceof Long && operands.every((operand) => operand instanceof Int32);
  return isOfInts ? intOrLong(bigIntOf(result)) : result;
}

function addTwo(a: NumericValue, b: NumericValue): NumericValue {
  if (isDecimal(a) || isDecimal(b)) return decimal(addExact(exactAsDecimal(a), exactAsDecimal(b)));
  if (isInteger(a) && isInteger(b)) {
    const sum = integerResult(bigIntOf(a) + bigIntOf(b), [a, b]);
    if (sum !== undefined) return sum;
  }
  return new Double(doubleOf(a) + doubleOf(b));
}

/** Multiplies both as integers and as doubles, in case a double follows or the product does not fit in a long. */
export function multiply(operands: readonly NumericValue[]): NumericValue {
  let product: NumericValue = new Int32(1);
  let double = 1;
  for (const operand of operands) {
    double *= doubleOf(operand);
    product = multiplyTwo(product, operand, double);
  }
  return ofWidestType(product, operands);
}

function multiplyTwo(a: NumericValue, b: NumericValue, double: number): NumericValue {
  if (isDecimal(a) || isDecimal(b)) return decimal(multiplyExact(exactAsDecimal(a), exactAsDecimal(b)));
  if (isInteger(a) && isInteger(b)) {
    const product = integerResult(bigIntOf(a) * bigIntOf(b), [a, b]);
    if (product !== undefined) return product;
  }
  return new Double(double);
}

export function subtract(a: NumericValue, b: NumericValue): NumericValue {
  if (isDecimal(a) || isDecimal(b)) return decimal(addExact(exactAsDecimal(a), negate(exactAsDecimal(b))));
  if (isInteger(a) && isInteger(b)) {
    const difference = integerResult(bigIntOf(a) - bigIntOf(b), [a, b]);
    if (difference !== undefined) return difference;
  }
  return new Double(doubleOf(a) - doubleOf(b));
}

export function divide(a: NumericValue, b: NumericValue): NumericValue {
  rejectUnless(!isZero(exactly(b)), "can't $divide by zero");
  if (isDecimal(a) || isDecimal(b)) return decimal(divideDecimal(exactAsDecimal(a), exactAsDecimal(b)));
  return new Double(doubleOf(a) / doubleOf(b));
}

/** Before 7.2, a whole double that fits in an int counts as an int divisor. */
export function remainder(a: NumericValue, b: NumericValue): NumericValue {
  rejectUnless(!isZero(exactly(b)), "can't $mod by zero");
  if (isDecimal(a) || isDecimal(b)) return decimal(remainderExact(exactAsDecimal(a), exactAsDecimal(b)));
  const whole = wholeNumber(b);
  const isIntDivisor = whole !== undefined && whole >= -(2n ** 31n) && whole < 2n ** 31n;
  if (isDouble(a) || (isDouble(b) && !isIntDivisor)) return new Double(doubleOf(a) % doubleOf(b));
  const result = bigIntOf(a) % bigIntOf(b);
  return isNumber(a) && (a instanceof Long || b instanceof Long) ? long(result) : intOrLong(result);
}

export function absolute(value: NumericValue): NumericValue {
  const exact = exactly(value);
  if (isDouble(value)) return new Double(Math.abs(value.value));
  if (isDecimal(value))
    return decimal(
      isFiniteNumber(exact) ? { ...exact, isNegative: false } : exact === 'NaN' ? exact : 'Infinity',
    );
  const magnitude = bigIntOf(value) < 0n ? -bigIntOf(value) : bigIntOf(value);
  rejectUnless(fitsLong(magnitude), "can't take $abs of long long min", 28680);
  return value instanceof Long ? long(magnitude) : intOrLong(magnitude);
}

/** The value rounded to a multiple of 10^-places. */
export function roundValue(value: NumericValue, places: number, rounding: Rounding): NumericValue {
  const exact = isDouble(value) ? exactTo34Digits(value.value) : exactly(value);
  if (!isFiniteNumber(exact) || (isInteger(value) && places >= 0)) return value;
  const rounded = roundTo(exact, -places, rounding);
  // MongoDB's result would have more digits than fit in a decimal.
  if (rounded.digits >= power10(34)) throw new Undetermined('rounding to more than 34 digits');
  if (isDecimal(value)) return decimal(rounded);
  if (isDouble(value)) return new Double(toDouble(rounded));
  const whole = truncate(rounded);
  rejectUnless(fitsLong(whole), 'invalid conversion from Decimal128 result', 51080);
  return value instanceof Long ? long(whole) : intOrLong(whole);
}

/** `$floor` and `$ceil`. An integer does not change. */
export function roundToWhole(value: NumericValue, rounding: 'floor' | 'ceiling'): NumericValue {
  if (isDouble(value))
    return new Double(rounding === 'floor' ? Math.floor(value.value) : Math.ceil(value.value));
  if (isDecimal(value) && !isFiniteNumber(exactly(value)) && !Number.isNaN(doubleOf(value))) {
    throw new Undetermined('rounding an infinite decimal');
  }
  return roundValue(value, 0, rounding);
}

/**
 * Adds doubles with about twice their precision: a second double holds the rounding errors. It only affects the result
 * if decimals follow.
 */
class DoubleSum {
  high = 0;
  low = 0;
  /** The plain sum of doubles, for infinities and NaN. */
  plain = 0;

  add(value: number): void {
    this.plain += value;
    const addend = value + this.low;
    const lostOfAddend = this.low - (addend - value);
    const sum = this.high + addend;
    const addendInSum = sum - this.high;
    this.low = lostOfAddend + (this.high - (sum - addendInSum) + (addend - addendInSum));
    this.high = sum;
  }

  get total(): number {
    return Number.isNaN(this.high) ? this.plain : this.high;
  }
}

function sumOfDoubles(numbers: readonly NumericValue[]): DoubleSum {
  const sum = new DoubleSum();
  for (const number of numbers) {
    // A long may not fit in a double, but its halves do.
    const low = number instanceof Long ? bigIntOf(number) % 2n ** 32n : 0n;
    if (number instanceof Long) sum.add(Number(low));
    sum.add(number instanceof Long ? Number(bigIntOf(number) - low) : doubleOf(number));
  }
  return sum;
}

/** `$sum`. The result has the widest type of the numbers. Sums of integers are exact; decimals round at each addition. */
export function sum(values: readonly Maybe[]): NumericValue {
  const numbers = values.filter(isNumber);
  if (numbers.some(isDecimal)) return decimalSum(numbers);
  if (numbers.some(isDouble)) return new Double(sumOfDoubles(numbers).total);
  const exact = numbers.reduce((total, number) => total + bigIntOf(number), 0n);
  return integerResult(exact, numbers) ?? new Double(sumOfDoubles(numbers).total);
}

function decimalSum(numbers: readonly NumericValue[]): Decimal128 {
  let total = decimal(ofBigInt(0n));
  for (const number of numbers.filter(isDecimal)) total = decimal(addExact(exactly(total), exactly(number)));
  const { high, low, plain } = sumOfDoubles(numbers.filter((number) => !isDecimal(number)));
  const others = Number.isFinite(high)
    ? addExact(exactTo34Digits(high), exactTo34Digits(low))
    : ofDouble(plain);
  return decimal(addExact(exactly(total), exactly(decimal(others))));
}

/** `$avg`: a decimal if one of the numbers is a decimal, otherwise a double; null without numbers. */
export function average(values: readonly Maybe[]): NumericValue | null {
  const numbers = values.filter(isNumber);
  if (numbers.length === 0) return null;
  if (!numbers.some(isDecimal)) return new Double(sumOfDoubles(numbers).total / numbers.length);
  const total = exactly(decimalSum(numbers));
  return decimal(divideDecimal(total, ofBigInt(BigInt(numbers.length))));
}

const isWhole = (exact: Finite): boolean => compareExact(ofBigInt(truncate(exact)), exact) === 0;

/** Milliseconds as the nearest whole number. Versions of MongoDB round halves differently. */
function milliseconds(value: NumericValue): bigint {
  const exact = exactly(value);
  rejectUnless(isFiniteNumber(exact), 'date overflow');
  if (!isWhole(exact) && isWhole({ ...exact, digits: exact.digits * 2n }))
    throw new Undetermined('half a millisecond');
  const rounded = truncate(exact.exponent < 0 ? roundTo(exact, 0) : exact);
  rejectUnless(fitsLong(rounded), 'date overflow');
  return rounded;
}

function dateAt(time: number): Date {
  if (Math.abs(time) > 8.64e15) throw new Undetermined('a date that JavaScript has not');
  return new Date(time);
}

/** `$add` of a date and numbers of milliseconds. Versions of MongoDB differ in when they round several. */
export function addToDate(date: Date, numbers: readonly NumericValue[]): Date {
  const total = add(numbers);
  const fractions = numbers.filter((number) => wholeNumber(number) === undefined);
  if (fractions.length > 1 || (isDecimal(total) && !isFiniteNumber(exactly(total))))
    throw new Undetermined('fractions');
  return dateAt(date.getTime() + Number(milliseconds(total)));
}

/** Versions of MongoDB differ in whether they round or truncate the subtracted number. */
export function subtractFromDate(date: Date, value: NumericValue): Date {
  const exact = exactly(value);
  if (isDecimal(value) && !isFiniteNumber(exact)) throw new Undetermined('a decimal that is no number');
  const whole = milliseconds(value);
  if (isFiniteNumber(exact) && truncate(exact) !== whole)
    throw new Undetermined('a fraction of a millisecond');
  return dateAt(date.getTime() - Number(whole));
}

/** The first of the smallest (or greatest) values, without null and missing values. */
export function extreme(
  values: readonly Maybe[],
  isBetter: (a: BsonValue, b: BsonValue) => boolean,
): BsonValue {
  let best: Maybe;
  for (const value of values) {
    if (isNullish(value)) continue;
    if (best === undefined || isBetter(value, best)) best = value;
  }
  return best ?? null;
}
