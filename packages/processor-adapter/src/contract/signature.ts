import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ADAPTER_LIMITS } from './payment-state.ts';

/**
 * Standard Webhooks 1.0.0, in both directions and on responses: an HMAC-SHA-256 of `<id>.<timestamp>.<body>`.
 *
 * The format does not cover the method and the path of a request. The ids of calls therefore start with the call and the
 * payment (`callId`), and the receiver compares them with what was requested.
 */

/** `whsec_` and 24 to 64 random bytes in base64. */
const SECRET = /^whsec_([A-Za-z0-9+/]{32,86}={0,2})$/;

export type Call = 'start' | 'status' | 'cancel';

/** The headers of a signed message, in lowercase. */
export interface SignatureHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/** Why a message fails verification. */
export class InvalidSignature extends Error {}

/** The keys that sign and verify. During a rotation there are two: every key signs, and any key verifies. */
export type SigningSecrets = readonly Buffer[];

const MAX_SECRETS = 2;

/**
 * Reads one or two secrets, separated by commas or white space.
 *
 * @throws Error that says what the text must be, without showing it
 */
export function parseSecrets(text: string): SigningSecrets {
  const secrets = text.split(/[\s,]+/).filter((part) => part !== '');
  const keys = secrets.map((secret) => Buffer.from(SECRET.exec(secret)?.[1] ?? '', 'base64'));
  if (keys.length < 1 || keys.length > MAX_SECRETS || keys.some((key) => key.length < 24)) {
    throw new Error(
      'must be one or two secrets: "whsec_" and at least 24 random bytes in base64, separated by a comma',
    );
  }
  return keys;
}

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The `webhook-id` of a call: unique, and bound to what is called. */
export function callId(call: Call, paymentId: string): string {
  return `${call}:${paymentId}:${randomBytes(8).toString('hex')}`;
}

/** Whether a verified `webhook-id` was created for this call. */
export function isCallId(id: string, call: Call, paymentId: string): boolean {
  return id.startsWith(`${call}:${paymentId}:`);
}

/** @param message.body empty for a request without a body */
export function sign(
  secrets: SigningSecrets,
  message: { id: string; body: string },
  nowMs: number,
): SignatureHeaders {
  const timestamp = String(Math.floor(nowMs / 1000));
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((key) => signatureOf(key, message.id, timestamp, message.body))
      .join(' '),
  };
}

/**
 * Returns the id of the message.
 *
 * @throws InvalidSignature
 */
export function verify(
  secrets: SigningSecrets,
  message: { headers: Record<string, string | string[] | undefined>; body: string },
  nowMs: number,
): string {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = message.headers[name];
    if (typeof value !== 'string' || value === '')
      throw new InvalidSignature(`The header ${name} is missing.`);
    return value;
  }) as [string, string, string];
  const ageS = nowMs / 1000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(ageS) > ADAPTER_LIMITS.signatureAgeS) {
    throw new InvalidSignature(
      `The webhook-timestamp is not within ${ADAPTER_LIMITS.signatureAgeS} seconds of the current time. Compare the clocks.`,
    );
  }
  const received = signatures.split(' ');
  const expected = secrets.map((key) => signatureOf(key, id, timestamp, message.body));
  if (!expected.some((signature) => received.some((candidate) => isEqual(signature, candidate)))) {
    throw new InvalidSignature(
      'No signature matches. Compare the secrets, and sign the body exactly as it is sent.',
    );
  }
  return id;
}

function signatureOf(key: Buffer, id: string, timestamp: string, body: string): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

function isEqual(expected: string, received: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(received)];
  return a.length === b.length && timingSafeEqual(a, b);
}
