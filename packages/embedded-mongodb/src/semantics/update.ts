import { type BsonValue, type Document, isDocument } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { Collation } from './collation.ts';
import { equalValues } from './compare.ts';
import { describeField } from './describe.ts';
import { identicalValues } from './identical.ts';
import { validateForStorage } from './storage-validation.ts';
import { applyTree } from './update/apply-tree.ts';
import { type ArrayFilters, parseArrayFilters } from './update/array-filters.ts';
import { UNCHANGED } from './update/modifier.ts';
import { parseModifiers } from './update/parse-modifiers.ts';
import { type Rename, refuseArraysOnRenamePaths } from './update/rename.ts';
import type { UpdateBranch } from './update/tree.ts';
import { parseUpdatePipeline, type UpdatePipeline } from './update/update-pipeline.ts';
import { withTimestampsFilled } from './zero-timestamps.ts';

/** A parsed update: operators by path, a whole new document, or stages of an aggregation. */
export type ParsedUpdate =
  | { kind: 'modifiers'; root: UpdateBranch; arrayFilters: ArrayFilters; renames: readonly Rename[] }
  | { kind: 'replacement'; document: Document }
  | { kind: 'pipeline'; run: UpdatePipeline };

export interface ParseUpdateOptions {
  arrayFilters?: readonly BsonValue[];
  /** The command's `let`, for pipelines. */
  variables?: ReadonlyMap<string, BsonValue>;
  /** How strings compare in array filters, `$pull`, `$addToSet`, `$min` and their like. */
  collation?: Collation | undefined;
}

export interface ApplyUpdateOptions {
  /** Whether the document is about to be inserted: `$setOnInsert` counts then. */
  isInsert: boolean;
  now: Date;
  /** The place in an array at which the filter matched: the positional `$`. */
  position?: number | undefined;
}

export interface UpdateResult {
  document: Document;
  /** Whether anything is stored differently now. */
  changed: boolean;
}

/** Parses an update as the update and findAndModify commands take it. Throws MongoDB's errors. */
export function parseUpdate(update: BsonValue, options: ParseUpdateOptions = {}): ParsedUpdate {
  const filters = options.arrayFilters ?? [];
  if (Array.isArray(update)) {
    if (filters.length > 0)
      throw mongoError('FailedToParse', 'Cannot use arrayFilters with a pipeline update');
    return {
      kind: 'pipeline',
      run: parseUpdatePipeline(update, options.variables ?? new Map(), options.collation),
    };
  }
  if (!isDocument(update))
    throw mongoError('FailedToParse', 'Update argument must be either an object or an array');
  const first = update.keys().next().value;
  if (first?.startsWith('$')) {
    const arrayFilters = parseArrayFilters(filters, options.collation);
    return {
      kind: 'modifiers',
      root: parseModifiers(update, arrayFilters, options.collation),
      arrayFilters,
      renames: renamesOf(update),
    };
  }
  if (filters.length > 0)
    throw mongoError('FailedToParse', 'Cannot specify arrayFilters with a replacement update');
  return { kind: 'replacement', document: checkedReplacement(update) };
}

function renamesOf(update: Document): Rename[] {
  const renames = update.get('$rename');
  return isDocument(renames)
    ? [...renames].map(([source, target]) => ({ source, target: target as string }))
    : [];
}

function checkedReplacement(replacement: Document): Document {
  for (const name of replacement.keys()) {
    if (name.startsWith('$')) {
      throw mongoError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
    }
  }
  return replacement;
}

/** Applies the update. The document given stays as it is; a changed `_id` is refused with ImmutableField (66). */
export function applyUpdate(
  update: ParsedUpdate,
  document: Document,
  options: ApplyUpdateOptions,
): UpdateResult {
  const next = updated(update, document, options);
  if (next === UNCHANGED) return { document, changed: false };
  const withId = update.kind === 'modifiers' ? next : keepId(document, next);
  refuseChangedId(document, withId, update.kind);
  validateForStorage(withId);
  return { document: withId, changed: true };
}

function updated(
  update: ParsedUpdate,
  document: Document,
  options: ApplyUpdateOptions,
): Document | typeof UNCHANGED {
  if (update.kind === 'modifiers') {
    refuseArraysOnRenamePaths(update.renames, document);
    return applyTree(update.root, document, {
      original: document,
      isInsert: options.isInsert,
      now: options.now,
      position: options.position,
      arrayFilters: update.arrayFilters,
    });
  }
  const next =
    update.kind === 'pipeline' ? update.run(document, options.now) : withTimestampsFilled(update.document);
  return identicalValues(keepId(document, next), document) ? UNCHANGED : next;
}

/** A replacement keeps the `_id` of what it replaces, at the front. */
function keepId(before: Document, after: Document): Document {
  // Not `??`: null is an _id too.
  const id = after.has('_id') ? after.get('_id') : before.get('_id');
  if (id === undefined) return after;
  if (after.keys().next().value === '_id') return after;
  const result: Document = new Map([['_id', id]]);
  for (const [name, value] of after) result.set(name, value);
  return result;
}

function refuseChangedId(before: Document, after: Document, kind: ParsedUpdate['kind']): void {
  const id = before.get('_id');
  if (id === undefined) return;
  const newId = after.get('_id');
  if (newId !== undefined && equalValues(id, newId)) return;
  const message =
    kind === 'modifiers'
      ? "Performing an update on the path '_id' would modify the immutable field '_id'"
      : `After applying the update, the (immutable) field '_id' was found to have been altered to ${describeField('_id', newId ?? null)}`;
  throw mongoError('ImmutableField', message);
}
