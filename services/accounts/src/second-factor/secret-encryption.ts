import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Keyring } from '@tollgate/service-kit/keyring';

/** Encrypts secrets that have to be read again. `owner` is the id of the record that the secret belongs to. */
export interface SecretEncryption {
  encrypt(secret: Buffer, owner: string): string;
  /** Throws when the text was altered, belongs to another record, or its key is not in the keyring any more. */
  decrypt(text: string, owner: string): Buffer;
}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** NIST SP 800-38D §8.2.2: random, of 96 bits. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Keys of the keyring are 32 bytes or more; AES-256 takes 32, and a key of its own for this purpose. */
const PURPOSE = 'tollgate accounts secrets';

/** AES-256-GCM under the keyring's current key; text is `<key version>.<base64url of iv, tag and ciphertext>`. */
export function createSecretEncryption(keyring: Keyring): SecretEncryption {
  return {
    encrypt(secret, owner) {
      const { version, key } = keyring.current;
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, encryptionKey(key), iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(owner));
      const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
      return `${version}.${Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64url')}`;
    },

    decrypt(text, owner) {
      const [version = '', encoded = ''] = text.split('.');
      const key = keyring.get(version);
      if (!key) throw new Error(`A secret of ${owner} needs version ${version} of ACCOUNTS_ENCRYPTION_KEYS.`);
      const bytes = Buffer.from(encoded, 'base64url');
      const iv = bytes.subarray(0, IV_BYTES);
      const decipher = createDecipheriv(ALGORITHM, encryptionKey(key), iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(owner));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    },
  };
}

function encryptionKey(key: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', PURPOSE, KEY_BYTES));
}
