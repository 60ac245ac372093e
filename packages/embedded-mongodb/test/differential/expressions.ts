import type { BsonValue, Document } from '../../src/bson/document.ts';
import type { Random } from './random.ts';
import { date, number, scalar } from './values.ts';

type Make = (random: Random, depth: number) => BsonValue;

const operator = (name: string, operand: BsonValue): Document => new Map([[name, operand]]);
const entries = (...fields: [string, BsonValue][]): Document => new Map(fields);
/** Replaces what would not stand for itself. */
const literal = (of: BsonValue): BsonValue =>
  (typeof of === 'string' && of.startsWith('$')) || of instanceof Map || Array.isArray(of) ? null : of;

/** Occasionally returns a value of another type. */
function orAnything(random: Random, depth: number, make: () => BsonValue): BsonValue {
  if (!random.chance(0.02)) return make();
  return random.chance(0.5) ? path(random) : any(random, Math.min(depth, 1));
}

const PATHS = '$a $b $c $a.b $a.a $b.a $a.b.c $a.0 $n $s $t $list $missing $_id'.split(' ');
const path = (random: Random): BsonValue =>
  random.chance(0.9) ? random.pick(PATHS) : random.pick(['$$ROOT', '$$CURRENT.a', '$$ROOT.n', '$$REMOVE']);

export const numeric: Make = (random, depth) =>
  orAnything(random, depth, () => {
    if (depth <= 0)
      return random.chance(0.7) ? random.pick(['$n', '$m', '$n', '$m', '$n', '$m', '$a']) : number(random);
    const sub = () => numeric(random, depth - 1);
    return random.weighted<BsonValue>([
      [4, () => numeric(random, 0)],
      [3, () => operator('$multiply', random.list(0, 3, sub))],
      [3, () => operator(random.pick(['$subtract', '$divide']), [sub(), sub()])],
      [1, () => operator('$toDouble', sub())],
      [1, () => conditional(random, depth - 1, numeric)],
    ]);
  });

export const dated: Make = (random, depth) =>
  orAnything(random, depth, () => {
    if (depth <= 0) return random.chance(0.75) ? '$t' : date(random);
    const unit = random.chance(0.98) ? random.pick(['hour', 'day']) : random.pick([null, 'hours', '$s']);
    return operator('$dateTrunc', entries(['date', dated(random, depth - 1)], ['unit', unit]));
  });

export const boolean: Make = (random, depth) => {
  if (depth <= 0) return random.chance(0.5) ? random.chance(0.5) : path(random);
  const same = random.pick([any, numeric, dated]);
  return random.weighted<BsonValue>([
    [
      6,
      () => operator(random.pick(['$eq', '$ne', '$gt']), [same(random, depth - 1), same(random, depth - 1)]),
    ],
    [
      2,
      () =>
        operator(
          '$and',
          random.list(0, 3, () => boolean(random, depth - 1)),
        ),
    ],
  ]);
};

function conditional(random: Random, depth: number, make: Make): BsonValue {
  const sub = () => make(random, depth - 1);
  const condition = () => boolean(random, depth - 1);
  return random.weighted<BsonValue>([
    [2, () => operator('$cond', [condition(), sub(), sub()])],
    [1, () => operator('$cond', entries(['if', condition()], ['then', sub()], ['else', sub()]))],
    [2, () => operator('$ifNull', random.list(2, 3, sub))],
  ]);
}

export const any: Make = (random, depth) => {
  if (depth <= 0) return random.chance(0.6) ? path(random) : literal(scalar(random));
  return random.weighted<BsonValue>([
    [3, () => path(random)],
    [4, () => numeric(random, depth)],
    [2, () => dated(random, depth)],
    [3, () => boolean(random, depth)],
    [2, () => conditional(random, depth, any)],
    [1, () => operator('$type', [any(random, depth - 1)])],
    [1, () => operator('$objectToArray', random.pick<BsonValue>(['$a', '$b', '$$ROOT', null]))],
    [
      1,
      () =>
        operator(
          '$mergeObjects',
          random.list(0, 3, () => documentOf(random)),
        ),
    ],
    [1, () => random.list(0, 3, () => any(random, depth - 1))],
    [1, () => new Map(random.list(0, 2, () => [random.pick(['x', 'y']), any(random, depth - 1)] as const))],
  ]);
};

function documentOf(random: Random): BsonValue {
  return random.pick<BsonValue>(['$a', '$b', '$$ROOT', new Map([['x', '$n']]), null]);
}
