import { EJSON } from 'bson';
import type { BsonValue } from '../bson/document.ts';

const MAX_LENGTH = 150;

/** The value as text for an error message, truncated if it is long. */
export function describeValue(value: BsonValue): string {
  const text = EJSON.stringify(plain(value));
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

function plain(value: BsonValue): unknown {
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, field]) => [name, plain(field)]));
  return Array.isArray(value) ? value.map(plain) : value;
}
