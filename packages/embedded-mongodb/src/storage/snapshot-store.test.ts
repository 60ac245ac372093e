import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/server-under-test.ts';
import { decode, documentOf, encode, int32 } from '../bson/document.ts';
import type { Collection } from './collection.ts';
import type { IndexTable } from './index-table.ts';
import { openSnapshotStore } from './snapshot-store.ts';
import { openStore, type Store } from './store.ts';

/** More than are read ahead, and than are read between two reads of the clock. */
const DOCUMENTS = 2000;

let path: string;
let store: Store;
let things: Collection;

beforeEach(() => {
  const folder = temporaryFolder();
  path = join(folder, 'data.db');
  store = openStore({ path, fsync: false });
  things = store.createCollection('test', 'things');
  insert(0, DOCUMENTS);
});

afterEach(() => store.close());

function insert(first: number, count: number): void {
  for (let n = first; n < first + count; n++) {
    const document = documentOf({ _id: int32(n) });
    things.insert(document, encode(document));
  }
  store.flush();
}

/** Scans the collection through another connection, runs `change` after the first record, and returns the ids. */
function scanWhile(maxAgeMs: number | undefined, change: () => void): unknown[] {
  const snapshots = openSnapshotStore(path, maxAgeMs);
  try {
    return snapshots.within(() => {
      const ids: unknown[] = [];
      for (const [, bytes] of snapshots.collection('test', 'things')?.scan(1) ?? []) {
        if (ids.length === 0) change();
        ids.push((decode(bytes).get('_id') as { value: number }).value);
      }
      return ids;
    });
  } finally {
    snapshots.close();
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

test('a read sees all data that was committed when it began and nothing that is committed later', () => {
  expect(scanWhile(undefined, () => insert(DOCUMENTS, 10))).toEqual(numbers(DOCUMENTS));
});

test('a read does not see uncommitted writes', () => {
  const document = documentOf({ _id: int32(-1) });
  things.insert(document, encode(document));
  expect(scanWhile(undefined, () => {})).toEqual(numbers(DOCUMENTS));
});

test('a read that takes too long for one snapshot continues in a newer one without losing or repeating records', () => {
  expect(scanWhile(0, () => insert(DOCUMENTS, 10))).toEqual(numbers(DOCUMENTS + 10));
});

test('a read ends with an error when its collection is dropped meanwhile', () => {
  const drop = () => {
    store.dropCollection(things);
    store.flush();
  };
  expect(() => scanWhile(0, drop)).toThrow('collection dropped');
});

test('a read ends with an error when the index that it scans is dropped meanwhile', () => {
  const snapshots = openSnapshotStore(path, 0);
  const read = () =>
    snapshots.within(() => {
      const collection = snapshots.collection('test', 'things') as Collection;
      const [index] = collection.indexes;
      if (index === undefined) throw new Error('there is no index');
      let count = 0;
      for (const _ of collection.scanIndex(
        index,
        { lower: Uint8Array.of(0), upper: Uint8Array.of(0xff) },
        1,
      )) {
        count += 1;
        if (count > 1) continue;
        store.dropIndex(things, things.indexes[0] as IndexTable);
        store.flush();
      }
    });
  expect(read).toThrow("index '_id_' dropped");
  snapshots.close();
});
