import { BSONRegExp, type BsonValue, type Document } from '../../src/bson/document.ts';
import type { Alternative, Expected, ExpectedReply, Group } from './expected.ts';
import { isTrue } from './expressions.ts';
import { type Filter, parseFilter } from './filter.ts';
import { intOrLong, wholeNumber } from './numbers.ts';
import { compareLists, isEqual, type Maybe } from './order.ts';
import { compareKeys, distinctValues, keysOf } from './paths.ts';
import { parsePipeline } from './pipeline.ts';
import { parseProjection, type Transform } from './projection.ts';
import { Rejected, rejectUnless, together, Undetermined } from './rejected.ts';
import { directionOf, parseSort, type Sort, sortDocuments } from './sort.ts';
import {
  copyDocument,
  documentForUpsert,
  idFirst,
  parseUpdate,
  type Update,
  type Updated,
} from './update.ts';

interface Index {
  paths: string[][];
  isUnique: boolean;
  holds: Filter;
}

const count = (number: number): BsonValue => intOrLong(BigInt(number));
const fields = (entries: [string, BsonValue][]): ExpectedReply => ({
  kind: 'fields',
  fields: new Map(entries),
});
const asDocument = (value: Maybe): Document => (value instanceof Map ? value : new Map());
const unchanged = (documents: readonly Document[]): Document[][] => documents.map((document) => [document]);

/** A collection as an array of documents. It reads all of them for each command. */
export class ReferenceCollection {
  documents: Document[] = [];
  readonly indexes: Index[] = [];

  /** Adds an index that `createIndexes` has been accepted for. */
  addIndex(specification: Document): void {
    this.indexes.push(parseIndex(specification));
  }

  /** What MongoDB may answer. The documents stay as they are: see `Alternative.after`. */
  run(command: Document): Expected {
    const [name] = command.keys();
    const run = RUN[name ?? ''];
    if (run === undefined) throw new Error(`no reference for ${name}`);
    try {
      return run(this, command);
    } catch (error) {
      if (error instanceof Rejected) return [rejection(this, [error.code])];
      throw error;
    }
  }

  /** Rejects a document that cannot be there with the others. Which of several reasons MongoDB gives is open. */
  assertFits(document: Document, others: readonly Document[]): void {
    const id = document.get('_id');
    const isTaken = others.some((other) => isEqual(other.get('_id'), id));
    const codes = new Set(isTaken ? [11000] : []);
    for (const index of this.indexes) {
      const code = codeOf(() => assertKeys(index, document, others));
      if (code !== undefined) codes.add(code);
    }
    rejectUnless(codes.size === 0, 'cannot be stored', codes.size === 1 ? [...codes][0] : undefined);
  }
}

function codeOf(run: () => void): number | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof Rejected) return error.code;
    throw error;
  }
}

function parseIndex(specification: Document): Index {
  const key = asDocument(specification.get('key'));
  for (const direction of key.values()) directionOf(direction);
  return {
    paths: [...key.keys()].map((path) => path.split('.')),
    isUnique: isTrue(specification.get('unique')),
    holds: parseFilter(asDocument(specification.get('partialFilterExpression'))),
  };
}

function assertKeys(index: Index, document: Document, others: readonly Document[]): void {
  if (!index.holds(document)) return;
  const keys = keysOf(copyDocument(document), index.paths);
  if (!index.isUnique) return;
  for (const other of others.filter(index.holds)) {
    const isTaken = keysOf(other, index.paths).some((key) =>
      keys.some((one) => compareLists(key, one) === 0),
    );
    rejectUnless(!isTaken, 'duplicate key', 11000);
  }
}

const RUN: Record<string, (collection: ReferenceCollection, command: Document) => Expected> = {
  find,
  count: countDocuments,
  distinct,
  aggregate,
  insert,
  update,
  delete: remove,
  findAndModify,
  createIndexes,
};

function rejection({ documents }: ReferenceCollection, codes: (number | undefined)[]): Alternative {
  return { reply: { kind: 'rejected', codes }, after: unchanged(documents) };
}

const onlyReply = ({ documents }: ReferenceCollection, reply: ExpectedReply): Expected => [
  { reply, after: unchanged(documents) },
];

