import type { BsonValue } from '../bson/document.ts';
import { spendSteps } from '../computation-limit.ts';
import { encodeKey } from '../semantics/key-encoding.ts';

/** The cost of writing a key. */
const STEPS_PER_KEY = 20;
const BYTES_PER_STEP = 16;

/** A string that is the same for values that MongoDB considers equal, such as 1 and 1.0, and only for those. */
export function valueKey(value: BsonValue): string {
  const key = encodeKey([value], [1]);
  spendSteps(STEPS_PER_KEY + key.length / BYTES_PER_STEP);
  return Buffer.from(key).toString('latin1');
}

/** Distinct values in the order of their first occurrence. */
export class ValueSet {
  private readonly byKey = new Map<string, BsonValue>();

  constructor(values: Iterable<BsonValue> = []) {
    for (const value of values) this.add(value);
  }

  /** Returns whether the value is new. */
  add(value: BsonValue): boolean {
    const key = valueKey(value);
    if (this.byKey.has(key)) return false;
    this.byKey.set(key, value);
    return true;
  }

  has(value: BsonValue): boolean {
    return this.byKey.has(valueKey(value));
  }

  values(): BsonValue[] {
    return [...this.byKey.values()];
  }
}
