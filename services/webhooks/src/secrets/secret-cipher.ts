import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Keyring } from '@tollgate/service-kit/keyring';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** NIST SP 800-38D §5.2.1.1: the length that GCM is made for. A random one per secret does not repeat in any real number of them. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Keeps the derived key apart from any other use of the same configured key (RFC 5869 §3.2). */
const KEY_PURPOSE = 'tollgate webhook secret';

/** A secret as it lies in MongoDB; the bytes in base64. */
export interface SealedSecret {
  key_version: string;
  iv: string;
  ciphertext: string;
  tag: string;
}

export interface SecretCipher {
  seal(secret: string, endpointId: string): SealedSecret;
  /** Throws when the key version is not configured, or when it was sealed for another endpoint or changed since. */
  open(sealed: SealedSecret, endpointId: string): string;
}

/** AES-256-GCM, bound to the endpoint: a secret that is copied to another endpoint's document does not open there. */
export function createSecretCipher(keyring: Keyring): SecretCipher {
  return {
    seal(secret, endpointId) {
      const { version, key } = keyring.current;
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, encryptionKey(key), iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(endpointId, version));
      const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return {
        key_version: version,
        iv: iv.toString('base64'),
        ciphertext: ciphertext.toString('base64'),
        tag: cipher.getAuthTag().toString('base64'),
      };
    },

    open(sealed, endpointId) {
      const key = keyring.get(sealed.key_version);
      if (!key) {
        throw new Error(
          `The secret of ${endpointId} is encrypted under key version ${sealed.key_version}, which WEBHOOK_ENCRYPTION_KEYS does not have. Add that key again.`,
        );
      }
      const iv = Buffer.from(sealed.iv, 'base64');
      const decipher = createDecipheriv(ALGORITHM, encryptionKey(key), iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(endpointId, sealed.key_version));
      decipher.setAuthTag(Buffer.from(sealed.tag, 'base64'));
      return decipher.update(sealed.ciphertext, 'base64', 'utf8') + decipher.final('utf8');
    },
  };
}

/** Configured keys may be longer than AES takes. */
function encryptionKey(key: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', KEY_PURPOSE, KEY_BYTES));
}

function boundTo(endpointId: string, keyVersion: string): Buffer {
  return Buffer.from(`${endpointId}.${keyVersion}`, 'utf8');
}
