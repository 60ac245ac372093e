import type { BsonValue } from '../bson/document.ts';
import type { Collation } from '../semantics/collation.ts';
import { encodeKey, type KeyText } from '../semantics/key-encoding.ts';

/** Makes texts that two values share exactly when MongoDB holds them for equal: 1 and 1.0, for one. */
export function valueKeys(collation?: Collation): (value: BsonValue) => string {
  const keyText = collation && firstOfEquals(collation);
  return (value) => Buffer.from(encodeKey([value], [1], keyText)).toString('latin1');
}

/** Gives for each string the first one it was given that is equal to it. */
function firstOfEquals({ compareStrings }: Collation): KeyText {
  const known = new Map<string, string>();
  const firsts: string[] = []; // in the collation's order
  return (text) => {
    let first = known.get(text);
    if (first !== undefined) return first;
    const place = placeOf(text, firsts, compareStrings);
    const there = firsts[place];
    if (there === undefined || compareStrings(there, text) !== 0) firsts.splice(place, 0, text);
    first = firsts[place] as string;
    known.set(text, first);
    return first;
  };
}

/** The place of the first that is not below the text. */
function placeOf(text: string, sorted: readonly string[], compare: (a: string, b: string) => number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(sorted[middle] as string, text) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Values without repeats, in the order in which they came first. */
export class ValueSet {
  private readonly keyOf: (value: BsonValue) => string;
  private readonly byKey = new Map<string, BsonValue>();

  constructor(collation?: Collation) {
    this.keyOf = valueKeys(collation);
  }

  /** Whether the value is new. */
  add(value: BsonValue): boolean {
    const key = this.keyOf(value);
    if (this.byKey.has(key)) return false;
    this.byKey.set(key, value);
    return true;
  }

  values(): BsonValue[] {
    return [...this.byKey.values()];
  }
}
