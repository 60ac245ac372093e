import { BSONRegExp } from 'bson';
import { BsonUndefined, type BsonValue, type Document } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';

/** How deep a stored document may nest: MongoDB keeps 20 of BSON's 200 levels for the messages around it. */
const MAX_STORED_DEPTH = 180;

/** Refuses a document that MongoDB would not store: nested too deep, or with an `_id` that cannot be one. */
export function validateForStorage(document: Document): void {
  const id = document.get('_id');
  if (id !== undefined) validateId(id);
  if (exceedsDepth(document, MAX_STORED_DEPTH)) {
    throw mongoError('Overflow', `Document exceeds maximum nesting depth of ${MAX_STORED_DEPTH}`);
  }
}

function validateId(id: BsonValue): void {
  const refused = Array.isArray(id)
    ? 'array'
    : id instanceof BSONRegExp
      ? 'regex'
      : id instanceof BsonUndefined
        ? 'undefined'
        : undefined;
  if (refused !== undefined)
    throw mongoError('InvalidIdField', `The '_id' value cannot be of type ${refused}`);
  if (!(id instanceof Map)) return;
  for (const name of id.keys()) {
    if (name.startsWith('$')) {
      throw mongoError(
        'DollarPrefixedFieldName',
        `_id fields may not contain '$'-prefixed fields: ${name} is not valid for storage.`,
      );
    }
  }
}

function exceedsDepth(value: Document | BsonValue[], levelsLeft: number): boolean {
  if (levelsLeft === 0) return true;
  for (const inner of value.values()) {
    if ((inner instanceof Map || Array.isArray(inner)) && exceedsDepth(inner, levelsLeft - 1)) return true;
  }
  return false;
}
