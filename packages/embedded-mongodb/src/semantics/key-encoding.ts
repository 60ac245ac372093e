import {
  type Binary,
  type BSONRegExp,
  BSONSymbol,
  type Code,
  Decimal128,
  type ObjectId,
  type Timestamp,
} from 'bson';
import type { BsonValue, DbPointer, Document, Long, NumericValue } from '../bson/document.ts';
import { TYPE_CLASS, type TypeClass, typeClassOf } from './compare.ts';
import {
  asExactDouble,
  compareExact,
  type ExactDecimal,
  exactDecimal,
  exactDecimalOfDouble,
  magnitudeOf,
} from './numbers.ts';

/*
 * The keys of index entries. Comparing two keys byte by byte (memcmp) gives the order of compareValues,
 * and values that compare as equal have one key. Each value is self-delimiting, so that a compound key is
 * the concatenation of its fields' keys and a prefix of fields is a prefix of bytes. A descending field
 * has all its bits inverted. The first byte tells the type class; it is never 0x00 or 0xff, in either
 * direction, so that 0x00 and 0xff after a prefix stand below and above all that continues it.
 */

export type Direction = 1 | -1;

/** The key of the values, one direction for each of them. */
export function encodeKey(values: readonly BsonValue[], directions: readonly Direction[]): Uint8Array {
  if (values.length > directions.length) throw new RangeError('a key needs a direction for each value');
  const writer = new KeyWriter();
  for (let index = 0; index < values.length; index++) {
    const start = writer.at;
    writer.writeValue(values[index] as BsonValue);
    if (directions[index] === -1) writer.invertFrom(start);
  }
  return writer.finish();
}

/** The key just above all keys that begin with the prefix; the prefix itself is just below or equal to them. */
export function prefixUpperBound(prefix: Uint8Array): Uint8Array {
  const bound = new Uint8Array(prefix.length + 1);
  bound.set(prefix);
  bound[prefix.length] = 0xff;
  return bound;
}

/**
 * The bytes between which the keys of one type class lie, for one field: `lower` is at or below all of them, `upper` above.
 * Comparisons stay within a class: `{$gt: 5}` matches numbers only.
 */
export function typeClassBounds(
  typeClass: TypeClass,
  direction: Direction,
): { lower: Uint8Array; upper: Uint8Array } {
  const byte = direction === 1 ? CLASS_BYTE[typeClass] : CLASS_BYTE[typeClass] ^ 0xff;
  return { lower: Uint8Array.of(byte), upper: Uint8Array.of(byte + 1) };
}

const CLASS_BYTE: Readonly<Record<TypeClass, number>> = {
  [TYPE_CLASS.minKey]: 0x08,
  [TYPE_CLASS.undefined]: 0x10,
  [TYPE_CLASS.null]: 0x18,
  [TYPE_CLASS.number]: 0x20,
  [TYPE_CLASS.string]: 0x28,
  [TYPE_CLASS.object]: 0x30,
  [TYPE_CLASS.array]: 0x38,
  [TYPE_CLASS.binData]: 0x40,
  [TYPE_CLASS.objectId]: 0x48,
  [TYPE_CLASS.bool]: 0x50,
  [TYPE_CLASS.date]: 0x58,
  [TYPE_CLASS.timestamp]: 0x60,
  [TYPE_CLASS.regex]: 0x68,
  [TYPE_CLASS.dbPointer]: 0x70,
  [TYPE_CLASS.code]: 0x78,
  [TYPE_CLASS.codeWithScope]: 0x80,
  [TYPE_CLASS.maxKey]: 0xf0,
};

/** Kinds of number, in their order. */
const NUMBER_KIND = { nan: 1, negativeInfinity: 2, negative: 3, zero: 4, positive: 5, infinity: 6 } as const;

const END = 0x00;
const FIRST_BUFFER_BYTES = 128;
const EXACT = 0x00;
const ABOVE_DOUBLE = 0x01;
/** Moves a decimal's power of ten, -6176 to 6145, into an unsigned 16-bit number. */
const MAGNITUDE_BIAS = 0x4000;

class KeyWriter {
  buffer = Buffer.allocUnsafe(FIRST_BUFFER_BYTES);
  at = 0;

  finish(): Uint8Array {
    return Uint8Array.prototype.slice.call(this.buffer, 0, this.at);
  }

  invertFrom(start: number): void {
    const { buffer, at } = this;
    for (let index = start; index < at; index++) buffer[index] = (buffer[index] as number) ^ 0xff;
  }

