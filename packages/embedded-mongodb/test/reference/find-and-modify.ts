import type { BsonValue, Document } from '../../src/bson/document.ts';
import { isTrue } from './arithmetic.ts';
import type { ReferenceCollection } from './collection.ts';
import type { Alternative, Expected, ExpectedReply } from './expected.ts';
import { parseFilter } from './filter.ts';
import { parseProjection, type Transform } from './projection.ts';
import { Rejected, together, Undetermined } from './rejected.ts';
import { asDocument, attempt, count, fields, unchanged, without } from './replies.ts';
import { parseSort, tiesOf } from './sort.ts';
import { parseUpdate, type Update } from './update.ts';
import { updatedIn, upserted } from './writes.ts';

export function findAndModify(collection: ReferenceCollection, command: Document): Expected {
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
  ]);
  const sort = parseSort(sortBy);
  const project = parseProjection(projection, true);
  const parsed = isRemove ? undefined : parseUpdate(change);
  const isProjected = projection.size > 0;
  const [candidates = []] = tiesOf(collection.documents.filter(parseFilter(filter)), sort);
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

/** If the projection of the result fails, the write may already be complete. */
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
