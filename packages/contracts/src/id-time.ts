import { TypeID } from 'typeid-js';

/** When the record of this id was created, in ms since 1970: the first 48 bits of a UUIDv7 (RFC 9562 §5.7). Throws for what is no id. */
export function idTimeMs(id: string): number {
  const uuid = TypeID.fromString(id).toUUID();
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}
