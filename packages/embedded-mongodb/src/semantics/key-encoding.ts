import type { Binary, BSONRegExp, ObjectId, Timestamp } from 'bson';
import type { BsonValue, Document, NumericValue } from '../bson/document.ts';
import { TYPE_CLASS, type TypeClass, typeClassOf } from './compare.ts';
import { END, KeyBuffer } from './key-buffer.ts';
import { writeNumber } from './number-key.ts';

/*
 * The keys of index entries. The byte order of keys (memcmp) is the order of compareValues, and equal values have the
 * same key. Each value is self-delimiting, so that a compound key is the concatenation of its fields' keys and a prefix
 * of fields is a prefix of bytes. The bits of a descending field are inverted. The first byte is the type class. It is
 * never 0x00 or 0xff, in either direction, so that 0x00 and 0xff after a prefix sort below and above all its
 * continuations.
 */

export type Direction = 1 | -1;

/** Returns the key of the values, with one direction per value. */
export function encodeKey(values: readonly BsonValue[], directions: readonly Direction[]): Uint8Array {
  const key = new KeyBuffer();
  for (let index = 0; index < values.length; index++) {
    const start = key.at;
    writeValue(key, values[index] as BsonValue);
    if (directions[index] === -1) key.invertFrom(start);
  }
  return key.finish();
}

/** The lowest key above all keys with the prefix. The prefix itself is the lower bound. */
export function prefixUpperBound(prefix: Uint8Array): Uint8Array {
  const bound = new Uint8Array(prefix.length + 1);
  bound.set(prefix);
  bound[prefix.length] = 0xff;
  return bound;
}

/**
 * The bounds of the keys of one type class for one field: `lower` is inclusive, `upper` is exclusive. Comparisons stay
 * within a class: `{$gt: 5}` matches numbers only.
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
  [TYPE_CLASS.maxKey]: 0xf0,
};

function writeValue(key: KeyBuffer, value: BsonValue): void {
  const typeClass = typeClassOf(value);
  key.writeByte(CLASS_BYTE[typeClass]);
  switch (typeClass) {
    case TYPE_CLASS.number:
      writeNumber(key, value as NumericValue);
      break;
    case TYPE_CLASS.string:
      key.writeText(value as string);
      break;
    case TYPE_CLASS.object:
      writeDocument(key, value as Document);
      break;
    case TYPE_CLASS.array:
      writeArray(key, value as BsonValue[]);
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
    default: // MinKey, MaxKey, null and undefined have one value each, and so no bytes beyond their class.
  }
}

/** Writes each field in the order in which compareValues compares: type class, name, value. */
function writeDocument(key: KeyBuffer, document: Document): void {
  for (const [name, value] of document) {
    key.writeByte(CLASS_BYTE[typeClassOf(value)]);
    key.writeText(name);
    writeValue(key, value);
  }
  key.writeByte(END);
}

function writeArray(key: KeyBuffer, array: readonly BsonValue[]): void {
  for (const value of array) writeValue(key, value);
  key.writeByte(END);
}

function writeBinary(key: KeyBuffer, value: Binary): void {
  key.writeUint32(value.position);
  key.writeByte(value.sub_type);
  key.writeRaw(value.buffer.subarray(0, value.position));
}

function writeDate(key: KeyBuffer, value: Date): void {
  // Written in two halves, because adding the offset to the whole number would lose precision.
  const ms = value.getTime();
  const high = Math.floor(ms / 2 ** 32);
  key.writeUint32(high + 2 ** 31);
  key.writeUint32(ms - high * 2 ** 32);
}
