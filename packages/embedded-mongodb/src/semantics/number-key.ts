import { Decimal128 } from 'bson';
import type { Long, NumericValue } from '../bson/document.ts';
import { END, type KeyBuffer } from './key-buffer.ts';
import {
  asExactDouble,
  compareExact,
  type ExactDecimal,
  exactDecimal,
  exactDecimalOfDouble,
  magnitudeOf,
} from './numbers.ts';

/** Kinds of number, in their order. */
const NUMBER_KIND = { nan: 1, negativeInfinity: 2, negative: 3, zero: 4, positive: 5, infinity: 6 } as const;

const EXACT = 0x00;
const ABOVE_DOUBLE = 0x01;
/** Moves a decimal's power of ten, -6176 to 6145, into an unsigned 16-bit number. */
const MAGNITUDE_BIAS = 0x4000;

/**
 * A number is the double next to it towards zero; and, where it lies beyond that double (a large int64,
 * a decimal), its own digits. Numbers of one exact value thus have one key whatever their type.
 */
export function writeNumber(key: KeyBuffer, value: NumericValue): void {
  const double = asExactDouble(value);
  if (double !== undefined) {
    writeDouble(key, double, undefined);
    return;
  }
  if (value instanceof Decimal128) {
    writeDecimal(key, value);
    return;
  }
  writeRounded(key, { coefficient: (value as Long).toBigInt(), exponent: 0 }, (value as Long).toNumber());
}

function writeDecimal(key: KeyBuffer, value: Decimal128): void {
  const exact = exactDecimal(value);
  const nearest = Number(value.toString());
  if (exact === undefined) {
    writeDouble(key, nearest, undefined);
    return;
  }
  if (exact.coefficient === 0n) {
    writeDouble(key, 0, undefined);
    return;
  }
  writeRounded(key, exact, nearest);
}

function writeRounded(key: KeyBuffer, exact: ExactDecimal, nearest: number): void {
  const isNegative = exact.coefficient < 0n;
  const magnitude: ExactDecimal = {
    coefficient: isNegative ? -exact.coefficient : exact.coefficient,
    exponent: exact.exponent,
  };
  let below = Math.min(Math.abs(nearest), Number.MAX_VALUE);
  let order = compareExact(exactDecimalOfDouble(below), magnitude);
  if (order > 0) {
    below = nextDoubleDown(below);
    order = -1;
  }
  writeDouble(key, isNegative ? -below : below, order === 0 ? undefined : magnitude, isNegative);
}

function writeDouble(
  key: KeyBuffer,
  double: number,
  beyond: ExactDecimal | undefined,
  isNegative = double < 0,
): void {
  if (Number.isNaN(double)) {
    key.writeByte(NUMBER_KIND.nan);
    return;
  }
  if (double === Number.POSITIVE_INFINITY) {
    key.writeByte(NUMBER_KIND.infinity);
    return;
  }
  if (double === Number.NEGATIVE_INFINITY) {
    key.writeByte(NUMBER_KIND.negativeInfinity);
    return;
  }
  if (double === 0 && beyond === undefined) {
    key.writeByte(NUMBER_KIND.zero);
    return;
  }
  key.writeByte(isNegative ? NUMBER_KIND.negative : NUMBER_KIND.positive);
  const start = key.at;
  key.reserve(9);
  // The bits of a positive double sort as an unsigned integer.
  key.at = key.buffer.writeDoubleBE(Math.abs(double), key.at);
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

/** The next smaller double; for positive ones. */
function nextDoubleDown(value: number): number {
  doubleBits.setFloat64(0, value);
  doubleBits.setBigUint64(0, doubleBits.getBigUint64(0) - 1n);
  return doubleBits.getFloat64(0);
}
