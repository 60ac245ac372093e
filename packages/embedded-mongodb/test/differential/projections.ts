import type { BsonValue, Document } from '../../src/bson/document.ts';
import * as expressions from './expressions.ts';
import type { Source } from './filters.ts';
import { int, scalar } from './values.ts';

const TOP = ['a', 'b', 'c', 'n', 's', 't', 'list', 'x'];
const PATHS = [...TOP, ...TOP, 'a.b', 'a.a', 'a.b.c', 'b.a', 'a.0', 'x.y', '_id'];

/** The specification of a `$project`, or of a find projection if `isFind` is set. */
export function projection({ random }: Source, isFind: boolean): Document {
  const isInclusion = random.chance(0.6);
  const flag = (): BsonValue => random.pick<BsonValue>(isInclusion ? [int(1), true] : [int(0), false]);
  const isComputed = (path: string) => !isFind && isInclusion && !path.includes('.') && random.chance(0.35);
  const fields: [string, BsonValue][] = random
    .paths(isFind ? 0 : 1, 3, PATHS)
    .map((path) => [path, isComputed(path) ? expressions.any(random, random.int(0, 3)) : flag()]);
  if (random.chance(0.2)) fields.unshift(['_id', random.chance(0.8) ? int(0) : int(1)]);
  if (random.chance(0.04))
    fields.push([random.pick(PATHS), random.pick<BsonValue>([int(0), int(1), scalar(random)])]);
  return new Map(fields);
}

/** The specification of an `$addFields`. */
export function addedFields({ random }: Source): Document {
  return new Map(
    random.paths(1, 3, TOP).map((path) => [path, expressions.any(random, random.int(0, 3))] as const),
  );
}
