import { crc32 } from 'node:zlib';
import { mongoError } from '../bson/mongo-error.ts';
import type { ScanRow } from './scan.ts';

/** What is stored beside a document's bytes, so that a bit that flips on the disk is noticed. */
export function checksumOf(bytes: Uint8Array): number {
  return crc32(bytes);
}

/** @throws DataCorruptionDetected for a document that is not as it was stored; documents of layout 1 have no checksum. */
export function assertWhole([rid, bytes, checksum]: ScanRow, namespace: string): void {
  // SQLite gives another type where the record's head is corrupted.
  if (bytes instanceof Uint8Array && (checksum === null || checksumOf(bytes) === checksum)) return;
  throw mongoError(
    'DataCorruptionDetected',
    `the data file is corrupted (record ${rid} of ${namespace} is not as it was stored): stop the server and restore the file from a copy`,
  );
}
