import { fromString, TypeID, toUUIDBytes } from 'typeid-js';
import { ID_PREFIXES, ID_SUFFIX_LENGTH, type IdKind } from './ids.ts';

/** Creation time of this id in ms since the epoch: the first 48 bits of a UUIDv7 (RFC 9562 §5.7). Throws for an invalid id. */
export function idTimeMs(id: string): number {
  const uuid = TypeID.fromString(id).toUUID();
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

/**
 * Returns an id of this kind with the creation time of another id. `entropy` has at least 18 hexadecimal digits and replaces
 * the random part.
 */
export function siblingId(kind: IdKind, id: string, entropy: string): string {
  const time = TypeID.fromString(id).toUUID().slice(0, '00000000-0000-7'.length);
  const uuid = `${time}${entropy.slice(0, 3)}-8${entropy.slice(3, 6)}-${entropy.slice(6, 18)}`;
  return TypeID.fromUUID(ID_PREFIXES[kind], uuid).toString();
}

/** Lowest possible id of this kind created at this time (ms since the epoch), for id ranges. */
export function firstIdAt(kind: IdKind, timeMs: number): string {
  const time = timeMs.toString(16).padStart(12, '0');
  const uuid = `${time.slice(0, 8)}-${time.slice(8, 12)}-7000-8000-000000000000`;
  return TypeID.fromUUID(ID_PREFIXES[kind], uuid).toString();
}

const BEGINNING = /^[0-7][0-9a-hjkmnp-tv-z]{0,25}$/;

/**
 * The first and the last time at which ids that begin like this one are created, by the clock of the process that creates them. Null for
 * a text that no id of the kind begins with, and for the prefix alone.
 */
export function timesOfIds(kind: IdKind, beginning: string): { first: Date; last: Date } | null {
  const prefix = `${ID_PREFIXES[kind]}_`;
  const suffix = beginning.slice(prefix.length);
  if (!beginning.startsWith(prefix) || !BEGINNING.test(suffix)) return null;
  const timeOf = (filler: string) => timeOfId(prefix + suffix.padEnd(ID_SUFFIX_LENGTH, filler));
  return { first: timeOf('0'), last: timeOf('z') };
}

/** Unlike `idTimeMs`, for every id of the right form: the highest of a beginning is no UUIDv7. */
function timeOfId(id: string): Date {
  const { buffer, byteOffset } = toUUIDBytes(fromString(id));
  const bytes = new DataView(buffer, byteOffset);
  return new Date(bytes.getUint16(0) * 2 ** 32 + bytes.getUint32(2));
}
