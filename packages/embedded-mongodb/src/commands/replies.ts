import { type BsonValue, type Document, double, int32 } from '../bson/document.ts';
import { MongoError, mongoError } from '../bson/mongo-error.ts';
import { DuplicateKeyError } from '../storage/duplicate-key.ts';
import { CannotConvertToUniqueError } from './convert-to-unique.ts';
import { DocumentValidationError } from './document-validation.ts';

/** `{…fields, ok: 1}`. */
export function ok(fields: Readonly<Record<string, BsonValue>> = {}): Document {
  const reply: Document = new Map(Object.entries(fields));
  return reply.set('ok', double(1));
}

/** `{ok: 0, errmsg, code, codeName}`, with what else is told of some errors. */
export function errorReply(error: MongoError): Document {
  const reply: Document = new Map<string, BsonValue>([
    ['ok', double(0)],
    ['errmsg', error.message],
    ['code', int32(error.code)],
    ['codeName', error.codeName],
  ]);
  addParticulars(reply, error);
  return reply;
}

/** One entry of `writeErrors`. */
export function writeError(index: number, error: MongoError): Document {
  const entry: Document = new Map<string, BsonValue>([
    ['index', int32(index)],
    ['code', int32(error.code)],
    ['errmsg', error.message],
  ]);
  addParticulars(entry, error);
  return entry;
}

/** Of a duplicate key which, of an invalid document why. */
function addParticulars(reply: Document, error: MongoError): void {
  if (error instanceof DuplicateKeyError) {
    reply.set('keyPattern', error.keyPattern);
    reply.set('keyValue', error.keyValue);
  }
  if (error instanceof DocumentValidationError) reply.set('errInfo', error.errInfo);
  if (error instanceof CannotConvertToUniqueError) reply.set('violations', error.violations);
}

/** An error of any kind as one that can be answered; what is not MongoDB's becomes InternalError. */
export function asMongoError(error: unknown): MongoError {
  if (error instanceof MongoError) return error;
  if (error instanceof Error && /database or disk is full/.test(error.message)) {
    return mongoError('OutOfDiskSpace', 'the disk with the data file is full');
  }
  if (error instanceof Error && /malformed|file is not a database/.test(error.message)) {
    return mongoError(
      'DataCorruptionDetected',
      `the data file is damaged (${error.message}): stop the server and restore the file from a copy`,
    );
  }
  return mongoError('InternalError', error instanceof Error ? error.message : String(error));
}
