import { BSONRegExp } from 'bson';
import { type BsonValue, type Document, typeName } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';

/** The maximum depth of a stored document. MongoDB reserves 20 of BSON's 200 levels for the enclosing messages. */
const MAX_STORED_DEPTH = 180;

/** Rejects a document that MongoDB would not store: one that nests too deep or has an invalid `_id`. */
export function validateForStorage(document: Document): void {
  const id = document.get('_id');
  if (Array.isArray(id) || id instanceof BSONRegExp)
    throw mongoError('InvalidIdField', `The '_id' value cannot be of type ${typeName(id)}`);
  if (id !== undefined) rejectDollarNames(id);
  if (exceedsDepth(document, MAX_STORED_DEPTH))
    throw mongoError('Overflow', `Document exceeds maximum nesting depth of ${MAX_STORED_DEPTH}`);
}

function rejectDollarNames(value: BsonValue): void {
  if (value instanceof Map) {
    for (const name of value.keys()) {
      if (!name.startsWith('$')) continue;
      throw mongoError('DollarPrefixedFieldName', `_id fields may not contain '$'-prefixed fields: ${name}`);
    }
  }
  if (value instanceof Map || Array.isArray(value))
    for (const inner of value.values()) rejectDollarNames(inner);
}

function exceedsDepth(value: BsonValue, levelsLeft: number): boolean {
  if (!(value instanceof Map || Array.isArray(value))) return false;
  for (const inner of value.values()) {
    if (levelsLeft === 0 || exceedsDepth(inner, levelsLeft - 1)) return true;
  }
  return false;
}
