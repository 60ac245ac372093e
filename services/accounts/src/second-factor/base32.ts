/** RFC 4648 §6 */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 without padding, as authenticator apps take it; the bytes must come in fives, which need none. */
export function encodeBase32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET.charAt(Number.parseInt(five, 2))).join('');
}
