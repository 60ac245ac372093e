import { generateKeyPairSync, randomBytes } from 'node:crypto';

export const KEY_BYTES = 32;

/** A symmetric key, as a ring lists it. */
export function generateSymmetricKey(version: string): string {
  return `${version}:${randomBytes(KEY_BYTES).toString('base64')}`;
}

/** An Ed25519 key, as a ring lists it. */
export function generateSigningKey(version: string): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return `${version}:${privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')}`;
}

/** A key of actor tokens and its public half, in PEM format. */
export function generateActorKey(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}