  reserve(size: number): void {
    if (this.at + size <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.at + size));
    this.buffer.copy(larger, 0, 0, this.at);
    this.buffer = larger;
  }

  writeByte(byte: number): void {
    this.reserve(1);
    this.buffer[this.at++] = byte;
  }

  writeUint32(value: number): void {
    this.reserve(4);
    this.at = this.buffer.writeUInt32BE(value >>> 0, this.at);
  }

  /** Bytes that may hold zeros, ended by two zeros: a zero within is followed by 0xff, so it sorts above the end. */
  writeTerminated(bytes: Uint8Array): void {
    this.reserve(bytes.length * 2 + 2);
    const { buffer } = this;
    let at = this.at;
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] as number;
      buffer[at++] = byte;
      if (byte === 0) buffer[at++] = 0xff;
    }
    buffer[at++] = END;
    buffer[at++] = END;
    this.at = at;
  }

  writeText(text: string): void {
    this.writeTerminated(Buffer.from(text, 'utf8'));
  }

  writeRaw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.at);
    this.at += bytes.length;
  }

  writeValue(value: BsonValue): void {
    const typeClass = typeClassOf(value);
    this.writeByte(CLASS_BYTE[typeClass]);
    switch (typeClass) {
      case TYPE_CLASS.number:
        this.writeNumber(value as NumericValue);
        break;
      case TYPE_CLASS.string:
        this.writeText(value instanceof BSONSymbol ? value.value : (value as string));
        break;
      case TYPE_CLASS.object:
        this.writeDocument(value as Document);
        break;
      case TYPE_CLASS.array:
        this.writeArray(value as BsonValue[]);
        break;
      case TYPE_CLASS.binData:
        this.writeBinary(value as Binary);
        break;
      case TYPE_CLASS.objectId:
        this.writeRaw((value as ObjectId).id);
        break;
      case TYPE_CLASS.bool:
        this.writeByte(value === true ? 1 : 0);
        break;
      case TYPE_CLASS.date:
        this.writeDate(value as Date);
        break;
      case TYPE_CLASS.timestamp:
        this.writeUint32((value as Timestamp).high);
        this.writeUint32((value as Timestamp).low);
        break;
      case TYPE_CLASS.regex:
        this.writeText((value as BSONRegExp).pattern);
        this.writeText((value as BSONRegExp).options);
        break;
      case TYPE_CLASS.dbPointer:
        this.writeText((value as DbPointer).namespace);
        this.writeRaw((value as DbPointer).id.id);
        break;
      case TYPE_CLASS.code:
        this.writeText((value as Code).code);
        break;
      case TYPE_CLASS.codeWithScope:
        this.writeText((value as Code).code);
        this.writeDocument((value as Code).scope as unknown as Document);
        break;
      default: // MinKey, MaxKey, null and undefined are told by their class.
    }
  }

  /** Field by field as compareValues does: type class, then name, then value. */
  writeDocument(document: Document): void {
    for (const [name, value] of document) {
      this.writeByte(CLASS_BYTE[typeClassOf(value)]);
      this.writeText(name);
      this.writeValue(value);
    }
    this.writeByte(END);
  }

  writeArray(array: readonly BsonValue[]): void {
    for (const value of array) this.writeValue(value);
    this.writeByte(END);
  }

  writeBinary(value: Binary): void {
    this.writeUint32(value.position);
    this.writeByte(value.sub_type);
    this.writeRaw(value.buffer.subarray(0, value.position));
  }

  writeDate(value: Date): void {
    // Dates lie within ±8.64e15 ms: shifted by 2^53 they are exact and not negative.
    const shifted = value.getTime() + 2 ** 53;
    this.writeUint32(Math.floor(shifted / 2 ** 32));
    this.writeUint32(shifted % 2 ** 32);
  }

  /**
   * A number is the double next to it towards zero; and, where it lies beyond that double (a large int64,
   * a decimal), its own digits. Numbers of one exact value thus have one key whatever their type.
   */
  writeNumber(value: NumericValue): void {
    const double = asExactDouble(value);
    if (double !== undefined) {
      this.writeDouble(double, undefined);
      return;
    }
    if (value instanceof Decimal128) {
      this.writeDecimal(value);
      return;
    }
    this.writeRounded({ coefficient: (value as Long).toBigInt(), exponent: 0 }, (value as Long).toNumber());
  }

  writeDecimal(value: Decimal128): void {
    const exact = exactDecimal(value);
    const nearest = Number(value.toString());
    if (exact === undefined) {
      this.writeDouble(nearest, undefined);
      return;
    }
    if (exact.coefficient === 0n) {
      this.writeDouble(0, undefined);
      return;
    }
    this.writeRounded(exact, nearest);
  }

  writeRounded(exact: ExactDecimal, nearest: number): void {
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
    this.writeDouble(isNegative ? -below : below, order === 0 ? undefined : magnitude, isNegative);
  }

  writeDouble(double: number, beyond: ExactDecimal | undefined, isNegative = double < 0): void {
    if (Number.isNaN(double)) {
      this.writeByte(NUMBER_KIND.nan);
      return;
    }
    if (double === Number.POSITIVE_INFINITY) {
      this.writeByte(NUMBER_KIND.infinity);
      return;
    }
    if (double === Number.NEGATIVE_INFINITY) {
      this.writeByte(NUMBER_KIND.negativeInfinity);
      return;
    }
    if (double === 0 && beyond === undefined) {
      this.writeByte(NUMBER_KIND.zero);
      return;
    }
    this.writeByte(isNegative ? NUMBER_KIND.negative : NUMBER_KIND.positive);
    const start = this.at;
    this.reserve(9);
    // The bits of a positive double sort as an unsigned integer.
    this.at = this.buffer.writeDoubleBE(Math.abs(double), this.at);
    this.writeByte(beyond === undefined ? EXACT : ABOVE_DOUBLE);
    if (beyond !== undefined) this.writeDigits(beyond);
    if (isNegative) this.invertFrom(start);
  }

  writeDigits(value: ExactDecimal): void {
    this.reserve(2);
    this.at = this.buffer.writeUInt16BE(magnitudeOf(value) + MAGNITUDE_BIAS, this.at);
    const digits = value.coefficient.toString().replace(/0+$/, '');
    this.writeRaw(Buffer.from(digits, 'latin1'));
    this.writeByte(END);
  }
}

const doubleBits = new DataView(new ArrayBuffer(8));

/** The next smaller double; for positive ones. */
function nextDoubleDown(value: number): number {
  doubleBits.setFloat64(0, value);
  doubleBits.setBigUint64(0, doubleBits.getBigUint64(0) - 1n);
  return doubleBits.getFloat64(0);
}
