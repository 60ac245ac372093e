import { generateKeyPairSync } from 'node:crypto';
import { ISSUERS, type Issuer } from '@tollgate/contracts/platform/signature';
import { createSigner, type Signer } from '../src/signature.ts';
import { parseSigningKeys, signerPublicKeys } from '../src/signing-keys.ts';

/** Keys of a platform under test. */
export interface IssuerKeys {
  /** `SIGNING_KEYS` of each issuer. */
  privateKeys: Record<Issuer, string>;
  /** `SIGNER_PUBLIC_KEYS` of every reader. */
  publicKeys: string;
  signers: Record<Issuer, Signer>;
}

export function createIssuerKeys(): IssuerKeys {
  const privateKeys = forEachIssuer(() => createSigningKeys());
  return {
    privateKeys,
    publicKeys: ISSUERS.map((issuer) => signerPublicKeys(issuer, privateKeys[issuer])).join(','),
    signers: forEachIssuer((issuer) => createSigner(parseSigningKeys(issuer, privateKeys[issuer]))),
  };
}

/** Returns new keys with one version, in the format of `SIGNING_KEYS`. */
export function createSigningKeys(version = '1'): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return `${version}:${privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')}`;
}

function forEachIssuer<T>(create: (issuer: Issuer) => T): Record<Issuer, T> {
  return Object.fromEntries(ISSUERS.map((issuer) => [issuer, create(issuer)])) as Record<Issuer, T>;
}
