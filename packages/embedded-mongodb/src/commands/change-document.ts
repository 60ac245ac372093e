import { type BsonValue, type Document, encode } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { FoundRecord } from '../planner/execute.ts';
import type { FilterNode } from '../semantics/filter.ts';
import { applyUpdate, type ParsedUpdate } from '../semantics/update.ts';
import { documentForUpsert } from '../semantics/upsert.ts';
import type { Collection } from '../storage/collection.ts';
import { MAX_BSON_OBJECT_BYTES } from '../wire/limits.ts';

/** Updates a document. Returns the result and whether it changed. */
export function changeDocument(
  collection: Collection,
  { rid, document }: FoundRecord,
  update: ParsedUpdate,
  now: Date,
): { document: Document; changed: boolean } {
  const result = applyUpdate(update, document, { isInsert: false, now });
  if (!result.changed) return result;
  collection.replace(rid, document, result.document, encodeForStorage(result.document, 17419));
  return result;
}

/** Inserts the document of an upsert that matched nothing. */
export function insertUpserted(
  collection: Collection,
  filter: FilterNode,
  update: ParsedUpdate,
  now: Date,
): { document: Document; id: BsonValue } {
  const document = documentForUpsert(filter, update, { now });
  collection.insert(document, encodeForStorage(document, 17420));
  return { document, id: document.get('_id') as BsonValue };
}

/** @param tooLarge mongod's code for a document that becomes too large by an update or an upsert */
function encodeForStorage(document: Document, tooLarge: 17419 | 17420): Uint8Array {
  const bytes = encode(document);
  if (bytes.length <= MAX_BSON_OBJECT_BYTES) return bytes;
  throw mongoError(
    tooLarge,
    `${tooLarge === 17419 ? 'Resulting document after update' : 'Document to upsert'} is larger than ${MAX_BSON_OBJECT_BYTES}. Size: ${bytes.length}`,
  );
}
