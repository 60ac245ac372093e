import { timingSafeEqual } from 'node:crypto';
import type { SignatureCheck } from '@tollgate/contracts/webhooks/webhook';
import { signatureOf } from './sign-webhook.ts';

/** A request as the caller says it was received. Missing parts are empty. */
export interface ReceivedWebhook {
  id: string;
  timestamp: string;
  signature: string;
  body: string;
}

/** A problem with a received webhook, or a hint about it. Never contains a secret or a signature. */
export type SignatureFinding = SignatureCheck['findings'][number];

const SIGNATURE_BYTES = 32;
const SIGNATURE_BASE64 = /^[A-Za-z0-9+/]{43}=$/;

/** The version 1 signatures of the header, a list of `<version>,<base64>` separated by spaces. Ignores other versions. */
export function parseSignatures(header: string): Buffer[] {
  return header
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => part.slice('v1,'.length))
    .filter((encoded) => SIGNATURE_BASE64.test(encoded))
    .map((encoded) => Buffer.from(encoded, 'base64'))
    .filter((bytes) => bytes.length === SIGNATURE_BYTES);
}

/** Whether one of the signatures was made with this secret. Runs in constant time per signature. */
export function isSignedBy(secret: string, received: ReceivedWebhook): boolean {
  const expected = signatureOf({ ...received, body: Buffer.from(received.body, 'utf8') }, secret);
  return parseSignatures(received.signature).reduce(
    (isFound, signature) => timingSafeEqual(signature, expected) || isFound,
    false,
  );
}

/** Whole seconds since 1970; null when the header is malformed. */
export function parseTimestamp(header: string): number | null {
  return /^\d{1,15}$/.test(header) ? Number(header) : null;
}
