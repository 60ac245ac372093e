import { randomBytes } from 'node:crypto';

/** Secrets are 24 to 64 random bytes, in base64 after this prefix (Standard Webhooks). */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Decodes a secret to its key. Throws for anything that is not `whsec_` and base64. */
export function signingKeyOf(secret: string): Buffer {
  const encoded = secret.slice(PREFIX.length);
  if (!secret.startsWith(PREFIX) || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) {
    throw new Error('A webhook secret must be whsec_ and base64.');
  }
  return Buffer.from(encoded, 'base64');
}
