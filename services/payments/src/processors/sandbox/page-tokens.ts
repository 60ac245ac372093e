import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKeys } from '@tollgate/security/key-variables';
import type { Keyring } from '@tollgate/security/keyring';

/** Protect the addresses of test pages. Derived from the signing keys, which only this service has. */
export const sandboxPageKeys = derivedKeys('SIGNING_KEYS', 'tollgate sandbox pages');

/** The unguessable part of a page's address, which identifies the payment. */
export interface PageTokens {
  tokenOf(paymentId: string): string;
  /** Returns the id of the payment; null for a token that this service did not create. */
  read(token: string): string | null;
}

const MAC_BYTES = 16;

export function createPageTokens(keys: Keyring): PageTokens {
  const macOf = (paymentId: string, key: Uint8Array) =>
    createHmac('sha256', key).update(paymentId).digest().subarray(0, MAC_BYTES);
  return {
    tokenOf(paymentId) {
      const { version, key } = keys.current;
      return `${paymentId}-${version}-${macOf(paymentId, key).toString('base64url')}`;
    },
    read(token) {
      const [, paymentId = '', version = '', mac = ''] = /^([^-]+)-([^-]+)-(.+)$/.exec(token) ?? [];
      const key = keys.get(version);
      const received = Buffer.from(mac, 'base64url');
      if (key === undefined || received.length !== MAC_BYTES) return null;
      return timingSafeEqual(macOf(paymentId, key), received) ? paymentId : null;
    },
  };
}
