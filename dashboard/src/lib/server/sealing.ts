import type { Keyring } from '@tollgate/security/keyring';
import { EncryptJWT, jwtDecrypt } from 'jose';

export type Sealer = ReturnType<typeof createSealer>;

const ALGORITHMS = { alg: 'dir', enc: 'A256GCM' } as const;
const ISSUER = 'tollgate-dashboard';

/** Encrypts cookie values (JWE, RFC 7516), so that the browser can neither read nor change them. */
export function createSealer(keys: Keyring) {
  return {
    /** A value sealed for one purpose does not open for another. */
    seal: (purpose: string, value: object, expiresAt: Date) =>
      new EncryptJWT({ value })
        .setProtectedHeader({ ...ALGORITHMS, kid: keys.current.version })
        .setIssuer(ISSUER)
        .setAudience(purpose)
        .setExpirationTime(expiresAt)
        .encrypt(keys.current.key),

    /** Null for a value that was not sealed here for this purpose, has expired, or was sealed with a removed key. */
    async open<T extends object>(purpose: string, sealed: string): Promise<T | null> {
      try {
        const { payload } = await jwtDecrypt<{ value: T }>(
          sealed,
          ({ kid = '' }) => {
            const key = keys.get(kid);
            if (key === undefined) throw new Error('The key that sealed this value was removed.');
            return key;
          },
          {
            issuer: ISSUER,
            audience: purpose,
            requiredClaims: ['exp'],
            keyManagementAlgorithms: [ALGORITHMS.alg],
            contentEncryptionAlgorithms: [ALGORITHMS.enc],
          },
        );
        return payload.value;
      } catch {
        // A forged or expired value, or one sealed with a removed key, counts as no cookie.
        return null;
      }
    },
  };
}
