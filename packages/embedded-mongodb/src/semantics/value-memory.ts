import { Binary } from 'bson';
import type { BsonValue } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { spendSteps } from '../computation-limit.ts';

const BYTES_PER_VALUE = 24;
const BYTES_PER_DOCUMENT = 128;
const BYTES_PER_FIELD = 64;
const BYTES_PER_ARRAY = 32;
const BYTES_PER_ELEMENT = 8;
/** What is smaller is measured again each time, which is faster than to remember it. */
const REMEMBERED_BYTES = 4096;
/** Going through a value, to encode or compare it, takes a step for so many bytes. */
const BYTES_PER_STEP = 256;
/** A document of 16 MB takes less, unless it consists of empty documents. */
const MAX_BYTES = 128 * 1024 * 1024;

const measured = new WeakMap<object, number>();

/** About how many bytes a value takes in memory. What it refers to several times counts several times. */
export function memoryOf(value: BsonValue): number {
  if (typeof value === 'string') return BYTES_PER_VALUE + value.length;
  if (Array.isArray(value)) {
    return measured.get(value) ?? measure(value, BYTES_PER_ARRAY + value.length * BYTES_PER_ELEMENT);
  }
  if (value instanceof Map) {
    return measured.get(value) ?? measure(value, BYTES_PER_DOCUMENT + value.size * BYTES_PER_FIELD);
  }
  return value instanceof Binary ? BYTES_PER_VALUE + value.position : BYTES_PER_VALUE;
}

function measure(container: BsonValue[] | Map<string, BsonValue>, ownBytes: number): number {
  let bytes = ownBytes;
  for (const inner of container.values()) bytes += memoryOf(inner);
  if (bytes > REMEMBERED_BYTES) measured.set(container, bytes);
  return bytes;
}

/**
 * Charges for a value that an expression has put together, by its size: it can refer to the same values many times, so
 * that each step doubles what must be encoded or compared later.
 */
export function spendForValue<T extends BsonValue>(value: T): T {
  spendSteps(1 + grown(0, value) / BYTES_PER_STEP);
  return value;
}

/** The memory of values so far with one more. Throws once they take too much to be put together in a document. */
export function grown(bytes: number, value: BsonValue): number {
  const total = bytes + memoryOf(value);
  if (total <= MAX_BYTES) return total;
  throw mongoError('BSONObjectTooLarge', 'An expression builds a value that is too large for a document.');
}

/** The array of what is made of each item: it ends early if it grows too large. */
export function mapWithinMemory<T>(items: readonly T[], make: (item: T) => BsonValue): BsonValue[] {
  let bytes = 0;
  const made: BsonValue[] = [];
  for (const item of items) {
    const value = make(item);
    bytes = grown(bytes, value);
    made.push(value);
  }
  return spendForValue(made);
}
