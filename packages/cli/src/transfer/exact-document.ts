import { type Document, deserialize, onDemand, serialize } from 'bson';

/** Every value keeps its BSON type. */
const EXACT = {
  promoteValues: false,
  promoteLongs: false,
  promoteBuffers: false,
  bsonRegExp: true,
} as const;

const BSON_OBJECT = 3;
const BSON_ARRAY = 4;

/**
 * Returns a value from which the driver writes exactly these bytes. It cannot be given the bytes themselves.
 * @throws if that is impossible: the document has a deprecated type, or a date that JavaScript does not have
 */
export function toExactDocument(bytes: Uint8Array): Document {
  for (const decode of [(raw: Uint8Array) => deserialize(raw, EXACT), toMap]) {
    const document = decode(bytes);
    if (Buffer.compare(serialize(document), bytes) === 0) return document;
  }
  throw new Error('it has a value that cannot be copied exactly, such as a date after the year 275760');
}

/** Slower. Keeps the order of fields, while a JavaScript object puts names that are numbers first. */
function toMap(bytes: Uint8Array): Map<string, unknown> {
  const map = new Map<string, unknown>();
  for (const [type, nameOffset, nameLength, offset, length] of onDemand.parseToElements(bytes)) {
    const name = Buffer.from(bytes.subarray(nameOffset, nameOffset + nameLength)).toString();
    map.set(name, toValue(type, bytes.subarray(offset, offset + length)));
  }
  return map;
}

function toValue(type: number, bytes: Uint8Array): unknown {
  if (type === BSON_OBJECT) return toMap(bytes);
  if (type === BSON_ARRAY) return [...toMap(bytes).values()];
  return deserialize(asDocument(type, bytes), EXACT)['v'];
}

/** A document with this value as its only field, `v`. */
function asDocument(type: number, value: Uint8Array): Uint8Array {
  const document = Buffer.alloc(value.length + 8);
  document.writeInt32LE(document.length, 0);
  document.writeUInt8(type, 4);
  document.write('v', 5);
  document.set(value, 7);
  return document;
}
