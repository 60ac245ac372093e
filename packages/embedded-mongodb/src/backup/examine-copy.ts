import { examineDataFile } from '../storage/examine-file.ts';
import { openSnapshotStore } from '../storage/snapshot-store.ts';

export interface CopiedCollection {
  database: string;
  collection: string;
  documents: number;
}

/**
 * Examines a copy of a data file that no server uses: its structure and the checksum of every document. Returns its collections, by
 * name. @throws if the copy is corrupted, or is no data file
 */
export function examineCopy(path: string): CopiedCollection[] {
  examineDataFile(path);
  const store = openSnapshotStore(path);
  try {
    return store.within(() =>
      store.databaseNames().flatMap((database) =>
        store
          .collections(database)
          .map((collection) => {
            let documents = 0;
            for (const _ of collection.scan(1)) documents += 1;
            return { database, collection: collection.name, documents };
          })
          .sort((a, b) => (a.collection < b.collection ? -1 : 1)),
      ),
    );
  } finally {
    store.close();
  }
}
