import type { BsonValue } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';

/** The units whose length is always the same. */
export const MS_PER_UNIT: Readonly<Record<string, number>> = {
  week: 604_800_000,
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1,
};
/** The units that are months. */
export const MONTHS_PER_UNIT: Readonly<Record<string, number>> = { year: 12, quarter: 3, month: 1 };
export const MONTHS_PER_YEAR = 12;

export function unitOf(value: BsonValue, name: string): string {
  const isUnit =
    typeof value === 'string' && (Object.hasOwn(MS_PER_UNIT, value) || Object.hasOwn(MONTHS_PER_UNIT, value));
  if (!isUnit) throw mongoError('FailedToParse', `unknown time unit value in ${name}: ${String(value)}`);
  return value;
}
