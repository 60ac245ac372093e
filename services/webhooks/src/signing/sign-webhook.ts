import { createHmac } from 'node:crypto';
import { signingKeyOf } from '../secrets/webhook-secret.ts';

export interface SignedContent {
  /** The event's id, the same over all attempts: receivers drop repeats by it. */
  id: string;
  /** Time of the attempt, in whole seconds. Receivers reject what is minutes off, so that nobody replays it. */
  timestampS: number;
  /** Exactly the bytes that are sent. */
  body: Uint8Array;
}

/**
 * The three headers of Standard Webhooks 1.0.0. Every secret signs, so that a receiver which has the old one or the new one
 * of a rotation finds a signature that it can check.
 */
export function signatureHeaders(content: SignedContent, secrets: readonly string[]): Record<string, string> {
  const { id, body } = content;
  const timestamp = String(content.timestampS);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => `v1,${signatureOf({ id, timestamp, body }, secret).toString('base64')}`)
      .join(' '),
  };
}

/** HMAC-SHA-256 of what is signed, with the timestamp as its header has it. */
export function signatureOf(
  { id, timestamp, body }: { id: string; timestamp: string; body: Uint8Array },
  secret: string,
): Buffer {
  return createHmac('sha256', signingKeyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest();
}
