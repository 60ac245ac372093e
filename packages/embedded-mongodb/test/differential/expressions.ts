import { type BsonValue, type Document, Double, Int32 } from '../../src/bson/document.ts';
import type { Random } from './random.ts';
import { date, int, number, scalar, text, value } from './values.ts';

type Make = (random: Random, depth: number) => BsonValue;

const operator = (name: string, operand: BsonValue): Document => new Map([[name, operand]]);
const named = (name: string, operands: Record<string, BsonValue | undefined>): Document =>
  operator(
    name,
    new Map(Object.entries(operands).filter((entry): entry is [string, BsonValue] => entry[1] !== undefined)),
  );
const entries = (...fields: [string, BsonValue][]): Document => new Map(fields);
/** Wraps strings, which would otherwise be paths. */
const literal = (of: BsonValue): BsonValue =>
  (typeof of === 'string' && of.startsWith('$')) || of instanceof Map || Array.isArray(of)
    ? operator('$literal', of)
    : of;

/** Occasionally returns a value of another type. */
function orAnything(random: Random, depth: number, make: () => BsonValue): BsonValue {
  if (!random.chance(0.02)) return make();
  return random.chance(0.5) ? path(random) : any(random, Math.min(depth, 1));
}

const PATHS = [
  '$a',
  '$b',
  '$c',
  '$a.b',
  '$a.a',
  '$b.a',
  '$a.b.c',
  '$a.0',
  '$n',
  '$s',
  '$t',
  '$list',
  '$missing',
  '$_id',
];
const path = (random: Random): BsonValue =>
  random.chance(0.9) ? random.pick(PATHS) : random.pick(['$$ROOT', '$$CURRENT.a', '$$ROOT.n', '$$REMOVE']);

export const numeric: Make = (random, depth) =>
  orAnything(random, depth, () => {
    if (depth <= 0)
      return random.chance(0.7) ? random.pick(['$n', '$m', '$n', '$m', '$n', '$m', '$a']) : number(random);
    const sub = () => numeric(random, depth - 1);
    return random.weighted<BsonValue>([
      [4, () => numeric(random, 0)],
      [3, () => operator(random.pick(['$add', '$multiply']), random.list(0, 3, sub))],
      [3, () => operator(random.pick(['$subtract', '$divide', '$mod', '$mod']), [sub(), sub()])],
      [3, () => operator(random.pick(['$abs', '$ceil', '$floor', '$round', '$trunc']), sub())],
      [2, () => operator(random.pick(['$round', '$trunc']), [sub(), int(random.int(-2, 3))])],
      [1, () => operator('$cmp', [any(random, depth - 1), any(random, depth - 1)])],
      [1, () => operator('$size', [array(random, depth - 1)])],
      [1, () => operator('$strLenCP', string(random, depth - 1))],
      [
        2,
        () =>
          operator(
            random.pick(['$sum', '$avg', '$min', '$max']),
            random.chance(0.5) ? '$list' : random.list(0, 3, sub),
          ),
      ],
      [3, () => datePart(random, depth - 1)],
      [1, () => dateDifference(random, depth - 1)],
      [1, () => operator('$subtract', [dated(random, depth - 1), dated(random, depth - 1)])],
      [1, () => operator('$arrayElemAt', ['$list', int(random.int(-3, 3))])],
      [1, () => conditional(random, depth - 1, numeric)],
    ]);
  });

export const string: Make = (random, depth) =>
  orAnything(random, depth, () => {
    if (depth <= 0) return random.chance(0.6) ? '$s' : literal(text(random));
    const sub = () => string(random, depth - 1);
    return random.weighted<BsonValue>([
      [3, () => string(random, 0)],
      [3, () => operator('$concat', random.list(0, 3, sub))],
      [2, () => operator(random.pick(['$toLower', '$toUpper']), sub())],
      [
        2,
        () =>
          operator('$substrCP', [
            sub(),
            int(random.int(random.chance(0.1) ? -1 : 0, 3)),
            int(random.int(0, 3)),
          ]),
      ],
      [1, () => operator('$type', any(random, depth - 1))],
      [3, () => dateText(random, depth - 1)],
      [1, () => conditional(random, depth - 1, string)],
    ]);
  });

const UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'];
const ZONES = [
  'UTC',
  'GMT',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Auckland',
  '+05:30',
  '-0330',
  '+01',
];
const DAYS = ['monday', 'Sunday', 'fri', 'SAT', 'wednesday'];
const unit = (random: Random): BsonValue =>
  random.chance(0.98) ? random.pick(UNITS) : random.pick([null, 'years', '$s']);
const zone = (random: Random): BsonValue | undefined =>
  random.chance(0.5)
    ? undefined
    : random.chance(0.96)
      ? random.pick(ZONES)
      : random.pick([null, 'Nowhere/At_All', '$s', int(1)]);
const startOfWeek = (random: Random): BsonValue | undefined =>
  random.chance(0.6) ? undefined : random.pick(DAYS);

export const dated: Make = (random, depth) =>
  orAnything(random, depth, () => {
    if (depth <= 0)
      return random.weighted<BsonValue>([
        [6, () => '$t'],
        [2, () => date(random)],
        [0.2, () => '$_id'],
      ]);
    const sub = () => dated(random, depth - 1);
    const amount = random.chance(0.9) ? int(random.int(-40, 40)) : number(random);
    return random.weighted<BsonValue>([
      [3, () => dated(random, 0)],
      [
        2,
        () => operator('$add', [sub(), random.chance(0.7) ? int(random.int(-1000, 1000)) : number(random)]),
      ],
      [
        2,
        () =>
          operator('$subtract', [sub(), random.chance(0.7) ? int(random.int(-1000, 1000)) : number(random)]),
      ],
      [
        4,
        () =>
          named(random.pick(['$dateAdd', '$dateSubtract']), {
            startDate: sub(),
            unit: unit(random),
            amount,
            timezone: zone(random),
          }),
      ],
      [
        4,
        () =>
          named('$dateTrunc', {
            date: sub(),
            unit: unit(random),
            binSize: random.chance(0.5) ? undefined : int(random.int(random.chance(0.03) ? 0 : 1, 7)),
            timezone: zone(random),
            startOfWeek: startOfWeek(random),
          }),
      ],
    ]);
  });

const PARTS = [
  '$year',
  '$month',
  '$dayOfMonth',
  '$hour',
  '$minute',
  '$second',
  '$millisecond',
  '$dayOfWeek',
  '$dayOfYear',
];

function datePart(random: Random, depth: number): BsonValue {
  const name = random.pick(PARTS);
  const of = dated(random, depth);
  return random.chance(0.5) ? operator(name, of) : named(name, { date: of, timezone: zone(random) });
}

function dateDifference(random: Random, depth: number): BsonValue {
  return named('$dateDiff', {
    startDate: dated(random, depth),
    endDate: dated(random, depth),
    unit: unit(random),
    timezone: zone(random),
    startOfWeek: startOfWeek(random),
  });
}

const FORMATS = ['%Y-%m-%d', '%H:%M:%S.%L', '%G-W%V-%u', '%j %U', '%z %Z', '100%%', '%Y%', '%q', ''];

function dateText(random: Random, depth: number): BsonValue {
  return named('$dateToString', {
    date: dated(random, depth),
    format: random.chance(0.7) ? random.pick(FORMATS) : random.chance(0.3) ? '$s' : undefined,
    timezone: zone(random),
    onNull: random.chance(0.8) ? undefined : any(random, 0),
  });
}

export const array: Make = (random, depth) =>
  orAnything(random, depth, () => {
    if (depth <= 0)
      return random.chance(0.7)
        ? random.pick(['$list', '$list', '$a', '$b'])
        : random.list(0, 3, () => any(random, 0));
    const sub = () => array(random, depth - 1);
    return random.weighted<BsonValue>([
      [3, () => array(random, 0)],
      [2, () => operator('$concatArrays', random.list(0, 3, sub))],
      [2, () => operator('$slice', [sub(), ...random.list(1, 2, () => int(random.int(-2, 3)))])],
      [2, () => mapped(random, depth - 1)],
      [2, () => filtered(random, depth - 1)],
      [1, () => operator('$split', [string(random, depth - 1), literal(random.pick(['a', 'b', ' ', '']))])],
      [1, () => random.list(0, 3, () => any(random, depth - 1))],
    ]);
  });

