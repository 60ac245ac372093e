import { fromString, toUUIDBytes } from 'typeid-js';
import { ID_PREFIXES, type IdKind } from './ids.ts';

const SUFFIX_LENGTH = 26;
const BEGINNING = /^[0-7][0-9a-hjkmnp-tv-z]{0,25}$/;
/**
 * The first and the last time at which ids that begin like this one are made, by the clock of the process that makes them. Null for a
 * text that no id of the kind begins with, and for the prefix alone.
 */
export function timesOfIds(kind: IdKind, beginning: string): { first: Date; last: Date } | null {
  const prefix = `${ID_PREFIXES[kind]}_`;
  const suffix = beginning.slice(prefix.length);
  if (!beginning.startsWith(prefix) || !BEGINNING.test(suffix)) return null;
  const timeOf = (completed: string) => timeOfId(prefix + completed);
  return {
    first: timeOf(suffix.padEnd(SUFFIX_LENGTH, '0')),
    last: timeOf(suffix.padEnd(SUFFIX_LENGTH, 'z')),
  };
}

/** A UUIDv7 begins with 48 bits of Unix milliseconds (RFC 9562 §5.7). */
function timeOfId(id: string): Date {
  const { buffer, byteOffset } = toUUIDBytes(fromString(id));
  const bytes = new DataView(buffer, byteOffset);
  return new Date(bytes.getUint16(0) * 2 ** 32 + bytes.getUint32(2));
}
