/** Major types of CBOR (RFC 8949 §3.1). */
const UNSIGNED = 0;
const NEGATIVE = 1;
const BYTES = 2;
const TEXT = 3;
const MAP = 5;

/** Encodes what WebAuthn uses: integers, bytes, texts, and maps, all shorter than 64 KiB. */
export function encodeCbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(UNSIGNED, value) : head(NEGATIVE, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([head(TEXT, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(BYTES, value.length), value]);
  if (value instanceof Map) {
    const entries = [...value].flatMap(([key, member]) => [encodeCbor(key), encodeCbor(member)]);
    return Buffer.concat([head(MAP, value.size), ...entries]);
  }
  throw new TypeError(`Cannot encode ${typeof value} as CBOR.`);
}

function head(majorType: number, argument: number): Buffer {
  const type = majorType << 5;
  if (argument < 24) return Buffer.from([type | argument]);
  if (argument < 0x100) return Buffer.from([type | 24, argument]);
  return Buffer.from([type | 25, argument >> 8, argument & 0xff]);
}