/**
 * Documents that match. Whether an error of `$expr` comes up depends on what else excludes its documents, and on
 * whether MongoDB stops before it comes to them.
 */
function matching(documents: readonly Document[], filter: Document, stopsEarly = false): Document[] {
  const test = parseFilter(filter);
  try {
    return documents.filter(test);
  } catch (error) {
    const isOnlyExpression = [...filter.keys()].every((name) => name === '$expr');
    const isCertain = isOnlyExpression && !(stopsEarly && documents.length > 1);
    if (error instanceof Rejected && !isCertain) throw new Undetermined('an error that may not come up');
    // Another document, or the sort, may be what MongoDB rejects the command for.
    if (error instanceof Rejected) throw new Rejected(error.message);
    throw error;
  }
}

/** A count of documents: null and 0 are no limit. */
function countOf(value: Maybe): number {
  if (value === undefined || value === null) return 0;
  const whole = wholeNumber(value);
  rejectUnless(whole !== undefined, 'must be a whole number');
  return Number(whole);
}

/** Runs of documents that the sort does not tell apart. */
function tiesOf(documents: readonly Document[], sort: Sort): Document[][] {
  const ties: Document[][] = [];
  let last: Maybe[] | undefined;
  for (const document of sortDocuments(documents, sort).sorted) {
    const key = sort.keyOf(document);
    if (last !== undefined && sort.compare(last, key) === 0) ties.at(-1)?.push(document);
    else ties.push([document]);
    last = key;
  }
  return ties;
}

/** The part of the results from `skip` on. */
function windowOf(ties: readonly Document[][], skip: number, limit: number): Group[] {
  const end = limit === 0 ? Infinity : skip + limit;
  let position = 0;
  return ties.flatMap((candidates) => {
    const start = position;
    position += candidates.length;
    const take = Math.min(position, end) - Math.max(start, skip);
    return take > 0 ? [{ candidates, take }] : [];
  });
}

function find(collection: ReferenceCollection, command: Document): Expected {
  const skip = countOf(command.get('skip'));
  const limit = countOf(command.get('limit'));
  rejectUnless(skip >= 0 && limit >= 0, 'must be >= 0', 51024);
  const filter = asDocument(command.get('filter'));
  const sort = asDocument(command.get('sort'));
  const projection = asDocument(command.get('projection'));
  together<unknown>([
    () => parseFilter(filter),
    () => parseSort(sort),
    () => parseProjection(projection, true),
  ]);
  const project = parseProjection(projection, true);
  const inRange = withinKeys(collection.documents, command);
  const found = matching(inRange, filter, limit > 0 && sort.size === 0);
  const isNatural = sort.size === 0 && naturalDirection(command) !== undefined;
  const ties = isNatural
    ? inNaturalOrder(found, command).map((one) => [one])
    : tiesOf(found, parseSort(sort));
  const groups = windowOf(ties, skip, limit);
  return onlyReply(collection, {
    kind: 'documents',
    groups: groups.map((group) => projected(group, project)),
  });
}

/** With the hint `$natural` documents come in the order they were inserted in, or in reverse. */
function naturalDirection(command: Document): number | undefined {
  const hint = command.get('hint');
  const direction = hint instanceof Map ? hint.get('$natural') : undefined;
  return direction === undefined ? undefined : directionOf(direction);
}

function inNaturalOrder(documents: readonly Document[], command: Document): Document[] {
  return naturalDirection(command) === -1 ? documents.toReversed() : [...documents];
}

/** If some documents of a group cannot be projected, and not all are returned, it is open which. */
function projected({ candidates, take }: Group, project: Transform): Group {
  try {
    return { candidates: candidates.map(project), take };
  } catch (error) {
    if (error instanceof Rejected && take < candidates.length)
      throw new Undetermined('an error that may not come up');
    throw error;
  }
}

