import { BSONRegExp, type BsonValue, type Document } from '../../src/bson/document.ts';
import type { Random } from './random.ts';
import { int, knownValue, number, path, regex, scalar } from './values.ts';

/** The input of the generators: a source of random numbers, and the documents that the filters apply to. */
export interface Source {
  random: Random;
  documents: readonly Document[];
}

export function filter(source: Source, depth = 2): Document {
  const { random } = source;
  const clauses: [string, BsonValue][] = random.list(random.chance(0.1) ? 0 : 1, random.pick([1, 1, 2]), () =>
    clause(source, depth),
  );
  return new Map(clauses);
}

function clause(source: Source, depth: number): [string, BsonValue] {
  const { random, documents } = source;
  if (depth > 0 && random.chance(0.15)) return logical(source, depth);
  if (documents.length > 0 && random.chance(0.5)) return fulfilled(source);
  return [path(random), condition(source)];
}

/** A condition that usually at least one of the documents satisfies. */
function fulfilled(source: Source): [string, BsonValue] {
  const { random, documents } = source;
  const [name, found] = random.pick(reachable(random.pick(documents)));
  const conditions: (() => BsonValue)[] = [
    () => (isOperator(found) ? new Map([['$eq', found]]) : found),
    () => new Map([[random.pick(['$gte', '$lte', '$eq']), found instanceof BSONRegExp ? null : found]]),
    () =>
      new Map([[random.pick(['$gt', '$lt', '$ne']), found instanceof BSONRegExp ? null : equality(source)]]),
    () => new Map([['$in', [equality(source), found]]]),
    () => new Map([[random.pick(['$nin', '$in']), [equality(source)]]]),
    () => new Map([['$exists', random.chance(0.9)]]),
    () => new Map([['$not', new Map([operator(source)])]]),
    () => (Array.isArray(found) ? new Map([['$size', int(found.length)]]) : found),
    () => (typeof found === 'string' ? new Map([['$regex', random.pick(['^', '.', 'a', 'b?$'])]]) : found),
  ];
  return [name, random.pick(conditions)()];
}

const isOperator = (value: BsonValue): boolean =>
  value instanceof Map && (value.keys().next().value?.startsWith('$') ?? false);

/** The paths of a document, with and without array indexes, and their values. */
function reachable(value: BsonValue, prefix = ''): [string, BsonValue][] {
  const fields = value instanceof Map ? [...value] : [];
  return fields.flatMap(([name, field]): [string, BsonValue][] => {
    const at = `${prefix}${name}`;
    if (!Array.isArray(field)) return [[at, field], ...reachable(field, `${at}.`)];
    const inElements = field.flatMap((element, position): [string, BsonValue][] => [
      [at, element],
      [`${at}.${position}`, element],
      ...reachable(element, `${at}.`),
      ...reachable(element, `${at}.${position}.`),
    ]);
    return [[at, field], ...inElements];
  });
}

function logical(source: Source, depth: number): [string, BsonValue] {
  const { random } = source;
  const name = random.pick(['$and', '$or', '$or', '$nor']);
  return [name, random.list(1, 3, () => filter(source, depth - 1))];
}

export function condition(source: Source): BsonValue {
  const { random } = source;
  return random.weighted<BsonValue>([
    [30, () => equality(source)],
    [3, () => regex(random)],
    [67, () => new Map(random.list(1, random.chance(0.2) ? 2 : 1, () => operator(source)))],
  ]);
}

const equality = ({ random, documents }: Source): BsonValue => knownValue(random, documents);

function operator(source: Source): [string, BsonValue] {
  const { random } = source;
  const known = () => equality(source);
  return random.weighted<[string, BsonValue]>([
    [40, () => [random.pick(['$gt', '$gte', '$lt', '$lte']), known()]],
    [8, () => ['$eq', known()]],
    [10, () => ['$ne', known()]],
    [12, () => ['$in', random.list(0, 3, () => known())]],
    [6, () => ['$nin', random.list(0, 3, known)]],
    [
      8,
      () => [
        '$exists',
        random.weighted<BsonValue>([
          [9, () => random.chance(0.5)],
          [1, () => scalar(random)],
        ]),
      ],
    ],
    [10, () => ['$elemMatch', elemMatch(source)]],
    [5, () => ['$size', random.chance(0.9) ? int(random.int(0, 3)) : number(random)]],
    [4, () => ['$mod', [number(random), number(random)]]],
    [5, () => ['$regex', random.chance(0.5) ? regex(random).pattern : regex(random)]],
    [
      5,
      () => ['$not', random.chance(0.1) ? regex(random) : new Map(random.list(1, 1, () => operator(source)))],
    ],
  ]);
}

function elemMatch(source: Source): BsonValue {
  const { random } = source;
  if (random.chance(0.5)) return new Map([operator(source)]);
  return new Map([[random.pick(['a', 'b', '0']), condition(source)]]);
}

/** A partial filter expression of an index. Regular expressions are not allowed in it. */
export function partialFilter(source: Source): Document {
  const { random } = source;
  const known = (): BsonValue => {
    const found = equality(source);
    return found instanceof BSONRegExp ? null : found;
  };
  const simple = (): [string, BsonValue] => {
    const operators: [string, BsonValue][] = [
      [random.pick(['$eq', '$gt', '$gte', '$lt', '$lte']), known()],
      ['$exists', true],
      ['$in', random.list(1, 3, known)],
    ];
    return [path(random), random.chance(0.2) ? known() : new Map([random.pick(operators)])];
  };
  if (random.chance(0.8)) return new Map(random.list(1, 2, simple));
  return new Map([[random.pick(['$or', '$and']), random.list(1, 2, () => new Map([simple()]))]]);
}
