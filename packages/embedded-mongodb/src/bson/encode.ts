import {
  Binary,
  BSONRegExp,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';
import { mongoError } from './mongo-error.ts';
import { BSON_TYPE, BsonUndefined, type BsonValue, type Document } from './value.ts';

/** More than the depth of any stored document within a reply. */
const MAX_WRITTEN_DEPTH = 250;
const WIRE_MIN_KEY = 0xff;
/** For short ASCII strings, a loop is cheaper than the call into native code. */
const SHORT_TEXT_LENGTH = 24;

/** A shared buffer that results are copied from: cheaper than one buffer each. A larger document gets its own buffer. */
const SCRATCH = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Returns the document's BSON bytes with its exact types and order: encode and decode are inverse. The `serialize` of
 * the bson library would guess the types of plain numbers and rewrite binary subtype 2.
 * @throws BSONObjectTooLarge as soon as the limit is exceeded, because a document can contain one value many times
 */
export function encode(document: Document, maxBytes = Number.POSITIVE_INFINITY): Uint8Array {
  const writer = new BsonWriter(0, maxBytes);
  writer.writeDocument(document);
  writer.assertFits();
  return new Uint8Array(writer.written());
}

/** Writes BSON piece by piece. All writers share a buffer: a writer must finish before the next one starts. */
export class BsonWriter {
  buffer = SCRATCH;
  at: number;
  readonly maxBytes: number;
  private depth = 0;

  /** @param headBytes number of bytes to leave free before the BSON, for the header of a message */
  constructor(headBytes = 0, maxBytes = Number.POSITIVE_INFINITY) {
    this.at = headBytes;
    this.maxBytes = maxBytes;
  }

  /** The bytes written so far. The next writer may overwrite them. */
  written(): Buffer {
    return this.buffer.subarray(0, this.at);
  }

  /** The bytes written, which no other writer overwrites. */
  finish(): Buffer {
    return this.buffer === SCRATCH ? Buffer.from(this.written()) : this.written();
  }

  /** Makes room for `size` more bytes. Must precede every write. */
  reserve(size: number): void {
    if (this.at + size <= this.buffer.length) return;
    this.assertFits();
    // Doubling stops at the limit, so that the next check follows soon after the limit is exceeded.
    const doubled = Math.min(this.buffer.length * 2, this.maxBytes + 1);
    const larger = Buffer.allocUnsafeSlow(Math.max(doubled, this.at + size));
    this.buffer.copy(larger, 0, 0, this.at);
    this.buffer = larger;
  }

  assertFits(): void {
    if (this.at > this.maxBytes)
      throw mongoError('BSONObjectTooLarge', `The document has more than ${this.maxBytes} bytes.`);
  }

  writeDocument(document: Document): void {
    const start = this.openFrame();
    for (const [name, value] of document) this.writeElement(name, value);
    this.closeFrame(start);
  }

  writeArray(array: readonly BsonValue[]): void {
    const start = this.openFrame();
    for (let index = 0; index < array.length; index++)
      this.writeElement(String(index), array[index] as BsonValue);
    this.closeFrame(start);
  }

  openFrame(): number {
    this.depth += 1;
    if (this.depth > MAX_WRITTEN_DEPTH)
      throw mongoError('Overflow', `The document nests deeper than ${MAX_WRITTEN_DEPTH} levels.`);
    this.reserve(4);
    const start = this.at;
    this.at += 4;
    return start;
  }

  closeFrame(start: number): void {
    this.depth -= 1;
    this.reserve(1);
    this.buffer[this.at++] = 0;
    this.buffer.writeInt32LE(this.at - start, start);
  }

  /** Writes the string's UTF-8 bytes without a terminator. Returns their number. */
  writeText(text: string): number {
    this.reserve(text.length * 3 + 1);
    const { buffer, at } = this;
    if (text.length <= SHORT_TEXT_LENGTH) {
      let index = 0;
      for (; index < text.length; index++) {
        const unit = text.charCodeAt(index);
        if (unit > 0x7f) break;
        buffer[at + index] = unit;
      }
      if (index === text.length) {
        this.at = at + index;
        return index;
      }
    }
    const size = buffer.write(text, at, 'utf8');
    this.at = at + size;
    return size;
  }

  writeCString(text: string): void {
    if (text.includes('\0')) {
      throw mongoError(
        'BadValue',
        `names and patterns must not contain a zero byte: ${JSON.stringify(text)}`,
      );
    }
    this.writeText(text);
    this.buffer[this.at++] = 0;
  }

  writeString(text: string): void {
    this.reserve(4);
    const start = this.at;
    this.at += 4;
    const size = this.writeText(text);
    this.buffer[this.at++] = 0;
    this.buffer.writeInt32LE(size + 1, start);
  }

  writeBytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.at);
    this.at += bytes.length;
  }

  writeInt32(value: number): void {
    this.reserve(4);
    this.at = this.buffer.writeInt32LE(value, this.at);
  }

  writeHeader(type: number, name: string): void {
    this.reserve(name.length + 2);
    const { buffer } = this;
    let at = this.at;
    buffer[at++] = type;
    for (let index = 0; index < name.length; index++) {
      const unit = name.charCodeAt(index);
      if (unit === 0 || unit > 0x7f) {
        this.at += 1;
        this.writeCString(name);
        return;
      }
      buffer[at++] = unit;
    }
    buffer[at++] = 0;
    this.at = at;
  }

  writeElement(name: string, value: BsonValue): void {
    if (typeof value === 'string') {
      this.writeHeader(BSON_TYPE.string, name);
      this.writeString(value);
    } else if (value instanceof Int32) {
      this.writeHeader(BSON_TYPE.int, name);
      this.writeInt32(value.value);
    } else if (value === null) {
      this.writeHeader(BSON_TYPE.null, name);
    } else if (value instanceof Map) {
      this.writeHeader(BSON_TYPE.object, name);
      this.writeDocument(value);
    } else if (Array.isArray(value)) {
      this.writeHeader(BSON_TYPE.array, name);
      this.writeArray(value);
    } else if (value instanceof Date) {
      this.writeHeader(BSON_TYPE.date, name);
      this.writeLong(Long.fromNumber(value.getTime()));
    } else if (typeof value === 'boolean') {
      this.writeHeader(BSON_TYPE.bool, name);
      this.reserve(1);
      this.buffer[this.at++] = value ? 1 : 0;
    } else if (value instanceof Double) {
      this.writeHeader(BSON_TYPE.double, name);
      this.reserve(8);
      this.at = this.buffer.writeDoubleLE(value.value, this.at);
    } else if (value instanceof ObjectId) {
      this.writeHeader(BSON_TYPE.objectId, name);
      this.writeBytes(value.id);
    } else if (value instanceof Binary) {
      this.writeHeader(BSON_TYPE.binData, name);
      this.writeInt32(value.position);
      this.reserve(1);
      this.buffer[this.at++] = value.sub_type;
      this.writeBytes(value.buffer.subarray(0, value.position));
    } else {
      this.writeRareElement(name, value);
    }
  }

  writeLong(value: { low: number; high: number }): void {
    this.writeInt32(value.low);
    this.writeInt32(value.high);
  }

  writeRareElement(name: string, value: BsonValue): void {
    // Precedes the test for Long, because the bson library's Timestamp extends Long.
    if (value instanceof Timestamp) {
      this.writeHeader(BSON_TYPE.timestamp, name);
      this.writeLong(value);
    } else if (value instanceof Long) {
      this.writeHeader(BSON_TYPE.long, name);
      this.writeLong(value);
    } else if (value instanceof Decimal128) {
      this.writeHeader(BSON_TYPE.decimal, name);
      this.writeBytes(value.bytes);
    } else if (value instanceof BSONRegExp) {
      this.writeHeader(BSON_TYPE.regex, name);
      this.writeCString(value.pattern);
      this.writeCString(value.options);
    } else if (value instanceof MinKey) {
      this.writeHeader(WIRE_MIN_KEY, name);
    } else if (value instanceof MaxKey) {
      this.writeHeader(BSON_TYPE.maxKey, name);
    } else if (value instanceof BsonUndefined) {
      this.writeHeader(BSON_TYPE.undefined, name);
    } else {
      throw new TypeError(`field '${name}' holds no BSON value: ${typeof value}`);
    }
  }
}
