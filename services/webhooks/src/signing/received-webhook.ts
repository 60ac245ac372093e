import { timingSafeEqual } from 'node:crypto';
import { signatureOf } from './sign-webhook.ts';

/** What someone says a receiver got. Empty where there was none. */
export interface ReceivedWebhook {
  id: string;
  timestamp: string;
  signature: string;
  body: string;
}

const SIGNATURE_BYTES = 32;
const SIGNATURE_BASE64 = /^[A-Za-z0-9+/]{43}=$/;

/** The signatures of version 1 in the header: a list with spaces between `<version>,<base64>`, of which other versions count for nothing. */
export function parseSignatures(header: string): Buffer[] {
  return header
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => part.slice('v1,'.length))
    .filter((encoded) => SIGNATURE_BASE64.test(encoded))
    .map((encoded) => Buffer.from(encoded, 'base64'))
    .filter((bytes) => bytes.length === SIGNATURE_BYTES);
}

/** Whether one of the signatures is that of the rest by this secret. Takes as long whichever it is, and wherever it differs. */
export function isSignedBy(secret: string, received: ReceivedWebhook): boolean {
  const expected = signatureOf({ ...received, body: Buffer.from(received.body, 'utf8') }, secret);
  return parseSignatures(received.signature).reduce(
    (isFound, signature) => timingSafeEqual(signature, expected) || isFound,
    false,
  );
}

/** Whole seconds since 1970; null when the header is no such number. */
export function parseTimestamp(header: string): number | null {
  return /^\d{1,15}$/.test(header) ? Number(header) : null;
}
