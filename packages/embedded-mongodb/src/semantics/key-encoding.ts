import { type Binary, type BSONRegExp, BSONSymbol, type Code, type ObjectId, type Timestamp } from 'bson';
import type { BsonValue, DbPointer, Document, NumericValue } from '../bson/document.ts';
import { TYPE_CLASS, type TypeClass, typeClassOf } from './compare.ts';
import { END, KeyBuffer } from './key-buffer.ts';
import { writeNumber } from './number-key.ts';

/*
 * The keys of index entries. Comparing two keys byte by byte (memcmp) gives the order of compareValues,
 * and values that compare as equal have one key. Each value is self-delimiting, so that a compound key is
 * the concatenation of its fields' keys and a prefix of fields is a prefix of bytes. A descending field
 * has all its bits inverted. The first byte tells the type class; it is never 0x00 or 0xff, in either
 * direction, so that 0x00 and 0xff after a prefix stand below and above all that continues it.
 */

export type Direction = 1 | -1;

/** What stands in a key for a string, where that is not the string itself: see Collation. */
export type KeyText = (text: string) => string;

const AS_WRITTEN: KeyText = (text) => text;

/** The key of the values, one direction for each of them. */
export function encodeKey(
  values: readonly BsonValue[],
  directions: readonly Direction[],
  keyText: KeyText = AS_WRITTEN,
): Uint8Array {
  if (values.length > directions.length) throw new RangeError('a key needs a direction for each value');
  const key = new KeyBuffer();
  for (let index = 0; index < values.length; index++) {
    const start = key.at;
    writeValue(key, values[index] as BsonValue, keyText);
    if (directions[index] === -1) key.invertFrom(start);
  }
  return key.finish();
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

function writeValue(key: KeyBuffer, value: BsonValue, keyText: KeyText): void {
  const typeClass = typeClassOf(value);
  key.writeByte(CLASS_BYTE[typeClass]);
  switch (typeClass) {
    case TYPE_CLASS.number:
      writeNumber(key, value as NumericValue);
      break;
    case TYPE_CLASS.string:
      key.writeText(keyText(value instanceof BSONSymbol ? value.value : (value as string)));
      break;
    case TYPE_CLASS.object:
      writeDocument(key, value as Document, keyText);
      break;
    case TYPE_CLASS.array:
      writeArray(key, value as BsonValue[], keyText);
      break;
    case TYPE_CLASS.binData:
      writeBinary(key, value as Binary);
      break;
    case TYPE_CLASS.objectId:
      key.writeRaw((value as ObjectId).id);
      break;
    case TYPE_CLASS.bool:
      key.writeByte(value === true ? 1 : 0);
      break;
    case TYPE_CLASS.date:
      writeDate(key, value as Date);
      break;
    case TYPE_CLASS.timestamp:
      key.writeUint32((value as Timestamp).high);
      key.writeUint32((value as Timestamp).low);
      break;
    case TYPE_CLASS.regex:
      key.writeText((value as BSONRegExp).pattern);
      key.writeText((value as BSONRegExp).options);
      break;
    case TYPE_CLASS.dbPointer:
      key.writeText((value as DbPointer).namespace);
      key.writeRaw((value as DbPointer).id.id);
      break;
    case TYPE_CLASS.code:
      key.writeText((value as Code).code);
      break;
    case TYPE_CLASS.codeWithScope:
      key.writeText((value as Code).code);
      writeDocument(key, (value as Code).scope as unknown as Document, AS_WRITTEN);
      break;
    default: // MinKey, MaxKey, null and undefined are told by their class.
  }
}

/** Field by field as compareValues does: type class, then name, then value. */
function writeDocument(key: KeyBuffer, document: Document, keyText: KeyText): void {
  for (const [name, value] of document) {
    key.writeByte(CLASS_BYTE[typeClassOf(value)]);
    key.writeText(name);
    writeValue(key, value, keyText);
  }
  key.writeByte(END);
}

function writeArray(key: KeyBuffer, array: readonly BsonValue[], keyText: KeyText): void {
  for (const value of array) writeValue(key, value, keyText);
  key.writeByte(END);
}

function writeBinary(key: KeyBuffer, value: Binary): void {
  key.writeUint32(value.position);
  key.writeByte(value.sub_type);
  key.writeRaw(value.buffer.subarray(0, value.position));
}

function writeDate(key: KeyBuffer, value: Date): void {
  // In two halves: shifted as one number to be positive it would no longer be exact.
  const ms = value.getTime();
  const high = Math.floor(ms / 2 ** 32);
  key.writeUint32(high + 2 ** 31);
  key.writeUint32(ms - high * 2 ** 32);
}