/** An expression that uses the variable in some places. */
function within(random: Random, depth: number, variable: string): BsonValue {
  const reference = random.pick([`$$${variable}`, `$$${variable}`, `$$${variable}.a`]);
  return random.weighted<BsonValue>([
    [3, () => reference],
    [
      3,
      () =>
        operator(random.pick(['$add', '$multiply', '$eq', '$gt', '$lt', '$ne']), [
          reference,
          numeric(random, depth - 1),
        ]),
    ],
    [1, () => operator('$type', reference)],
    [1, () => operator('$cond', [operator('$gt', [reference, any(random, 0)]), reference, '$missing'])],
    [1, () => new Map([['x', reference]])],
    [1, () => any(random, depth - 1)],
  ]);
}

function mapped(random: Random, depth: number): BsonValue {
  const as = random.chance(0.5) ? 'x' : undefined;
  return named('$map', { input: array(random, depth), as, in: within(random, depth, as ?? 'this') });
}

function filtered(random: Random, depth: number): BsonValue {
  const as = random.chance(0.5) ? 'x' : undefined;
  const limit = random.chance(0.8)
    ? undefined
    : random.pick<BsonValue>([int(1), int(2), new Double(1), int(0), null]);
  return named('$filter', {
    input: array(random, depth),
    as,
    cond: within(random, depth, as ?? 'this'),
    limit,
  });
}

const COMPARISONS = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'];

export const boolean: Make = (random, depth) => {
  if (depth <= 0) return random.chance(0.5) ? random.chance(0.5) : path(random);
  const sub = () => boolean(random, depth - 1);
  const same = random.pick([any, numeric, string, dated]);
  return random.weighted<BsonValue>([
    [6, () => operator(random.pick(COMPARISONS), [same(random, depth - 1), same(random, depth - 1)])],
    [2, () => operator(random.pick(['$and', '$or']), random.list(0, 3, sub))],
    [1, () => operator('$not', [sub()])],
    [1, () => operator('$isArray', [any(random, depth - 1)])],
    [2, () => operator('$in', [any(random, depth - 1), array(random, depth - 1)])],
  ]);
};

function conditional(random: Random, depth: number, make: Make): BsonValue {
  const sub = () => make(random, depth - 1);
  const condition = () => boolean(random, depth - 1);
  return random.weighted<BsonValue>([
    [2, () => operator('$cond', [condition(), sub(), sub()])],
    [1, () => operator('$cond', entries(['if', condition()], ['then', sub()], ['else', sub()]))],
    [2, () => operator('$ifNull', random.list(2, 3, sub))],
    [
      2,
      () =>
        named('$switch', {
          branches: random.list(1, 2, () => entries(['case', condition()], ['then', sub()])),
          default: random.chance(0.85) ? sub() : undefined,
        }),
    ],
  ]);
}

export const any: Make = (random, depth) => {
  if (depth <= 0) return random.chance(0.6) ? path(random) : literal(scalar(random));
  return random.weighted<BsonValue>([
    [3, () => path(random)],
    [1, () => literal(value(random))],
    [4, () => numeric(random, depth)],
    [3, () => string(random, depth)],
    [2, () => dated(random, depth)],
    [4, () => array(random, depth)],
    [3, () => boolean(random, depth)],
    [2, () => conditional(random, depth, any)],
    [1, () => operator(random.pick(['$first', '$last']), [array(random, depth - 1)])],
    [
      1,
      () =>
        operator('$arrayElemAt', [
          array(random, depth - 1),
          random.pick<BsonValue>([new Int32(0), new Int32(-1), new Double(1), new Double(0.5), null]),
        ]),
    ],
    [1, () => operator(random.pick(['$min', '$max', '$sum', '$avg']), [array(random, depth - 1)])],
    [
      1,
      () =>
        operator(
          '$mergeObjects',
          random.list(0, 3, () =>
            random.pick<BsonValue>(['$a', '$b', '$$ROOT', new Map([['x', '$n']]), null]),
          ),
        ),
    ],
    [1, () => new Map(random.list(0, 2, () => [random.pick(['x', 'y']), any(random, depth - 1)] as const))],
  ]);
};
