import { Double } from 'bson';
import { type BsonValue, isDocument, isNumeric, type NumericValue, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { add } from '../../semantics/arithmetic.ts';
import { compareValues } from '../../semantics/compare.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import { shiftDate } from '../operators/date-arithmetic.ts';
import { unitOf } from '../operators/date-unit.ts';
import type { WindowSort } from './partition.ts';

/** The places of the documents in a window: from `start` on, before `end`. */
export interface Frame {
  start: number;
  end: number;
}

/** The window of each document of a partition, told by the values that it is sorted by. */
export type FramesOf = (sortValues: readonly BsonValue[]) => Frame[];

type Bound = 'unbounded' | 'current' | NumericValue;

/** The whole partition, where no window is given. */
export const WHOLE_PARTITION: FramesOf = (sortValues) =>
  sortValues.map(() => ({ start: 0, end: sortValues.length }));

/** Parses `{documents: [lower, upper]}` or `{range: [lower, upper], unit}`. */
export function parseWindow(window: BsonValue | undefined, sort: WindowSort): FramesOf {
  if (window === undefined) return WHOLE_PARTITION;
  if (!isDocument(window)) throw mongoError('FailedToParse', "'window' field must be an object");
  for (const name of window.keys()) {
    if (name !== 'documents' && name !== 'range' && name !== 'unit')
      throw mongoError('FailedToParse', `'window' field contains an unknown argument: ${name}`);
  }
  const documents = window.get('documents');
  const range = window.get('range');
  if (documents !== undefined && range !== undefined)
    throw mongoError('FailedToParse', "Window bounds can specify either 'documents' or 'unit', not both.");
  if (documents !== undefined) {
    if (window.has('unit'))
      throw mongoError('FailedToParse', "Window bounds can specify either 'documents' or 'unit', not both.");
    return documentFrames(parseBounds(documents, 'documents'), sort);
  }
  if (range === undefined) {
    if (window.has('unit'))
      throw mongoError('FailedToParse', "Window bounds require 'range' where they have a 'unit'");
    return WHOLE_PARTITION;
  }
  return rangeFrames(parseBounds(range, 'range'), window.get('unit'), sort);
}

function parseBounds(given: BsonValue, kind: string): [lower: Bound, upper: Bound] {
  if (!Array.isArray(given) || given.length !== 2)
    throw mongoError('FailedToParse', `Window bounds must be a 2-element array: ${kind}`);
  const [lower, upper] = given.map((bound) => parseBound(bound, kind)) as [Bound, Bound];
  const isReversed = isNumeric(lower) && isNumeric(upper) && compareValues(lower, upper) > 0;
  if (isReversed) throw mongoError(5339900, 'Lower bound must not exceed upper bound');
  return [lower, upper];
}

function parseBound(bound: BsonValue, kind: string): Bound {
  if (bound === 'unbounded' || bound === 'current') return bound;
  if (isNumeric(bound) && (kind === 'range' || Number.isInteger(toNearestDouble(bound)))) return bound;
  throw mongoError(
    'FailedToParse',
    `Window bounds must be 'unbounded', 'current', or a number${kind === 'range' ? '' : ' without a fraction'}`,
  );
}

function documentFrames([lower, upper]: [Bound, Bound], sort: WindowSort): FramesOf {
  if ((lower !== 'unbounded' || upper !== 'unbounded') && sort.length === 0)
    throw mongoError(5339901, 'Document-based bounds require a sortBy');
  return (sortValues) => {
    const count = sortValues.length;
    const within = (place: number) => Math.min(Math.max(place, 0), count);
    return sortValues.map((_, place) => {
      const start = within(place + (lower === 'unbounded' ? -count : offsetOf(lower)));
      const end = within(place + 1 + (upper === 'unbounded' ? count : offsetOf(upper)));
      return { start, end: Math.max(start, end) };
    });
  };
}

function offsetOf(bound: 'current' | NumericValue): number {
  return bound === 'current' ? 0 : toNearestDouble(bound);
}

function rangeFrames(
  [lower, upper]: [Bound, Bound],
  unit: BsonValue | undefined,
  sort: WindowSort,
): FramesOf {
  if (sort.length !== 1 || sort[0]?.direction !== 1) {
    throw mongoError(5339902, 'Range-based bounds require sortBy a single field, ascending');
  }
  const unitName = unit === undefined ? undefined : unitOf(unit, '$setWindowFields');
  return (sortValues) =>
    sortValues.map((value) => {
      assertInRangeOrder(value, unitName);
      const start = lower === 'unbounded' ? 0 : firstNotBelow(sortValues, moved(value, lower, unitName));
      const end =
        upper === 'unbounded' ? sortValues.length : firstAbove(sortValues, moved(value, upper, unitName));
      return { start, end: Math.max(start, end) };
    });
}

function assertInRangeOrder(value: BsonValue, unit: string | undefined): void {
  if (unit === undefined) {
    if (value instanceof Date)
      throw mongoError(5429413, 'For windows that involve date or time ranges, a unit must be provided.');
    if (!isNumeric(value)) {
      throw mongoError(
        5429414,
        `Invalid range: Expected the sortBy field to be a number, but it was ${typeName(value)}`,
      );
    }
  } else if (!(value instanceof Date)) {
    throw mongoError(
      5429513,
      `Invalid range: Expected the sortBy field to be a Date, but it was ${typeName(value)}`,
    );
  }
}

function moved(value: BsonValue, bound: 'current' | NumericValue, unit: string | undefined): BsonValue {
  if (bound === 'current') return value;
  if (value instanceof Date)
    return shiftDate(value, unit as string, toNearestDouble(bound), '$setWindowFields');
  const number = value as NumericValue;
  return add(number, bound) ?? new Double(toNearestDouble(number) + toNearestDouble(bound));
}

function firstNotBelow(sorted: readonly BsonValue[], value: BsonValue): number {
  return firstWhere(sorted, (other) => compareValues(other, value) >= 0);
}

function firstAbove(sorted: readonly BsonValue[], value: BsonValue): number {
  return firstWhere(sorted, (other) => compareValues(other, value) > 0);
}

/** The first place from which on the condition holds. */
function firstWhere(sorted: readonly BsonValue[], holds: (value: BsonValue) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(sorted[middle] as BsonValue)) high = middle;
    else low = middle + 1;
  }
  return low;
}
