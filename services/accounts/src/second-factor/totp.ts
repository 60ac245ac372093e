import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { encodeBase32 } from './base32.ts';

/** RFC 4226 §4 R6 recommends 160 bits. */
const SECRET_BYTES = 20;
const DIGITS = 6;
const STEP_MS = 30_000;
/** RFC 6238 §5.2: one step back for transmission delay, one ahead for a phone whose clock is fast. */
const TOLERATED_STEPS = [-1, 0, 1];

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** RFC 6238 with HMAC-SHA-1, 30 s, and 6 digits: the only parameters that every authenticator app accepts. */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  // RFC 4226 §5.3, dynamic truncation.
  const offset = (mac.at(-1) as number) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

export function totpStep(nowMs: number): number {
  return Math.floor(nowMs / STEP_MS);
}

/**
 * The time step of the code, or null unless the step is tolerated and later than `lastStep`, the step of the last
 * accepted code: an observed code must not work again (RFC 6238 §5.2).
 */
export function acceptedTotpStep(
  secret: Buffer,
  code: string,
  options: { nowMs: number; lastStep: number },
): number | null {
  const given = Buffer.from(code.replaceAll(' ', ''));
  const steps = TOLERATED_STEPS.map((offset) => totpStep(options.nowMs) + offset);
  // Compares every step, whether or not one has matched.
  const matching = steps.filter((step) => {
    const expected = Buffer.from(totpCode(secret, step));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return matching.find((step) => step > options.lastStep) ?? null;
}

/** The secret in the form that authenticator apps read from a QR code (Key Uri Format). */
export function totpUri(secret: Buffer, email: string): string {
  const label = `Tollgate:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${encodeBase32(secret)}&issuer=Tollgate&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1000}`;
}
