import type { BsonValue } from '../bson/document.ts';
import { spendSteps } from '../computation-limit.ts';
import { encodeKey } from '../semantics/key-encoding.ts';

/** What writing a key takes. */
const STEPS_PER_KEY = 20;
const BYTES_PER_STEP = 16;

/** A text that two values share exactly when MongoDB considers them equal: 1 and 1.0, for example. */
export function valueKey(value: BsonValue): string {
  const key = encodeKey([value], [1]);
  spendSteps(STEPS_PER_KEY + key.length / BYTES_PER_STEP);
  return Buffer.from(key).toString('latin1');
}

/** Values without repeats, in the order in which they came first. */
export class ValueSet {
  private readonly byKey = new Map<string, BsonValue>();

  constructor(values: Iterable<BsonValue> = []) {
    for (const value of values) this.add(value);
  }

  /** Whether the value is new. */
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
