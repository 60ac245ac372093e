import { createHmac } from 'node:crypto';
import { signingKeyOf } from '../secrets/signing-secret.ts';

export interface SignedContent {
  /** The event's id, the same for all attempts: receivers deduplicate by it. */
  id: string;
  /** Time of the attempt, in whole seconds. Receivers reject one that is minutes off, which prevents replays. */
  timestampS: number;
  /** The exact bytes that are sent. */
  body: Uint8Array;
}

/**
 * The three headers of Standard Webhooks 1.0.0. Every secret signs, so a receiver can verify with the old or the new secret during
 * a rotation.
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

/** HMAC-SHA-256 of the signed content. `timestamp` is the value of the header. */
export function signatureOf(
  { id, timestamp, body }: { id: string; timestamp: string; body: Uint8Array },
  secret: string,
): Buffer {
  return createHmac('sha256', signingKeyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest();
}
