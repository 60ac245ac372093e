import { decrypt, encrypt, joined, split } from '@tollgate/security/authenticated-encryption';
import type { Keyring } from '@tollgate/security/keyring';

/** Encrypts secrets that must be read again. `owner` is the id of the record that the secret belongs to. */
export interface SecretEncryption {
  encrypt(secret: Buffer, owner: string): string;
  /** Throws when the text was altered, belongs to another record, or its key is no longer in the keyring. */
  decrypt(text: string, owner: string): Buffer;
}

/**
 * AES-256-GCM under the keyring's current key; text is `<key version>.<base64url of iv, tag and ciphertext>`. A text that
 * was encrypted for one purpose cannot be decrypted for another.
 */
export function createSecretEncryption(keyring: Keyring, purpose: string): SecretEncryption {
  return {
    encrypt(secret, owner) {
      const { version, key } = keyring.current;
      const encrypted = encrypt({ key, purpose, boundTo: owner }, secret);
      return `${version}.${joined(encrypted).toString('base64url')}`;
    },

    decrypt(text, owner) {
      const [version = '', encoded = ''] = text.split('.');
      const key = keyring.get(version);
      if (!key)
        throw new Error(
          `A secret of ${owner} is encrypted with key version ${version}, which ACCOUNTS_ENCRYPTION_KEYS does not contain.`,
        );
      return decrypt({ key, purpose, boundTo: owner }, split(Buffer.from(encoded, 'base64url')));
    },
  };
}
