import { decrypt, type EncryptionContext, encrypt } from '@tollgate/security/authenticated-encryption';
import type { Keyring } from '@tollgate/security/keyring';

const PURPOSE = 'tollgate webhook secret';

/** A secret as it is stored in MongoDB, with its bytes in base64. */
export interface SealedSecret {
  key_version: string;
  iv: string;
  ciphertext: string;
  tag: string;
}

export type SecretCipher = ReturnType<typeof createSecretCipher>;

/** AES-256-GCM, bound to the endpoint: a secret that is copied to another endpoint's document cannot be decrypted there. */
export function createSecretCipher(keyring: Keyring) {
  return {
    seal(secret: string, endpointId: string): SealedSecret {
      const { version, key } = keyring.current;
      const { iv, tag, ciphertext } = encrypt(
        contextOf(key, endpointId, version),
        Buffer.from(secret, 'utf8'),
      );
      return {
        key_version: version,
        iv: iv.toString('base64'),
        ciphertext: ciphertext.toString('base64'),
        tag: tag.toString('base64'),
      };
    },

    /** Throws when the key version is not configured, or when it was sealed for another endpoint or changed since. */
    open(sealed: SealedSecret, endpointId: string): string {
      const key = keyring.get(sealed.key_version);
      if (!key) {
        throw new Error(
          `The secret of ${endpointId} is encrypted with key version ${sealed.key_version}, which WEBHOOK_ENCRYPTION_KEYS does not contain. Add the key again.`,
        );
      }
      const secret = decrypt(contextOf(key, endpointId, sealed.key_version), {
        iv: Buffer.from(sealed.iv, 'base64'),
        tag: Buffer.from(sealed.tag, 'base64'),
        ciphertext: Buffer.from(sealed.ciphertext, 'base64'),
      });
      return secret.toString('utf8');
    },
  };
}

function contextOf(key: Buffer, endpointId: string, keyVersion: string): EncryptionContext {
  return { key, purpose: PURPOSE, boundTo: `${endpointId}.${keyVersion}` };
}
