import type { BsonValue, Document } from '../../src/bson/document.ts';
import type { Expected, Group } from './expected.ts';
import { parseFilter } from './filter.ts';
import { compareKeys, distinctValues, keysOf } from './paths.ts';
import { parsePipeline } from './pipeline.ts';
import { parseProjection } from './projection.ts';
import { rejectUnless, together } from './rejected.ts';
import { asDocument, count, countOf, fields, onlyReply, type Target } from './replies.ts';
import { directionOf, parseSort, tiesOf } from './sort.ts';

export function find(collection: Target, command: Document): Expected {
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
  const found = withinKeys(collection.documents, command).filter(parseFilter(filter));
  const groups = windowOf(tiesOf(found, parseSort(sort)), skip, limit);
  return onlyReply(collection, {
    kind: 'documents',
    groups: groups.map(({ candidates, take }) => ({ candidates: candidates.map(project), take })),
  });
}

/** At most `limit` results from position `skip` on. */
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

/** Applies `min` and `max` of `find`: selects documents with a key in the range of the hinted index. */
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

export function countDocuments(collection: Target, command: Document): Expected {
  const skip = countOf(command.get('skip'));
  const limit = Math.abs(countOf(command.get('limit')));
  rejectUnless(skip >= 0, 'must be >= 0', 51024);
  const test = parseFilter(asDocument(command.get('query')));
  const found = collection.documents.filter(test).length;
  const rest = Math.max(0, found - skip);
  return onlyReply(collection, fields([['n', count(limit === 0 ? rest : Math.min(rest, limit))]]));
}

export function distinct(collection: Target, command: Document): Expected {
  const path = (command.get('key') as string).split('.');
  const found = collection.documents.filter(parseFilter(asDocument(command.get('query'))));
  const candidates = found.flatMap((document) => distinctValues(document, path));
  return onlyReply(collection, { kind: 'values', candidates });
}

export function aggregate(collection: Target, command: Document): Expected {
  const pipeline = parsePipeline(command.get('pipeline') as BsonValue[]);
  const { documents, isOrdered } = pipeline({ documents: [...collection.documents], isOrdered: false });
  const groups = isOrdered
    ? documents.map((document) => ({ candidates: [document], take: 1 }))
    : [{ candidates: documents, take: documents.length }];
  return onlyReply(collection, { kind: 'documents', groups });
}
