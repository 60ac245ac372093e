import { type BsonValue, type Document, Long } from '../../src/bson/document.ts';
import { filter, partialFilter, type Source } from './filters.ts';
import { pipeline, sort } from './pipelines.ts';
import { projection } from './projections.ts';
import { update } from './updates.ts';
import { document, int, path, value } from './values.ts';

export const COLLECTION = 'things';

const INDEX_PATHS = ['a', 'a', 'b', 'c', 'n', 's', 't', 'list', 'a.b', 'a.a', 'b.a', 'a.0'];

/** An index specification for `createIndexes`. */
export function index(source: Source, name: string): Document {
  const { random } = source;
  const key = new Map(
    random.some(1, 3, [...new Set(INDEX_PATHS)]).map((one) => [one, int(random.pick([1, 1, -1]))]),
  );
  const specification: Document = new Map<string, BsonValue>([
    ['key', key],
    ['name', name],
  ]);
  if (random.chance(0.15)) specification.set('unique', true);
  if (random.chance(0.25)) specification.set('partialFilterExpression', partialFilter(source));
  return specification;
}

export function createIndex(specification: Document): Document {
  return new Map<string, BsonValue>([
    ['createIndexes', COLLECTION],
    ['indexes', [specification]],
  ]);
}

export function insertion(documents: Document[]): Document {
  return new Map<string, BsonValue>([
    ['insert', COLLECTION],
    ['documents', documents],
  ]);
}

export interface Target extends Source {
  indexes: readonly Document[];
}

/** A command on the collection, without `$db`. */
export function command(target: Target): Document {
  return target.random.weighted<Document>([
    [34, () => find(target)],
    [26, () => aggregate(target)],
    [16, () => updateCommand(target)],
    [6, () => findAndModify(target)],
    [5, () => count(target)],
    [5, () => distinct(target)],
    [4, () => remove(target)],
    [4, () => insert(target)],
  ]);
}

type Fields = [string, BsonValue][];

function hintable(target: Target): Document[] {
  return target.indexes.filter((one) => !one.has('partialFilterExpression'));
}

function hint(target: Target): Fields {
  const { random } = target;
  if (!random.chance(0.1)) return [];
  const indexes = hintable(target);
  if (indexes.length === 0 || random.chance(0.3)) {
    return [['hint', random.pick<BsonValue>(['_id_', new Map([['_id', int(1)]])])]];
  }
  const chosen = random.pick(indexes);
  return [['hint', (random.chance(0.5) ? chosen.get('name') : chosen.get('key')) as BsonValue]];
}

/** `min` and `max` of an index, which requires a hint by its key. */
function keyRange(target: Target): Fields {
  const { random } = target;
  const indexes = hintable(target);
  if (indexes.length === 0) return [];
  const key = random.pick(indexes).get('key') as Document;
  const bound = (): Document => new Map([...key.keys()].map((name) => [name, value(random, 1)]));
  const fields: Fields = [['hint', key]];
  const isMin = random.chance(0.6);
  if (isMin) fields.push(['min', bound()]);
  if (!isMin || random.chance(0.3)) fields.push(['max', bound()]);
  return fields;
}

function find(target: Target): Document {
  const { random } = target;
  const fields: Fields = [
    ['find', COLLECTION],
    ['filter', filter(target)],
  ];
  if (random.chance(0.1)) fields.push(['batchSize', int(random.int(0, 3))]);
  if (random.chance(0.4)) fields.push(['sort', sort(target, random.chance(0.3))]);
  if (random.chance(0.4)) fields.push(['projection', projection(target, true)]);
  if (random.chance(0.15)) fields.push(['skip', int(random.int(0, 4))]);
  if (random.chance(0.25))
    fields.push(['limit', random.chance(0.8) ? int(random.int(0, 5)) : Long.fromNumber(2)]);
  return new Map([...fields, ...(random.chance(0.03) ? keyRange(target) : hint(target))]);
}

function aggregate(target: Target): Document {
  return new Map<string, BsonValue>([
    ['aggregate', COLLECTION],
    ['pipeline', pipeline(target)],
    [
      'cursor',
      target.random.chance(0.9) ? new Map() : new Map([['batchSize', int(target.random.int(0, 3))]]),
    ],
    ...hint(target),
  ]);
}

function count(target: Target): Document {
  const { random } = target;
  const fields: Fields = [
    ['count', COLLECTION],
    ['query', filter(target)],
  ];
  if (random.chance(0.2)) fields.push(['skip', int(random.int(0, 4))]);
  if (random.chance(0.2)) fields.push(['limit', int(random.int(-3, 5))]);
  return new Map([...fields, ...hint(target)]);
}

function distinct(target: Target): Document {
  return new Map<string, BsonValue>([
    ['distinct', COLLECTION],
    ['key', path(target.random)],
    ['query', filter(target)],
  ]);
}

function insert({ random }: Target): Document {
  return insertion(random.list(1, 2, () => document(random))).set('ordered', random.chance(0.5));
}

function updateCommand(target: Target): Document {
  const { random } = target;
  const multi = random.chance(0.5);
  const operation = new Map<string, BsonValue>([
    ['q', random.chance(0.25) ? new Map() : filter(target)],
    ['u', update(target, multi)],
    ['multi', multi],
    ['upsert', random.chance(0.25)],
    ...hint(target),
  ]);
  return new Map<string, BsonValue>([
    ['update', COLLECTION],
    ['updates', [operation]],
  ]);
}

function remove(target: Target): Document {
  const operation = new Map<string, BsonValue>([
    ['q', filter(target)],
    ['limit', int(target.random.int(0, 1))],
    ...hint(target),
  ]);
  return new Map<string, BsonValue>([
    ['delete', COLLECTION],
    ['deletes', [operation]],
  ]);
}

function findAndModify(target: Target): Document {
  const { random } = target;
  const fields: Fields = [
    ['findAndModify', COLLECTION],
    ['query', filter(target)],
  ];
  if (random.chance(0.6)) fields.push(['sort', sort(target, random.chance(0.7))]);
  if (random.chance(0.3)) fields.push(['fields', projection(target, true)]);
  if (random.chance(0.15)) fields.push(['remove', true]);
  else {
    fields.push(['update', update(target, false)]);
    if (random.chance(0.5)) fields.push(['new', true]);
    if (random.chance(0.3)) fields.push(['upsert', true]);
  }
  return new Map(fields);
}
