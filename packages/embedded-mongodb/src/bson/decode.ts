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
import { type MongoError, mongoError, outOfScope } from './mongo-error.ts';
import { cachedName, MAX_CACHED_NAME_BYTES } from './name-cache.ts';
import { readUtf8 } from './utf8.ts';
import { BSON_TYPE, type BsonValue, type Document } from './value.ts';

/** MongoDB's BSONDepth::kDefaultMaxAllowableDepth. */
const MAX_NESTING_DEPTH = 200;

const SMALLEST_DOCUMENT_BYTES = 5;
const WIRE_MIN_KEY = 0xff;
/** Reading a field, with its name, takes about as long as reading four array elements. */
const FIELD_COST = 4;
const MAX_REQUEST_COST = 200_000;
/** The range of a JavaScript Date; BSON's is wider. */
const MAX_DATE_MS = 8.64e15;

/**
 * Reads one BSON document that fills `bytes`. Numbers keep their BSON type and fields keep their order.
 * Throws InvalidBSON (22) for malformed bytes, and for two valid inputs that would lose information here:
 * a field name that occurs twice in one document, and a date outside the years ±271821.
 */
export function decode(bytes: Uint8Array): Document {
  return new Reader(bytes).readAll();
}

/**
 * Reads a document of a request on the thread that serves every client.
 * @throws OperationFailed for a document whose fields and array elements take tens of milliseconds to read
 */
export function decodeRequest(bytes: Uint8Array): Document {
  return new Reader(bytes, MAX_REQUEST_COST).readAll();
}

function nameOfType(type: number): string {
  const found = Object.entries(BSON_TYPE).find(([, number]) => number === type);
  return found?.[0] ?? String(type);
}

/** Reads only the top-level fields. Nested documents and arrays are empty in the result. */
export function decodeOutline(bytes: Uint8Array): Document {
  const reader = new Reader(bytes);
  reader.isOutline = true;
  return reader.readDocument(bytes.length, 1);
}

function malformed(what: string): MongoError {
  return mongoError('InvalidBSON', `Invalid BSON: ${what}`);
}

/** A cursor over the bytes. No read can pass the end of the innermost document. */
class Reader {
  readonly bytes: Buffer;
  at = 0;
  end = 0;
  isOutline = false;
  costLeft: number;

