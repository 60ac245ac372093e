import { join } from 'node:path';
import { type Document, serialize } from 'bson';
import { decode } from '../../src/bson/document.ts';
import { readIndexSpecification } from '../../src/storage/index-specification.ts';
import { openStore } from '../../src/storage/store.ts';
import type { PreparedInsert } from './floor.ts';
import { INDEXES } from './payment-documents.ts';

export interface InsertPreparer {
  /** Computes the bytes and index keys that the server stores for a document, so that the floor only writes. */
  prepare(document: Document): PreparedInsert;
  close(): void;
}

export function createInsertPreparer(folder: string): InsertPreparer {
  const store = openStore({ path: join(folder, 'keys.db'), fsync: false });
  const collection = store.createCollection('bench', 'payments');
  for (const index of INDEXES)
    store.createIndex(collection, readIndexSpecification(decode(serialize(index))));
  return {
    prepare(document) {
      const bytes = serialize(document);
      const decoded = decode(bytes);
      const keys = collection.indexes.map((index) => index.entriesOf(decoded).entries[0]?.key as Uint8Array);
      return { bytes, keys };
    },
    close: () => store.close(),
  };
}
