import { randomFillSync } from 'node:crypto';
import { ID_PREFIXES } from '@tollgate/contracts/platform/ids';

/** Crockford's base32, as TypeID uses it. */
const ALPHABET = Buffer.from('0123456789abcdefghjkmnpqrstvwxyz');
const TIME_LENGTH = 10;
/** Version, variant, and 74 random bits. */
const RANDOM_LENGTH = 16;
/** One call of the generator costs as much for one id as for many. */
const IDS_PER_FILL = 256;

const random = Buffer.alloc(RANDOM_LENGTH * IDS_PER_FILL);
let used = random.length;
let prefixMs = -1;
let prefix = '';

/**
 * Generates the id of a request: the same TypeID of a UUIDv7 as `newId('request')`, at a tenth of its cost. The first ten characters
 * are the 48 bits of the time after two zero bits, so that they change once a millisecond. Every other character has five random bits,
 * except for those of the version and the variant. Ids of one millisecond are in no order.
 */
export function newRequestId(nowMs = Date.now()): string {
  if (nowMs !== prefixMs) {
    prefixMs = nowMs;
    prefix = `${ID_PREFIXES.request}_${base32(nowMs)}`;
  }
  if (used === random.length) fill();
  const start = used;
  used += RANDOM_LENGTH;
  return prefix + random.toString('latin1', start, used);
}

function fill(): void {
  randomFillSync(random);
  for (let index = 0; index < random.length; index++) {
    const place = index % RANDOM_LENGTH;
    let bits = (random[index] as number) & 0b11111;
    // The version is 0b0111, and the variant 0b10 (RFC 9562 §5.7).
    if (place === 0) bits = 0b01110 | (bits & 0b00001);
    if (place === 3) bits = 0b01000 | (bits & 0b10011);
    random[index] = ALPHABET[bits] as number;
  }
  used = 0;
}

function base32(timeMs: number): string {
  let rest = timeMs;
  let text = '';
  for (let place = 0; place < TIME_LENGTH; place++) {
    text = String.fromCharCode(ALPHABET[rest % 32] as number) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
