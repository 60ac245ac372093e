import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Db } from 'mongodb';

/** MongoDB's limit is 16 MiB, and a reply may exceed it by little. */
const MAX_DOCUMENT_BYTES = 17 * 1024 * 1024;
const LENGTH_BYTES = 4;

/**
 * Number of documents in a reply. A server ends a reply at 16 MiB, so that memory is bounded in bytes, too: one reply that is read, and
 * one that is awaited.
 */
const BATCH_DOCUMENTS = 1_000;

/** The documents of a collection as the server stores them, in the order of their ids, which is the same on every server. */
export async function* readCollection(database: Db, name: string): AsyncGenerator<Uint8Array> {
  const cursor = database
    .collection(name)
    .find({}, { raw: true, batchSize: BATCH_DOCUMENTS, noCursorTimeout: true })
    .sort({ _id: 1 });
  for await (const document of cursor) yield document as unknown as Uint8Array;
}

/** The documents in a file of concatenated BSON, as mongodump writes it. @throws if the file ends within a document */
export async function* readBsonFile(path: string): AsyncGenerator<Uint8Array> {
  let held = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      if (held.length < LENGTH_BYTES) break;
      const size = held.readInt32LE(0);
      if (size < LENGTH_BYTES || size > MAX_DOCUMENT_BYTES) throw new Error(`${path} is not a file of BSON.`);
      if (held.length < size) break;
      yield held.subarray(0, size);
      held = held.subarray(size);
    }
  }
  if (held.length > 0) throw new Error(`${path} is incomplete.`);
}

export interface Digest {
  documents: number;
  bytes: number;
  sha256: string;
}

/** A digest to which documents are added in order. It equals the hash of their file. */
export function createDigest() {
  const hash = createHash('sha256');
  let documents = 0;
  let bytes = 0;
  return {
    add(document: Uint8Array): void {
      hash.update(document);
      documents += 1;
      bytes += document.length;
    },
    result: (): Digest => ({ documents, bytes, sha256: hash.digest('hex') }),
  };
}

export async function digestOf(
  documents: AsyncIterable<Uint8Array>,
  onDocument: (document: Uint8Array) => Promise<void> | void = () => undefined,
): Promise<Digest> {
  const digest = createDigest();
  for await (const document of documents) {
    digest.add(document);
    await onDocument(document);
  }
  return digest.result();
}
