import { type BsonValue, integer } from '../bson/document.ts';
import { numberOf } from './fields.ts';

/** The number that the sizes of a statistics reply are divided by: its `scale`, 1 by default. */
export function readScale(scale: BsonValue | undefined): {
  factor: number;
  scaled: (bytes: number) => BsonValue;
} {
  const factor = Math.trunc(numberOf(scale) ?? 1);
  return { factor, scaled: (bytes) => integer(Math.floor(bytes / factor)) };
}
