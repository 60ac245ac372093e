import type { Document } from '../../src/bson/document.ts';
import { isTrue } from './expression.ts';
import { type Filter, parseFilter } from './filter.ts';
import { compareLists, isEqual } from './order.ts';
import { keysOf } from './paths.ts';
import { Rejected, rejectUnless } from './rejected.ts';
import { asDocument } from './replies.ts';
import { directionOf } from './sort.ts';
import { copyDocument } from './update.ts';

interface Index {
  paths: string[][];
  isUnique: boolean;
  holds: Filter;
}

/** A collection as an array of documents. Each command reads all of them. */
export class ReferenceCollection {
  documents: Document[] = [];
  readonly indexes: Index[] = [];

  /** Adds an index that `createIndexes` has accepted. */
  addIndex(specification: Document): void {
    this.indexes.push(parseIndex(specification));
  }

  /** Returns the possible outcomes of the command. Does not change the documents: see `Alternative.after`. */
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

  /** Rejects a document that conflicts with the others. If there are several reasons, the code is undetermined. */
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

export function parseIndex(specification: Document): Index {
  const key = asDocument(specification.get('key'));
  for (const direction of key.values()) directionOf(direction);
  return {
    paths: [...key.keys()].map((path) => path.split('.')),
    isUnique: isTrue(specification.get('unique')),
    holds: parseFilter(asDocument(specification.get('partialFilterExpression'))),
  };
}

export function assertKeys(index: Index, document: Document, others: readonly Document[]): void {
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
