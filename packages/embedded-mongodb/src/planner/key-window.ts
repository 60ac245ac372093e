import type { BsonValue, Document } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { encodeKey, prefixUpperBound } from '../semantics/key-encoding.ts';
import type { IndexTable } from '../storage/index-table.ts';
import type { KeyRange } from '../storage/scan.ts';
import type { Hint } from './hint.ts';

/** `min` (inclusive) and `max` (exclusive) of a query: complete keys of the hinted index. */
export interface KeyWindow {
  min: Document | undefined;
  max: Document | undefined;
}

const BEFORE_ALL = new Uint8Array(0);

/** Returns the part of the hinted index between the two keys. */
export function windowRange(
  { min, max }: KeyWindow,
  hint: Hint | undefined,
): { index: IndexTable; range: KeyRange } {
  if (hint === undefined) {
    throw mongoError(51173, 'When using min()/max() a hint of which index to use must be provided');
  }
  if (hint.kind === 'natural')
    throw mongoError('BadValue', 'min and max are incompatible with hint $natural');
  const { index } = hint;
  if (min !== undefined && max !== undefined && [...min.keys()].join() !== [...max.keys()].join()) {
    throw mongoError(51176, 'min and max must have the same field names');
  }
  const lower = min === undefined ? BEFORE_ALL : keyOf(min, index);
  const upper = max === undefined ? prefixUpperBound(BEFORE_ALL) : keyOf(max, index);
  if (min !== undefined && max !== undefined && Buffer.compare(lower, upper) >= 0) {
    throw mongoError(
      51175,
      'The value provided for min() does not come before the value provided for max().',
    );
  }
  return { index, range: { lower, upper } };
}

function keyOf(values: Document, { definition }: IndexTable): Uint8Array {
  const { fields } = definition;
  const names = [...values.keys()];
  if (names.length !== fields.length || names.some((name, at) => name !== fields[at]?.path)) {
    throw mongoError(51174, 'The index chosen is not compatible with min/max');
  }
  return encodeKey(
    fields.map(({ path }) => values.get(path) as BsonValue),
    fields.map(({ direction }) => direction),
  );
}
