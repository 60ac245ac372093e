import { Binary } from 'bson';
import type { BsonValue } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { spendSteps } from '../computation-limit.ts';

const BYTES_PER_VALUE = 24;
const BYTES_PER_DOCUMENT = 128;
const BYTES_PER_FIELD = 64;
const BYTES_PER_ARRAY = 32;
const BYTES_PER_ELEMENT = 8;
/** Smaller values are not cached: measuring them again is faster. */
const REMEMBERED_BYTES = 4096;
/** Bytes of a value that encoding or comparing it visits per step. */
const BYTES_PER_STEP = 256;
/** More than a document of 16 MB takes, unless it consists of empty documents. */
const MAX_BYTES = 128 * 1024 * 1024;

const measured = new WeakMap<object, number>();

/** The approximate memory of a value in bytes. A value within it counts once per reference. */
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
 * Charges for a value that an expression builds, by its size. The value can contain the same values many times, so that
 * each operator could double the bytes that are encoded or compared later.
 */
export function spendForValue<T extends BsonValue>(value: T): T {
  spendSteps(1 + grown(0, value) / BYTES_PER_STEP);
  return value;
}

/** Adds the memory of a value to `bytes`. Throws if the total is too large for a document. */
export function grown(bytes: number, value: BsonValue): number {
  const total = bytes + memoryOf(value);
  if (total <= MAX_BYTES) return total;
  throw mongoError('BSONObjectTooLarge', 'An expression builds a value that is too large for a document.');
}

/** Maps each item to a value. Throws as soon as the array is too large. */
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
