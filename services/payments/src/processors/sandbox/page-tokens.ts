import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKeys } from '@tollgate/security/key-variables';
import type { Keyring } from '@tollgate/security/keyring';

/** Protect the addresses of test pages. Derived from the signing keys, which only this service has. */
export const sandboxPageKeys = derivedKeys('SIGNING_KEYS', 'tollgate sandbox pages');

const MAC_BYTES = 16;

/** The unguessable part of a page's address, which identifies the payment. */
export function createPageTokens(keys: Keyring) {
  const macOf = (paymentId: string, key: Uint8Array) =>
    createHmac('sha256', key).update(paymentId).digest().subarray(0, MAC_BYTES);
  return {
    tokenOf(paymentId: string): string {
      const { version, key } = keys.current;
      return `${paymentId}-${version}-${macOf(paymentId, key).toString('base64url')}`;
    },
    /** Returns the id of the payment; null for a token that this service did not create. */
    read(token: string): string | null {
      const [, paymentId = '', version = '', mac = ''] = /^([^-]+)-([^-]+)-(.+)$/.exec(token) ?? [];
      const key = keys.get(version);
      const received = Buffer.from(mac, 'base64url');
      if (key === undefined || received.length !== MAC_BYTES) return null;
      return timingSafeEqual(macOf(paymentId, key), received) ? paymentId : null;
    },
  };
}
