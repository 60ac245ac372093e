import type { BsonValue } from '../bson/document.ts';
import { encodeKey } from '../semantics/key-encoding.ts';

/** A text that two values share exactly when MongoDB holds them for equal: 1 and 1.0, for one. */
export function valueKey(value: BsonValue): string {
  return Buffer.from(encodeKey([value], [1])).toString('latin1');
}

/** Values without repeats, in the order in which they came first. */
export class ValueSet {
  private readonly byKey = new Map<string, BsonValue>();

  add(value: BsonValue): void {
    const key = valueKey(value);
    if (!this.byKey.has(key)) this.byKey.set(key, value);
  }

  values(): BsonValue[] {
    return [...this.byKey.values()];
  }
}
