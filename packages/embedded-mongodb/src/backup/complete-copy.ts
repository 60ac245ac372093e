import { DatabaseSync } from 'node:sqlite';
import { layoutOf, userVersionWith } from '../storage/file-identity.ts';

const UNNUMBERED = 0;

/** Gives a copy its own identity, and makes it a single file that can be read from a read-only disk. */
export function completeCopy(path: string): void {
  const database = new DatabaseSync(path);
  try {
    // A copy has the journal mode of its original: with WAL, even a reader creates files next to it.
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
    const original = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    database.exec(`PRAGMA user_version = ${userVersionWith(layoutOf(original), UNNUMBERED)}`);
  } finally {
    database.close();
  }
}
