import { type BsonValue, integer } from '../bson/document.ts';
import { numberOf } from './fields.ts';

/** Reads `scale`, the divisor of the sizes in a statistics reply, by default 1. */
export function readScale(scale: BsonValue | undefined): {
  factor: number;
  scaled: (bytes: number) => BsonValue;
} {
  const factor = Math.trunc(numberOf(scale) ?? 1);
  return { factor, scaled: (bytes) => integer(Math.floor(bytes / factor)) };
}
