import { derivedKeys } from '@tollgate/security/key-variables';

/** Seal the histories of payments. Derived from the signing keys, which only this service has. */
export const historyKeys = derivedKeys('SIGNING_KEYS', 'tollgate payment histories');
