import type { SealedSecret, SecretCipher } from './secret-cipher.ts';

/** More than any instance uses within minutes. */
const MAX_CACHED = 10_000;

/** Caches decrypted secrets: a decryption takes longer than a signature. Secrets stay in memory while they are in use. */
export function createSecretCache(cipher: Pick<SecretCipher, 'open'>): Pick<SecretCipher, 'open'> {
  const opened = new Map<string, string>();
  return {
    open(sealed, endpointId) {
      const key = keyOf(sealed, endpointId);
      const secret = opened.get(key) ?? cipher.open(sealed, endpointId);
      // Deleted first, so that the map stays in the order of last use and evicts the least recently used.
      opened.delete(key);
      opened.set(key, secret);
      if (opened.size > MAX_CACHED) opened.delete(opened.keys().next().value as string);
      return secret;
    },
  };
}

/** Includes all fields, so that a secret that differs in any of them is decrypted again. */
function keyOf(sealed: SealedSecret, endpointId: string): string {
  return [endpointId, sealed.key_version, sealed.iv, sealed.tag, sealed.ciphertext].join('.');
}
