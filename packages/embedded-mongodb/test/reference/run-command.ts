import type { Document } from '../../src/bson/document.ts';
import { assertKeys, parseIndex, type ReferenceCollection } from './collection.ts';
import type { Expected } from './expected.ts';
import { findAndModify } from './find-and-modify.ts';
import { aggregate, countDocuments, distinct, find } from './reads.ts';
import { Rejected, together } from './rejected.ts';
import { fields, onlyReply, rejection } from './replies.ts';
import { insert, remove, update } from './writes.ts';

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

/** What MongoDB may reply. The documents stay as they are: see `Alternative.after`. */
export function runCommand(collection: ReferenceCollection, command: Document): Expected {
  const [name] = command.keys();
  const run = RUN[name ?? ''];
  if (run === undefined) throw new Error(`no reference for ${name}`);
  try {
    return run(collection, command);
  } catch (error) {
    if (error instanceof Rejected) return [rejection(collection, [error.code])];
    throw error;
  }
}

/** Supports one index per command. */
function createIndexes(collection: ReferenceCollection, command: Document): Expected {
  const [specification] = command.get('indexes') as [Document];
  const index = parseIndex(specification);
  const { documents } = collection;
  together(
    documents.map((document, position) => () => assertKeys(index, document, documents.slice(0, position))),
  );
  return onlyReply(collection, fields([]));
}
