import { ObjectId } from 'bson';
import type { BsonValue, Document } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { compareStrings } from './compare.ts';
import type { FilterNode } from './filter/node.ts';
import { splitPath } from './path.ts';
import { validateForStorage } from './storage-validation.ts';
import { type ApplyUpdateOptions, applyUpdate, type ParsedUpdate } from './update.ts';

/**
 * The document that an upsert inserts when nothing matched: the fields that the filter asks to be equal to a value,
 * with the update applied. It always has an `_id`, at its front; a new ObjectId where neither gives one.
 */
export function documentForUpsert(
  filter: FilterNode,
  update: ParsedUpdate,
  options: Omit<ApplyUpdateOptions, 'isInsert'>,
): Document {
  const equalities = equalitiesOf(filter);
  const start = documentOfEqualities(
    update.kind === 'replacement' ? equalities.filter(({ path }) => path === '_id') : equalities,
  );
  const { document } = applyUpdate(update, start, { ...options, isInsert: true });
  const complete = withIdFirst(document);
  validateForStorage(complete);
  return complete;
}

interface Equality {
  path: string;
  value: BsonValue;
}

function equalitiesOf(node: FilterNode): Equality[] {
  if (node.kind === 'and') return node.children.flatMap(equalitiesOf);
  if (node.kind === 'or' && node.children.length === 1) return node.children.flatMap(equalitiesOf);
  if (node.kind !== 'path') return [];
  const { predicate, path } = node;
  if (predicate.kind === 'compare' && predicate.operator === 'eq') return [{ path, value: predicate.value }];
  if (predicate.kind === 'in' && predicate.values.length === 1 && predicate.regexes.length === 0) {
    return [{ path, value: predicate.values[0] as BsonValue }];
  }
  return [];
}

function documentOfEqualities(equalities: Equality[]): Document {
  const document: Document = new Map();
  const sorted = [...equalities].sort((a, b) => compareStrings(a.path, b.path));
  sorted.forEach(({ path, value }, index) => {
    for (const other of sorted.slice(index + 1)) {
      if (other.path === path || other.path.startsWith(`${path}.`)) {
        throw mongoError(
          'NotSingleValueField',
          `cannot infer query fields to set, path '${path}' is matched twice`,
        );
      }
    }
    setAtPath(document, splitPath(path), value);
  });
  return document;
}

function setAtPath(document: Document, parts: readonly string[], value: BsonValue): void {
  let current = document;
  for (const part of parts.slice(0, -1)) {
    const inner = current.get(part);
    if (inner instanceof Map) {
      current = inner;
    } else {
      const made: Document = new Map();
      current.set(part, made);
      current = made;
    }
  }
  current.set(parts.at(-1) as string, value);
}

function withIdFirst(document: Document): Document {
  if (document.keys().next().value === '_id') return document;
  // Not `??`: null is an _id too.
  const id = document.has('_id') ? (document.get('_id') as BsonValue) : new ObjectId();
  const result: Document = new Map([['_id', id]]);
  for (const [name, value] of document) if (name !== '_id') result.set(name, value);
  return result;
}
