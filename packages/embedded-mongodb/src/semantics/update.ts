import { isStageName, parsePipeline, runPipeline } from '../aggregation/pipeline.ts';
import { type BsonValue, type Document, isDocument } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { equalValues, identicalValues } from './compare.ts';
import { describeValue } from './describe.ts';
import { validateForStorage } from './storage-validation.ts';
import { applyTree } from './update/apply-tree.ts';
import { UNCHANGED } from './update/modifier.ts';
import { parseModifiers, type UpdateTree } from './update/parse-modifiers.ts';
import { withTimestampsFilled } from './zero-timestamps.ts';

/** A parsed update: operators by path, a replacement document, or an aggregation pipeline. */
export type ParsedUpdate =
  | { kind: 'modifiers'; tree: UpdateTree }
  | { kind: 'replacement'; document: Document }
  | { kind: 'pipeline'; run(document: Document, now: Date): Document };

export interface ApplyUpdateOptions {
  /** Whether the document is about to be inserted, so that `$setOnInsert` applies. */
  isInsert: boolean;
  now: Date;
}

export interface UpdateResult {
  document: Document;
  /** Whether MongoDB counts the document as modified. */
  changed: boolean;
}

/** Parses the update of an update or findAndModify command. Throws MongoDB's errors. */
export function parseUpdate(update: BsonValue): ParsedUpdate {
  if (Array.isArray(update)) return { kind: 'pipeline', run: parseUpdatePipeline(update) };
  if (!isDocument(update))
    throw mongoError('FailedToParse', 'Update argument must be either an object or an array');
  if (update.keys().next().value?.startsWith('$')) return { kind: 'modifiers', tree: parseModifiers(update) };
  for (const name of update.keys()) {
    if (!name.startsWith('$')) continue;
    throw mongoError('DollarPrefixedFieldName', `The field '${name}' is not allowed in a replacement`);
  }
  return { kind: 'replacement', document: update };
}

const UPDATE_STAGES = new Set(['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith']);

/** Parses a pipeline update. Allows only stages that turn one document into one document. */
function parseUpdatePipeline(stages: BsonValue[]): (document: Document, now: Date) => Document {
  for (const stage of stages) {
    const name = isDocument(stage) ? stage.keys().next().value : undefined;
    if (name !== undefined && isStageName(name) && !UPDATE_STAGES.has(name))
      throw mongoError('InvalidOptions', `${name} is not allowed to be used within an update`);
  }
  // Parsed once per command: `$$NOW` is the same for all documents that the command updates.
  let parsedFor = new Date(0);
  let parsed = parsePipeline(stages, { now: parsedFor });
  return (document, now) => {
    if (now !== parsedFor) {
      parsedFor = now;
      parsed = parsePipeline(stages, { now });
    }
    const [result] = runPipeline(parsed, [document]);
    return copyOfDocument(result as Document);
  };
}

/** A pipeline can set two fields to one array object. Index keys distinguish arrays by identity, so they must differ. */
function copyOfDocument(document: Document): Document {
  return new Map([...document].map(([name, value]) => [name, copyOf(value)]));
}

function copyOf(value: BsonValue): BsonValue {
  if (value instanceof Map) return copyOfDocument(value);
  return Array.isArray(value) ? value.map(copyOf) : value;
}

/** Applies the update to a copy of the document. Throws ImmutableField (66) if the `_id` changes. */
export function applyUpdate(
  update: ParsedUpdate,
  document: Document,
  options: ApplyUpdateOptions,
): UpdateResult {
  if (update.kind === 'modifiers') {
    const next = applyTree(update.tree, document, options.isInsert);
    if (next === UNCHANGED) return { document, changed: false };
    // Unlike in a replacement, an equal _id of a different numeric type counts as a change.
    if (!isSameId(document, next, identicalValues)) throw changedId(next);
    validateForStorage(next);
    return { document: next, changed: true };
  }
  const next =
    update.kind === 'pipeline' ? update.run(document, options.now) : withTimestampsFilled(update.document);
  if (identicalValues(next, document)) return { document, changed: false };
  const withId = keepId(document, next);
  validateForStorage(withId);
  if (!isSameId(document, withId, equalValues)) throw changedId(withId);
  return { document: withId, changed: true };
}

/** A replacement keeps the `_id` of the replaced document as its first field. */
function keepId(before: Document, after: Document): Document {
  // Not `??`: null is an _id too.
  const id = after.has('_id') ? after.get('_id') : before.get('_id');
  if (id === undefined) return after;
  return new Map([['_id', id], ...after]);
}

function isSameId(before: Document, after: Document, isSame: typeof equalValues): boolean {
  const id = before.get('_id');
  const newId = after.get('_id');
  return id === undefined || (newId !== undefined && isSame(id, newId));
}

function changedId(document: Document): Error {
  const id = document.get('_id');
  const change = id === undefined ? 'removed' : `altered to ${describeValue(id)}`;
  return mongoError('ImmutableField', `The update would have the immutable field '_id' ${change}`);
}
