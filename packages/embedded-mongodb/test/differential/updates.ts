import { type BsonValue, type Document, Double } from '../../src/bson/document.ts';
import * as expressions from './expressions.ts';
import { condition, filter, type Source } from './filters.ts';
import { addedFields, projection } from './projections.ts';
import { apart } from './random.ts';
import { int, knownValue, number, regex, scalar, value } from './values.ts';

const TOP = ['a', 'b', 'c', 'n', 'm', 's', 'list'];
const PATHS = [...TOP, ...TOP, 'a.b', 'a.a', 'b.a', 'a.0', 'a.1', 'a.0.b', 'a.b.c', 'b.2', 'x.y', '_id'];

export function update(source: Source, isMulti: boolean): BsonValue {
  const { random } = source;
  return random.weighted<BsonValue>([
    [75, () => modifiers(source)],
    [isMulti ? 0.5 : 10, () => replacement(source)],
    [15, () => pipeline(source)],
  ]);
}

function replacement({ random }: Source): Document {
  const fields: [string, BsonValue][] = random.some(0, 3, TOP).map((name) => [name, value(random)]);
  if (random.chance(0.05)) fields.push(['_id', int(random.int(0, 3))]);
  return new Map(fields);
}

function pipeline(source: Source): BsonValue[] {
  const { random } = source;
  return random.list(1, 2, () =>
    random.weighted<Document>([
      [6, () => new Map([[random.pick(['$set', '$addFields']), addedFields(source)]])],
      [2, () => new Map([['$project', projection(source, false)]])],
      [1, () => new Map([['$replaceWith', newRoot(source)]])],
    ]),
  );
}

export function newRoot({ random }: Source): BsonValue {
  return random.weighted<BsonValue>([
    [
      3,
      () =>
        new Map([
          ['x', expressions.any(random, 2)],
          ['a', '$a'],
        ]),
    ],
    [2, () => new Map([['$mergeObjects', ['$$ROOT', new Map([['x', expressions.any(random, 1)]])]]])],
    [1, () => '$a'],
    [1, () => '$$ROOT'],
  ]);
}

function modifiers(source: Source): Document {
  const { random } = source;
  const result: Document = new Map();
  const all = random.list(1, 3, () => modifier(source));
  const kept = random.chance(0.1) ? undefined : apart(all.map(([, path]) => path));
  for (const [name, path, operand] of all) {
    if (kept !== undefined && !kept.includes(path)) continue;
    const fields = (result.get(name) as Document | undefined) ?? new Map();
    result.set(name, fields.set(path, operand));
  }
  if (random.chance(0.01)) result.set('$set', new Map());
  return result;
}

function modifier(source: Source): [string, string, BsonValue] {
  const { random } = source;
  const anyPath = () => random.pick(PATHS);
  const numberPath = () => (random.chance(0.6) ? random.pick(['n', 'm', 'list.0', 'list.1']) : anyPath());
  const arrayPath = () => (random.chance(0.6) ? random.pick(['list', 'a', 'b', 'a.b']) : anyPath());
  const known = () => knownValue(random, source.documents);
  return random.weighted<[string, string, BsonValue]>([
    [20, () => ['$set', anyPath(), known()]],
    [3, () => ['$setOnInsert', anyPath(), value(random)]],
    [8, () => ['$unset', anyPath(), '']],
    [12, () => ['$inc', numberPath(), numericOperand(source)]],
    [8, () => [random.pick(['$min', '$max']), numberPath(), known()]],
    [6, () => ['$bit', numberPath(), bits(source)]],
    [14, () => ['$push', arrayPath(), push(source)]],
    [10, () => ['$pull', arrayPath(), pull(source)]],
  ]);
}

const numericOperand = ({ random }: Source): BsonValue =>
  random.chance(0.97) ? number(random) : scalar(random);

function bits({ random }: Source): BsonValue {
  return new Map([['or', random.chance(0.9) ? int(random.int(-3, 9)) : number(random)]]);
}

function push({ random, documents }: Source): BsonValue {
  const known = () => knownValue(random, documents);
  if (random.chance(0.3)) return known();
  const clauses: [string, BsonValue][] = [['$each', random.list(0, 3, known)]];
  if (random.chance(0.4))
    clauses.push(['$slice', random.chance(0.9) ? int(random.int(-4, 4)) : new Double(2)]);
  return new Map(random.chance(0.5) ? clauses : clauses.reverse());
}

function pull(source: Source): BsonValue {
  const { random, documents } = source;
  return random.weighted<BsonValue>([
    [4, () => knownValue(random, documents)],
    [4, () => condition(source)],
    [2, () => filter(source, 0)],
    [1, () => regex(random)],
  ]);
}