/** `min` and `max` of `find`: documents with a key in the range of the index that is hinted. */
function withinKeys(documents: readonly Document[], command: Document): Document[] {
  const min = command.get('min');
  const max = command.get('max');
  if (!(min instanceof Map) && !(max instanceof Map)) return [...documents];
  const hint = asDocument(command.get('hint'));
  const paths = [...hint.keys()].map((path) => path.split('.'));
  const directions = [...hint.values()].map(directionOf);
  if (min instanceof Map && max instanceof Map) {
    const order = compareKeys([...min.values()], [...max.values()], directions);
    rejectUnless(order < 0, 'min() does not come before max()', 51175);
  }
  return documents.filter((document) =>
    keysOf(document, paths).some(
      (key) =>
        (!(min instanceof Map) || compareKeys(key, [...min.values()], directions) >= 0) &&
        (!(max instanceof Map) || compareKeys(key, [...max.values()], directions) < 0),
    ),
  );
}

function countDocuments(collection: ReferenceCollection, command: Document): Expected {
  const skip = countOf(command.get('skip'));
  const limit = Math.abs(countOf(command.get('limit')));
  rejectUnless(skip >= 0, 'must be >= 0', 51024);
  const query = asDocument(command.get('query'));
  const found = matching(collection.documents, query, limit > 0).length;
  const rest = Math.max(0, found - skip);
  return onlyReply(collection, fields([['n', count(limit === 0 ? rest : Math.min(rest, limit))]]));
}

function distinct(collection: ReferenceCollection, command: Document): Expected {
  const path = (command.get('key') as string).split('.');
  const found = matching(collection.documents, asDocument(command.get('query')));
  const candidates = found.flatMap((document) => distinctValues(document, path));
  return onlyReply(collection, { kind: 'values', candidates });
}

function aggregate(collection: ReferenceCollection, command: Document): Expected {
  const pipeline = parsePipeline(command.get('pipeline') as BsonValue[]);
  const isNatural = naturalDirection(command) !== undefined;
  const input = { documents: inNaturalOrder(collection.documents, command), isOrdered: isNatural };
  const { documents, isOrdered } = pipeline(input);
  const groups = isOrdered
    ? documents.map((document) => ({ candidates: [document], take: 1 }))
    : [{ candidates: documents, take: documents.length }];
  return onlyReply(collection, { kind: 'documents', groups });
}

/** Of one index. */
function createIndexes(collection: ReferenceCollection, command: Document): Expected {
  const [specification] = command.get('indexes') as [Document];
  const index = parseIndex(specification);
  const { documents } = collection;
  together(
    documents.map((document, position) => () => assertKeys(index, document, documents.slice(0, position))),
  );
  return onlyReply(collection, fields([]));
}

function insert(collection: ReferenceCollection, command: Document): Expected {
  const given = command.get('documents') as Document[];
  const isOrdered = isTrue(command.get('ordered') ?? true);
  const documents = [...collection.documents];
  const codes: (number | undefined)[] = [];
  let inserted = 0;
  for (const document of given) {
    try {
      assertId(document.get('_id'));
      collection.assertFits(document, documents);
      documents.push(idFirst(document));
      inserted += 1;
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      codes.push(error.code);
      if (isOrdered) break;
    }
  }
  const reply: ExpectedReply =
    codes.length === 0 ? fields([['n', count(inserted)]]) : { kind: 'rejected', codes };
  return [{ reply, after: unchanged(documents) }];
}

function assertId(id: Maybe): void {
  rejectUnless(!Array.isArray(id), "the '_id' value cannot be of type array");
  rejectUnless(!(id instanceof BSONRegExp), "the '_id' value cannot be of type regex");
}

function update(collection: ReferenceCollection, command: Document): Expected {
  const [operation] = command.get('updates') as [Document];
  const filter = asDocument(operation.get('q'));
  const isMulti = isTrue(operation.get('multi'));
  const isUpsert = isTrue(operation.get('upsert'));
  const parsed = parseWith(filter, operation.get('u') as BsonValue, isUpsert);
  rejectUnless(
    !(isMulti && parsed.kind === 'replacement'),
    'multi update is not supported for replacement',
    9,
  );
  const found = matching(collection.documents, filter, true);
  if (found.length === 0) return upsertOrNothing(collection, filter, parsed, isUpsert);
  if (isMulti) return updateAll(collection, found, parsed);
  return found.map((document) => attempt(collection, () => updateOne(collection, document, parsed)));
}

function parseWith(filter: Document, update: BsonValue, isUpsert: boolean): Update {
  together<unknown>([
    () => parseFilter(filter),
    () => assertUpsertable(filter, isUpsert),
    () => parseUpdate(update),
  ]);
  return parseUpdate(update);
}

