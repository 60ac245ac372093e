import type { NumericValue } from '../bson/document.ts';
import { END, type KeyBuffer } from './key-buffer.ts';
import {
  absolute,
  asExactDouble,
  compareExact,
  type ExactDecimal,
  exactDecimalOfDouble,
  exactOf,
  magnitudeOf,
  toNearestDouble,
} from './numbers.ts';

/** The kinds of numbers in ascending order. */
const NUMBER_KIND = { nan: 1, negativeInfinity: 2, negative: 3, zero: 4, positive: 5, infinity: 6 } as const;

const EXACT = 0x00;
const ABOVE_DOUBLE = 0x01;
/** Maps a decimal's power of ten, -6176 to 6145, to an unsigned 16-bit number. */
const MAGNITUDE_BIAS = 0x4000;

/**
 * Writes a number as the nearest double towards zero, followed by its exact digits if it lies beyond that double (a large
 * int64 or a decimal). Numbers of equal value therefore have the same key regardless of their type.
 */
export function writeNumber(key: KeyBuffer, value: NumericValue): void {
  const exact = asExactDouble(value) ?? exactOf(value);
  if (typeof exact === 'number') writeDouble(key, exact);
  else if (exact.coefficient === 0n) writeDouble(key, 0);
  else writeExact(key, exact, toNearestDouble(value));
}

function writeDouble(key: KeyBuffer, double: number): void {
  if (Number.isNaN(double)) key.writeByte(NUMBER_KIND.nan);
  else if (double === Number.POSITIVE_INFINITY) key.writeByte(NUMBER_KIND.infinity);
  else if (double === Number.NEGATIVE_INFINITY) key.writeByte(NUMBER_KIND.negativeInfinity);
  else if (double === 0) key.writeByte(NUMBER_KIND.zero);
  else writeMagnitude(key, double < 0, Math.abs(double));
}

function writeExact(key: KeyBuffer, { coefficient, exponent }: ExactDecimal, nearest: number): void {
  const magnitude = { coefficient: absolute(coefficient), exponent };
  const double = Math.min(Math.abs(nearest), Number.MAX_VALUE);
  const order = compareExact(exactDecimalOfDouble(double), magnitude);
  const below = order > 0 ? nextDoubleDown(double) : double;
  writeMagnitude(key, coefficient < 0n, below, order === 0 ? undefined : magnitude);
}

/** @param beyond the exact value if it is above the double */
function writeMagnitude(key: KeyBuffer, isNegative: boolean, double: number, beyond?: ExactDecimal): void {
  key.writeByte(isNegative ? NUMBER_KIND.negative : NUMBER_KIND.positive);
  const start = key.at;
  key.reserve(9);
  // The bits of positive doubles, read as unsigned integers, sort in the same order.
  key.at = key.buffer.writeDoubleBE(double, key.at);
  key.writeByte(beyond === undefined ? EXACT : ABOVE_DOUBLE);
  if (beyond !== undefined) writeDigits(key, beyond);
  if (isNegative) key.invertFrom(start);
}

function writeDigits(key: KeyBuffer, value: ExactDecimal): void {
  key.reserve(2);
  key.at = key.buffer.writeUInt16BE(magnitudeOf(value) + MAGNITUDE_BIAS, key.at);
  const digits = value.coefficient.toString().replace(/0+$/, '');
  key.writeRaw(Buffer.from(digits, 'latin1'));
  key.writeByte(END);
}

const doubleBits = new DataView(new ArrayBuffer(8));

/** The next smaller double of a positive double. */
function nextDoubleDown(value: number): number {
  doubleBits.setFloat64(0, value);
  doubleBits.setBigUint64(0, doubleBits.getBigUint64(0) - 1n);
  return doubleBits.getFloat64(0);
}
