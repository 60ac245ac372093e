import { BSONSymbol } from 'bson';
import type { BsonValue } from '../bson/document.ts';
import { type Collation, SHARED_INDEX_TEXT } from './collation.ts';
import { type Direction, encodeKey } from './key-encoding.ts';

/** More look-ups than these for one value are not better than a longer scan. */
const MAX_PREFIXES = 64;

/**
 * Values under whose index keys stand all that equal the value, in an index with this collation; undefined where
 * they can be anywhere.
 */
export function valuesWithKeysOfEquals(value: BsonValue, collation: Collation): BsonValue[] | undefined {
  if (!containsText(value)) return [value];
  const text = value instanceof BSONSymbol ? value.value : value;
  if (typeof text !== 'string' || collation.hasSharedIndexText(text)) return undefined;
  return [text, SHARED_INDEX_TEXT];
}

/** Whether comparing the value depends on the collation. */
export function containsText(value: BsonValue): boolean {
  if (typeof value === 'string' || value instanceof BSONSymbol) return true;
  if (Array.isArray(value)) return value.some(containsText);
  return value instanceof Map && [...value.values()].some(containsText);
}

/** What the index keys of all values that equal these begin with; the empty prefix where that can be anything. */
export function keyPrefixesOfEquals(
  values: readonly BsonValue[],
  directions: readonly Direction[],
  collation: Collation,
): Uint8Array[] {
  let prefixes: Uint8Array[] = [new Uint8Array(0)];
  for (const [at, value] of values.entries()) {
    const alternatives = valuesWithKeysOfEquals(value, collation);
    if (alternatives === undefined || prefixes.length * alternatives.length > MAX_PREFIXES) break;
    const keys = alternatives.map((one) =>
      encodeKey([one], [directions[at] as Direction], collation.indexText),
    );
    prefixes = prefixes.flatMap((prefix) => keys.map((key) => Buffer.concat([prefix, key])));
  }
  return prefixes;
}
