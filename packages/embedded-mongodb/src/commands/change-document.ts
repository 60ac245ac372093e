import { type BsonValue, type Document, encode } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { FoundRecord } from '../planner/execute.ts';
import type { FilterNode } from '../semantics/filter.ts';
import { applyUpdate, type ParsedUpdate } from '../semantics/update.ts';
import { documentForUpsert } from '../semantics/upsert.ts';
import type { Collection } from '../storage/collection.ts';
import { MAX_BSON_OBJECT_BYTES } from '../wire/limits.ts';
import { assertValid } from './document-validation.ts';

export interface WriteOptions {
  /** `$$NOW`, and the time of `$currentDate`. */
  now: Date;
  /** `bypassDocumentValidation`: the validator of the collection is not asked. */
  bypassesValidation: boolean;
}

/** Stores what the update makes of a found document. Says what it became, and whether anything changed. */
export function changeDocument(
  collection: Collection,
  { rid, document, position }: FoundRecord,
  update: ParsedUpdate,
  { now, bypassesValidation }: WriteOptions,
): { document: Document; changed: boolean } {
  const result = applyUpdate(update, document, { isInsert: false, now, position: position.index });
  if (!result.changed) return result;
  if (!bypassesValidation) assertValid(collection, result.document, document);
  collection.replace(rid, document, result.document, encodeForStorage(result.document, 17419));
  return result;
}

/** Stores the document of an upsert that found nothing to update. */
export function insertUpserted(
  collection: Collection,
  filter: FilterNode,
  update: ParsedUpdate,
  { now, bypassesValidation }: WriteOptions,
): { document: Document; id: BsonValue } {
  const document = documentForUpsert(filter, update, { now });
  if (!bypassesValidation) assertValid(collection, document);
  collection.insert(document, encodeForStorage(document, 17420));
  return { document, id: document.get('_id') as BsonValue };
}

/** @param tooLarge the code of mongod's refusal, by whether a document is changed or made */
function encodeForStorage(document: Document, tooLarge: 17419 | 17420): Uint8Array {
  const bytes = encode(document);
  if (bytes.length <= MAX_BSON_OBJECT_BYTES) return bytes;
  throw mongoError(
    tooLarge,
    `${tooLarge === 17419 ? 'Resulting document after update' : 'Document to upsert'} is larger than ${MAX_BSON_OBJECT_BYTES}. Size: ${bytes.length}`,
  );
}
