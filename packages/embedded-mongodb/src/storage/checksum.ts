import { crc32 } from 'node:zlib';
import { mongoError } from '../bson/mongo-error.ts';
import type { ScanRow } from './scan.ts';

/** Stored beside a document's bytes to detect bit flips on the disk. */
export function checksumOf(bytes: Uint8Array): number {
  return crc32(bytes);
}

/** @throws DataCorruptionDetected if the document has changed on the disk. */
export function assertWhole([rid, bytes, checksum]: ScanRow, namespace: string): void {
  // SQLite returns another type if the record's header is corrupted.
  if (bytes instanceof Uint8Array && checksumOf(bytes) === checksum) return;
  throw mongoError(
    'DataCorruptionDetected',
    `the data file is corrupted (record ${rid} of ${namespace} is not as it was stored): stop the server and restore the file from a copy`,
  );
}
