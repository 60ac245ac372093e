import { EJSON } from 'bson';
import type { BsonValue, Document } from '../bson/document.ts';

const MAX_LENGTH = 150;

/** The value as text for an error message, cut where it is long. */
export function describeValue(value: BsonValue): string {
  const text = EJSON.stringify(plain(value)) ?? String(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** One field as text, e.g. `{a: 5}`, as MongoDB's messages name the element in the way. */
export function describeField(name: string, value: BsonValue): string {
  return `{${name}: ${describeValue(value)}}`;
}

/** The document's `_id` as text, e.g. `{_id: 1}`, as MongoDB's messages name the document. */
export function describeId(document: Document): string {
  const id = document.get('_id');
  return id === undefined ? '{no id}' : `{_id: ${describeValue(id)}}`;
}

function plain(value: BsonValue): unknown {
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, field]) => [name, plain(field)]));
  if (Array.isArray(value)) return value.map(plain);
  return value;
}