  constructor(bytes: Uint8Array, maxCost = Number.POSITIVE_INFINITY) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.costLeft = maxCost;
  }

  readAll(): Document {
    const { length } = this.bytes;
    const document = this.readDocument(length, 1);
    if (this.at !== length) throw malformed(`the document ends at byte ${this.at} of ${length}`);
    return document;
  }

  readDocument(limit: number, depth: number): Document {
    const document: Document = new Map();
    const outerEnd = this.enter(limit, depth);
    for (let count = 1; ; count++) {
      const type = this.bytes[this.at++];
      if (type === 0) break;
      this.spend(FIELD_COST);
      const name = this.readCString();
      document.set(name, this.readValue(type as number, depth));
      if (document.size !== count) throw malformed(`field '${name}' is there twice in one document`);
    }
    this.leave(outerEnd);
    return document;
  }

  readArray(limit: number, depth: number): BsonValue[] {
    const array: BsonValue[] = [];
    const outerEnd = this.enter(limit, depth);
    for (;;) {
      const type = this.bytes[this.at++];
      if (type === 0) break;
      this.spend(1);
      // Like MongoDB, ignores these names and numbers the elements by position.
      this.at = this.findNull() + 1;
      array.push(this.readValue(type as number, depth));
    }
    this.leave(outerEnd);
    return array;
  }

  spend(cost: number): void {
    this.costLeft -= cost;
    if (this.costLeft >= 0) return;
    throw mongoError(
      'OperationFailed',
      `The request, or one of its documents, has more than ${MAX_REQUEST_COST / FIELD_COST} fields or ${MAX_REQUEST_COST} array elements: other clients wait until it is read. Split it.`,
    );
  }

  /** Checks the frame of an embedded document and limits all reads to it. Returns the previous limit. */
  enter(limit: number, depth: number): number {
    if (depth > MAX_NESTING_DEPTH) throw malformed(`nested deeper than ${MAX_NESTING_DEPTH} levels`);
    const start = this.at;
    if (limit - start < SMALLEST_DOCUMENT_BYTES) throw malformed('the document is cut short');
    const size = this.bytes.readInt32LE(start);
    if (size < SMALLEST_DOCUMENT_BYTES || size > limit - start) {
      throw malformed(`a length of ${size} bytes where ${limit - start} are left`);
    }
    if (this.bytes[start + size - 1] !== 0) throw malformed('a document without its terminating zero byte');
    const outerEnd = this.end;
    this.at = this.isOutline && depth > 1 ? start + size - 1 : start + 4;
    this.end = start + size;
    return outerEnd;
  }

  leave(outerEnd: number): void {
    if (this.at !== this.end) throw malformed('a document whose length and content disagree');
    this.end = outerEnd;
  }

  /** Skips `size` bytes, which must leave room for the document's terminator. Returns their start. */
  take(size: number): number {
    const start = this.at;
    if (size < 0 || size > this.end - 1 - start) throw malformed('a value that is longer than its document');
    this.at = start + size;
    return start;
  }

  findNull(): number {
    const found = this.bytes.indexOf(0, this.at);
    if (found < 0 || found >= this.end - 1) throw malformed('a name without its terminating zero byte');
    return found;
  }

  readCString(): string {
    const { bytes, at: start } = this;
    const limit = Math.min(this.end - 1, start + MAX_CACHED_NAME_BYTES);
    let hash = 0;
    for (let at = start; at < limit; at++) {
      const byte = bytes[at] as number;
      if (byte === 0) {
        this.at = at + 1;
        return cachedName(bytes, start, at, hash);
      }
      if (byte > 0x7f) break;
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    const terminator = this.findNull();
    this.at = terminator + 1;
    return this.readText(start, terminator);
  }

  readString(): string {
    const size = this.bytes.readInt32LE(this.take(4));
    if (size < 1) throw malformed(`a string of ${size} bytes`);
    const start = this.take(size);
    if (this.bytes[this.at - 1] !== 0) throw malformed('a string without its terminating zero byte');
    return this.readText(start, this.at - 1);
  }

  readText(start: number, end: number): string {
    const text = readUtf8(this.bytes, start, end);
    if (text === undefined) throw malformed('text that is not valid UTF-8');
    return text;
  }

  copy(size: number): Uint8Array {
    const start = this.take(size);
    // A copy, because the network buffer is reused.
    const copied = Buffer.allocUnsafe(size);
    this.bytes.copy(copied, 0, start, start + size);
    return copied;
  }

  readLong(): Long {
    const start = this.take(8);
    return new Long(this.bytes.readInt32LE(start), this.bytes.readInt32LE(start + 4));
  }

  readDate(): Date {
    const ms = this.readLong().toNumber();
    if (Math.abs(ms) > MAX_DATE_MS) throw malformed('a date outside of the years -271821 to 275760');
    return new Date(ms);
  }

  readBoolean(): boolean {
    const byte = this.bytes[this.take(1)];
    if (byte === 0) return false;
    if (byte === 1) return true;
    throw malformed(`a boolean of value ${byte}`);
  }

  readBinary(): Binary {
    const size = this.bytes.readInt32LE(this.take(4));
    const subtype = this.bytes[this.take(1)] as number;
    // The old subtype 2 repeats its length in the data. It stays there, so that the value compares and encodes unchanged.
    return new Binary(this.copy(size), subtype);
  }

  readRegex(): BSONRegExp {
    const pattern = this.readCString();
    const options = this.readCString();
    try {
      return new BSONRegExp(pattern, options);
    } catch {
      throw malformed(`a regular expression with the options '${options}'`);
    }
  }

  readValue(type: number, depth: number): BsonValue {
    switch (type) {
      case BSON_TYPE.string:
        return this.readString();
      case BSON_TYPE.int:
        return new Int32(this.bytes.readInt32LE(this.take(4)));
      case BSON_TYPE.object:
        return this.readDocument(this.end - 1, depth + 1);
      case BSON_TYPE.array:
        return this.readArray(this.end - 1, depth + 1);
      case BSON_TYPE.double:
        return new Double(this.bytes.readDoubleLE(this.take(8)));
      case BSON_TYPE.long:
        return this.readLong();
      case BSON_TYPE.date:
        return this.readDate();
      case BSON_TYPE.bool:
        return this.readBoolean();
      case BSON_TYPE.null:
        return null;
      case BSON_TYPE.objectId:
        return new ObjectId(this.copy(12));
      case BSON_TYPE.binData:
        return this.readBinary();
      default:
        return this.readRareValue(type);
    }
  }

  readRareValue(type: number): BsonValue {
    switch (type) {
      case BSON_TYPE.decimal:
        return new Decimal128(this.copy(16));
      case BSON_TYPE.timestamp:
        return new Timestamp(this.readLong());
      case BSON_TYPE.regex:
        return this.readRegex();
      case BSON_TYPE.undefined:
      case BSON_TYPE.symbol:
      case BSON_TYPE.javascript:
      case BSON_TYPE.javascriptWithScope:
      case BSON_TYPE.dbPointer:
        throw outOfScope(`a value of the BSON type ${nameOfType(type)}`);
      case BSON_TYPE.maxKey:
        return new MaxKey();
      case WIRE_MIN_KEY:
        return new MinKey();
      default:
        throw malformed(`an unknown value type ${type}`);
    }
  }
}
