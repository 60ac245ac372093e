import { type BsonValue, type Document, double, int32 } from '../bson/document.ts';
import { MongoError, mongoError } from '../bson/mongo-error.ts';
import { DuplicateKeyError } from '../storage/duplicate-key.ts';

/** `{…fields, ok: 1}`. */
export function ok(fields: Readonly<Record<string, BsonValue>> = {}): Document {
  const reply: Document = new Map(Object.entries(fields));
  return reply.set('ok', double(1));
}

/** `{ok: 0, errmsg, code, codeName}`, with the additional fields of some errors. */
export function errorReply(error: MongoError): Document {
  const reply: Document = new Map<string, BsonValue>([
    ['ok', double(0)],
    ['errmsg', error.message],
    ['code', int32(error.code)],
    ['codeName', error.codeName],
  ]);
  addDuplicateKey(reply, error);
  return reply;
}

/** One entry of `writeErrors`. */
export function writeError(index: number, error: MongoError): Document {
  const entry: Document = new Map<string, BsonValue>([
    ['index', int32(index)],
    ['code', int32(error.code)],
    ['errmsg', error.message],
  ]);
  addDuplicateKey(entry, error);
  return entry;
}

/** Adds the index and the values of a duplicate-key error. */
function addDuplicateKey(reply: Document, error: MongoError): void {
  if (!(error instanceof DuplicateKeyError)) return;
  reply.set('keyPattern', error.keyPattern);
  reply.set('keyValue', error.keyValue);
}

/** https://www.sqlite.org/rescode.html#ioerr_write: the system rejected a write for another reason than a full disk. */
const SQLITE_IOERR_WRITE = 778;

/** Returns the error for the reply. Any error other than a MongoError becomes InternalError. */
export function asMongoError(error: unknown): MongoError {
  if (error instanceof MongoError) return error;
  if (error instanceof RangeError && /call stack/.test(error.message))
    return mongoError('Overflow', 'The request, or a value it computes, is nested too deeply.');
  if (error instanceof Error && /database or disk is full/.test(error.message)) {
    return mongoError('OutOfDiskSpace', 'the disk with the data file is full');
  }
  if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_IOERR_WRITE) {
    return mongoError(
      'OutOfDiskSpace',
      'the data file cannot grow: a limit of its size or a quota is reached',
    );
  }
  if (error instanceof Error && /malformed|file is not a database/.test(error.message)) {
    return mongoError(
      'DataCorruptionDetected',
      `the data file is corrupted (${error.message}): stop the server and restore the file from a copy`,
    );
  }
  return mongoError('InternalError', error instanceof Error ? error.message : String(error));
}
