import { BSONRegExp, type BsonValue, type Document } from '../../src/bson/document.ts';
import { isTrue } from './arithmetic.ts';
import type { ReferenceCollection } from './collection.ts';
import type { Alternative, Expected, ExpectedReply } from './expected.ts';
import { parseFilter } from './filter.ts';
import type { Maybe } from './order.ts';
import { Rejected, rejectUnless, together } from './rejected.ts';
import { asDocument, attempt, count, countOf, fields, onlyReply, unchanged, without } from './replies.ts';
import { documentForUpsert, idFirst, parseUpdate, type Update, type Updated } from './update.ts';

export function insert(collection: ReferenceCollection, command: Document): Expected {
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

export function update(collection: ReferenceCollection, command: Document): Expected {
  const [operation] = command.get('updates') as [Document];
  const filter = asDocument(operation.get('q'));
  const isMulti = isTrue(operation.get('multi'));
  const isUpsert = isTrue(operation.get('upsert'));
  const parsed = parseWith(filter, operation.get('u') as BsonValue);
  rejectUnless(
    !(isMulti && parsed.kind === 'replacement'),
    'multi update is not supported for replacement',
    9,
  );
  const found = collection.documents.filter(parseFilter(filter));
  if (found.length === 0) return upsertOrNothing(collection, filter, parsed, isUpsert);
  if (isMulti) return updateAll(collection, found, parsed);
  return found.map((document) => attempt(collection, () => updateOne(collection, document, parsed)));
}

function parseWith(filter: Document, update: BsonValue): Update {
  together<unknown>([() => parseFilter(filter), () => parseUpdate(update)]);
  return parseUpdate(update);
}

/** Returns the updated document. Throws if it cannot be stored. */
export function updatedIn(collection: ReferenceCollection, document: Document, parsed: Update): Updated {
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

/** If an update of several documents fails, the others may or may not have changed. */
function updateAll(collection: ReferenceCollection, found: readonly Document[], parsed: Update): Expected {
  const rejections: Rejected[] = [];
  const isModified: (boolean | undefined)[] = [];
  const after = collection.documents.map((document): Document[] => {
    if (!found.includes(document)) return [document];
    try {
      const updated = parsed.apply(document);
      collection.assertFits(updated.document, []);
      isModified.push(updated.isModified);
      return [document, updated.document];
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      rejections.push(error);
      return [document];
    }
  });
  const isCollisionPossible = mayCollide(collection, after);
  const codes = [...rejections.map(({ code }) => code), ...(isCollisionPossible ? [11000] : [])];
  const failed: Alternative = { reply: { kind: 'rejected', codes }, after };
  if (rejections.length > 0) return [failed];
  const last = after.map((versions) => versions.at(-1) as Document);
  const isUnique = last.every((document) => fits(collection, document, without(last, document)));
  const modified = isModified.includes(undefined) ? undefined : isModified.filter((one) => one).length;
  const done: Alternative = { reply: modifiedFields(found.length, modified), after: unchanged(last) };
  return [...(isUnique ? [done] : []), ...(isCollisionPossible ? [failed] : [])];
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

/** Whether any version of a document conflicts with any version of another document. */
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

export function upserted(collection: ReferenceCollection, filter: Document, parsed: Update) {
  const made = documentForUpsert(filter, parsed);
  assertId(made.document.get('_id'));
  collection.assertFits(made.document, collection.documents);
  return made;
}

export function remove(collection: ReferenceCollection, command: Document): Expected {
  const [operation] = command.get('deletes') as [Document];
  const isOne = countOf(operation.get('limit')) === 1;
  const found = collection.documents.filter(parseFilter(asDocument(operation.get('q'))));
  if (found.length === 0 || !isOne) {
    const after = collection.documents.filter((document) => !found.includes(document));
    return [{ reply: fields([['n', count(found.length)]]), after: unchanged(after) }];
  }
  return found.map((document) => ({
    reply: fields([['n', count(1)]]),
    after: unchanged(without(collection.documents, document)),
  }));
}