function assertUpsertable(filter: Document, isUpsert: boolean): void {
  const isExpression = filter.has('$expr');
  rejectUnless(!(isUpsert && isExpression), '$expr is not allowed in the query predicate for an upsert', 224);
}

/** The alternative, or that the command is rejected. */
function attempt(collection: ReferenceCollection, run: () => Alternative): Alternative {
  try {
    return run();
  } catch (error) {
    if (error instanceof Rejected) return rejection(collection, [error.code]);
    throw error;
  }
}

const without = (documents: readonly Document[], one: Document): Document[] =>
  documents.filter((document) => document !== one);

/** The updated document, after a check that it can be stored. */
function updatedIn(collection: ReferenceCollection, document: Document, parsed: Update): Updated {
  const updated = parsed.apply(document);
  collection.assertFits(updated.document, without(collection.documents, document));
  return updated;
}

function modifiedFields(matched: number, modified: number | undefined): ExpectedReply {
  const known: [string, BsonValue][] = modified === undefined ? [] : [['nModified', count(modified)]];
  return fields([['n', count(matched)], ...known]);
}

function updateOne(collection: ReferenceCollection, document: Document, parsed: Update): Alternative {
  const { document: after, isModified } = updatedIn(collection, document, parsed);
  return {
    reply: modifiedFields(1, isModified === undefined ? undefined : Number(isModified)),
    after: [...unchanged(without(collection.documents, document)), [after]],
  };
}

/** An update of several documents that fails leaves those that it has come to changed, whichever they are. */
function updateAll(collection: ReferenceCollection, found: readonly Document[], parsed: Update): Expected {
  const codes: (number | undefined)[] = [];
  const after: Document[][] = [];
  let modified: number | undefined = 0;
  for (const document of collection.documents) {
    if (!found.includes(document)) {
      after.push([document]);
      continue;
    }
    try {
      const updated = parsed.apply(document);
      for (const index of collection.indexes) assertKeys({ ...index, isUnique: false }, updated.document, []);
      after.push([document, updated.document]);
      modified =
        modified === undefined || updated.isModified === undefined
          ? undefined
          : modified + Number(updated.isModified);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      codes.push(error.code);
      after.push([document]);
    }
  }
  const failed: Alternative = { reply: { kind: 'rejected', codes: [...codes, 11000] }, after };
  if (codes.length > 0)
    return [
      { ...failed, reply: { kind: 'rejected', codes } },
      ...(mayCollide(collection, after) ? [failed] : []),
    ];
  const last = after.map((versions) => versions.at(-1) as Document);
  const isUnique = last.every((document) => fits(collection, document, without(last, document)));
  const done: Alternative = { reply: modifiedFields(found.length, modified), after: unchanged(last) };
  if (!isUnique) return [failed];
  return mayCollide(collection, after) ? [done, failed] : [done];
}

function fits(collection: ReferenceCollection, document: Document, others: readonly Document[]): boolean {
  try {
    collection.assertFits(document, others);
    return true;
  } catch (error) {
    if (error instanceof Rejected) return false;
    throw error;
  }
}

/** Whether any version of a document collides with any of another. */
function mayCollide(collection: ReferenceCollection, versions: readonly Document[][]): boolean {
  return versions.some((ones, index) => {
    const others = versions.filter((_, other) => other !== index).flat();
    return ones.some((one) => !fits(collection, one, others));
  });
}

function upsertOrNothing(
  collection: ReferenceCollection,
  filter: Document,
  parsed: Update,
  isUpsert: boolean,
): Expected {
  if (!isUpsert) return onlyReply(collection, modifiedFields(0, 0));
  const { document } = upserted(collection, filter, parsed);
  const entry: Document = new Map([
    ['index', count(0)],
    ['_id', document.get('_id') as BsonValue],
  ]);
  const reply = fields([
    ['n', count(1)],
    ['upserted', [entry]],
    ['nModified', count(0)],
  ]);
  return [{ reply, after: unchanged([...collection.documents, document]) }];
}

function upserted(collection: ReferenceCollection, filter: Document, parsed: Update) {
  const made = documentForUpsert(filter, parsed);
  assertId(made.document.get('_id'));
  collection.assertFits(made.document, collection.documents);
  return made;
}

