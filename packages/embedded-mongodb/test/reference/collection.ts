import type { Document } from '../../src/bson/document.ts';
import { isTrue } from './arithmetic.ts';
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

/** A collection as an array of documents. It reads all of them for each command. */
export class ReferenceCollection {
  documents: Document[] = [];
  readonly indexes: Index[] = [];

  /** Adds an index that `createIndexes` has been accepted for. */
  addIndex(specification: Document): void {
    this.indexes.push(parseIndex(specification));
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
