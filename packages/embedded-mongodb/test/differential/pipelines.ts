import { type BsonValue, type Document, Long } from '../../src/bson/document.ts';
import * as expressions from './expressions.ts';
import { any, boolean, dated, numeric } from './expressions.ts';
import { filter, type Source } from './filters.ts';
import { addedFields, projection } from './projections.ts';
import { newRoot } from './updates.ts';
import { int, path, scalar } from './values.ts';

const stage = (name: string, operand: BsonValue): Document => new Map([[name, operand]]);
const BY_ID = stage('$sort', new Map([['_id', int(1)]]));

export function pipeline(source: Source): Document[] {
  const { random } = source;
  if (random.chance(0.35)) return [BY_ID, computation(source)];
  const stages: Document[] = [];
  if (random.chance(0.3)) stages.push(stage('$match', filter(source)));
  // Most results depend on the order of the documents.
  if (random.chance(0.85)) stages.push(BY_ID);
  for (let left = random.int(1, 3); left > 0; left--) stages.push(...step(source));
  return stages;
}

/** Expressions on all documents, which usually succeed. */
function computation({ random }: Source): Document {
  const makers = [numeric, numeric, dated, boolean, any];
  const fields = random.some(1, 2, ['x', 'y', 'z']).map((name) => {
    const expression = random.pick(makers)(random, random.int(1, 3));
    return [name, expression] as const;
  });
  return stage('$project', new Map(fields));
}

function step(source: Source): Document[] {
  const { random } = source;
  return random.weighted<Document[]>([
    [3, () => [stage('$match', filter(source))]],
    [8, () => [stage('$project', projection(source, false))]],
    [5, () => [stage(random.pick(['$addFields', '$set']), addedFields(source))]],
    [1, () => [stage('$replaceWith', newRoot(source))]],
    [3, () => [stage('$sort', sort(source, true))]],
    [2, () => [stage('$limit', random.chance(0.95) ? Long.fromNumber(random.int(1, 6)) : scalar(random))]],
    [2, () => [stage('$skip', random.chance(0.95) ? int(random.int(0, 4)) : scalar(random))]],
    [6, () => [stage('$group', group(source)), ...(random.chance(0.7) ? [BY_ID] : [])]],
    [4, () => [stage('$unwind', unwind(source))]],
  ]);
}

/** @param endsWithId whether the sort ends with `_id`, so that the order is unique */
export function sort({ random }: Source, endsWithId: boolean): Document {
  const direction = () => int(random.pick([1, -1]));
  const fields: [string, BsonValue][] = random.list(endsWithId ? 0 : 1, 2, () => [path(random), direction()]);
  if (endsWithId) fields.push(['_id', direction()]);
  return new Map(fields);
}

function group({ random }: Source): Document {
  const id = random.weighted<BsonValue>([
    [3, () => null],
    [5, () => random.pick(['$a', '$b', '$n', '$s', '$a.b', '$t', '$missing'])],
    [
      2,
      () =>
        new Map([
          ['x', random.pick(['$a', '$n'])],
          ['y', '$s'],
        ]),
    ],
    [2, () => expressions.any(random, 2)],
  ]);
  const result: Document = new Map([['_id', id]]);
  for (const name of random.some(1, 3, ['x', 'y', 'z'])) {
    const operator = random.pick(['$sum', '$sum', '$min', '$max', '$first']);
    result.set(name, accumulator(random, operator));
  }
  return result;
}

function accumulator(random: Source['random'], operator: string): BsonValue {
  const operand = random.weighted<BsonValue>([
    [4, () => random.pick(['$n', '$n', '$m', '$a', '$b', '$s', '$t', '$list', '$a.b'])],
    [1, () => int(1)],
    [2, () => expressions.numeric(random, 2)],
    [1, () => expressions.any(random, 1)],
  ]);
  return new Map([[operator, Array.isArray(operand) ? '$n' : operand]]);
}

function unwind({ random }: Source): BsonValue {
  const of = random.pick(['$a', '$b', '$list', '$a.b', '$n', '$missing', '$a.0']);
  return random.chance(0.97) ? of : 'a';
}
