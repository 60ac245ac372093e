import type { BsonValue, Document } from '../../src/bson/document.ts';
import * as expressions from './expressions.ts';
import { elemMatch, type Source } from './filters.ts';
import { int, number, scalar } from './values.ts';

const TOP = ['a', 'b', 'c', 'n', 's', 't', 'list', 'x'];
const PATHS = [...TOP, ...TOP, 'a.b', 'a.a', 'a.b.c', 'b.a', 'a.0', 'x.y', '_id'];

/** The specification of a `$project`, or of a find projection if `isFind` is set. */
export function projection(source: Source, isFind: boolean): Document {
  const { random } = source;
  const isInclusion = random.chance(0.6);
  const flag = (): BsonValue => random.pick<BsonValue>(isInclusion ? [int(1), true] : [int(0), false]);
  const fields: [string, BsonValue][] = random
    .paths(isFind ? 0 : 1, 3, PATHS)
    .map((path) => [path, isInclusion && random.chance(0.35) ? computed(source) : flag()]);
  if (random.chance(0.2)) fields.unshift(['_id', random.chance(0.8) ? int(0) : int(1)]);
  if (random.chance(0.04))
    fields.push([random.pick(PATHS), random.pick<BsonValue>([int(0), int(1), scalar(random)])]);
  if (isFind && random.chance(0.25)) fields.push(arrayPart(source, isInclusion));
  return new Map(fields);
}

function computed(source: Source): BsonValue {
  const { random } = source;
  if (random.chance(0.1))
    return new Map([[random.pick(['a', 'b']), random.chance(0.5) ? int(1) : expressions.any(random, 1)]]);
  return expressions.any(random, random.int(0, 3));
}

/** A `$slice`, or, in an inclusion, possibly an `$elemMatch`. */
function arrayPart(source: Source, isInclusion: boolean): [string, BsonValue] {
  const { random } = source;
  if (isInclusion && random.chance(0.5)) {
    return [random.pick(['a', 'b', 'c', 'list']), new Map([['$elemMatch', elemMatch(source)]])];
  }
  const bound = () => (random.chance(0.95) ? int(random.int(-3, 3)) : number(random));
  const slice = random.chance(0.5)
    ? bound()
    : [bound(), random.chance(0.9) ? int(random.int(1, 3)) : bound()];
  return [random.pick(['a', 'b', 'a.b', 'list']), new Map([['$slice', slice]])];
}

/** The specification of an `$addFields`. */
export function addedFields({ random }: Source): Document {
  return new Map(
    random.paths(1, 3, PATHS).map((path) => {
      const value = expressions.any(random, random.int(0, 3));
      return [path, random.chance(0.1) ? new Map([['b', value]]) : value] as const;
    }),
  );
}