function remove(collection: ReferenceCollection, command: Document): Expected {
  const [operation] = command.get('deletes') as [Document];
  const isOne = countOf(operation.get('limit')) === 1;
  const found = matching(collection.documents, asDocument(operation.get('q')), true);
  if (found.length === 0 || !isOne) {
    const after = collection.documents.filter((document) => !found.includes(document));
    return [{ reply: fields([['n', count(found.length)]]), after: unchanged(after) }];
  }
  return found.map((document) => ({
    reply: fields([['n', count(1)]]),
    after: unchanged(without(collection.documents, document)),
  }));
}

function findAndModify(collection: ReferenceCollection, command: Document): Expected {
  const filter = asDocument(command.get('query'));
  const sortBy = asDocument(command.get('sort'));
  const projection = asDocument(command.get('fields'));
  const isRemove = isTrue(command.get('remove'));
  const change = command.get('update') as BsonValue;
  const isUpsert = isTrue(command.get('upsert'));
  together<unknown>([
    () => parseFilter(filter),
    () => parseSort(sortBy),
    () => parseProjection(projection, true),
    () => isRemove || parseUpdate(change),
    () => assertUpsertable(filter, isUpsert),
  ]);
  const sort = parseSort(sortBy);
  const project = parseProjection(projection, true);
  const parsed = isRemove ? undefined : parseUpdate(change);
  const isProjected = projection.size > 0;
  const [candidates = []] = tiesOf(matching(collection.documents, filter, sortBy.size === 0), sort);
  const returnsNew = isTrue(command.get('new'));
  if (candidates.length === 0)
    return notFound(collection, { filter, parsed, project, isProjected, returnsNew, isUpsert });
  return candidates.flatMap((document) => {
    const others = unchanged(without(collection.documents, document));
    const change = () =>
      parsed === undefined ? undefined : updatedIn(collection, document, parsed).document;
    const done = attempt(collection, () => {
      const after = change();
      const value = project(returnsNew && after !== undefined ? after : document);
      const reply = modifyReply(1, parsed === undefined ? undefined : true, value);
      return { reply, after: after === undefined ? others : [...others, [after]] };
    });
    return done.reply.kind === 'rejected' ? [done, ...writtenAllTheSame(done, others, change)] : [done];
  });
}

/** If the result cannot be projected, the write may have been done before. */
function writtenAllTheSame(
  { reply }: Alternative,
  others: Document[][],
  change: () => Document | undefined,
): Alternative[] {
  try {
    const after = change();
    return [{ reply, after: after === undefined ? others : [...others, [after]] }];
  } catch (error) {
    if (error instanceof Rejected) return [];
    throw error;
  }
}

function modifyReply(
  n: number,
  updatedExisting: boolean | undefined,
  value: BsonValue,
  id?: BsonValue,
): ExpectedReply {
  const last: Document = new Map([['n', count(n)]]);
  if (updatedExisting !== undefined) last.set('updatedExisting', updatedExisting);
  if (id !== undefined) last.set('upserted', id);
  return fields([
    ['lastErrorObject', last],
    ['value', value],
  ]);
}

interface Missed {
  filter: Document;
  parsed: Update | undefined;
  project: Transform;
  isProjected: boolean;
  returnsNew: boolean;
  isUpsert: boolean;
}

function notFound(
  collection: ReferenceCollection,
  { filter, parsed, project, isProjected, returnsNew, isUpsert }: Missed,
): Alternative[] {
  const before = unchanged(collection.documents);
  if (parsed === undefined) return [{ reply: modifyReply(0, undefined, null), after: before }];
  if (!isUpsert) return [{ reply: modifyReply(0, false, null), after: before }];
  const { document, hasOwnId } = upserted(collection, filter, parsed);
  if (returnsNew && !hasOwnId && isProjected)
    throw new Undetermined('what is computed of an _id that the server makes');
  const after = [...before, [document]];
  const done = attempt(collection, () => {
    const value = returnsNew ? project(document) : null;
    return { reply: modifyReply(1, false, value, document.get('_id')), after };
  });
  return done.reply.kind === 'rejected' ? [done, { reply: done.reply, after }] : [done];
}
