import { type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson } from '@tollgate/contracts/platform/canonical-json';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import {
  type Issuer,
  SIGNED_KINDS,
  Signature,
  type SignedKind,
} from '@tollgate/contracts/platform/signature';

/** Keys of one issuer. The first one signs; readers need the public keys of all that may have signed what they read. */
export interface SigningKeys {
  issuer: Issuer;
  current: { version: string; privateKey: KeyObject };
}

/** Returns the public key of an issuer's version. */
export type FindPublicKey = (issuer: Issuer, version: string) => KeyObject | undefined;

export interface Signer {
  /**
   * Returns the value with its signature.
   * @param place where the value belongs if the value itself does not say it, such as the key of its entry
   */
  sign<T extends object>(kind: SignedKind, value: T, place?: string): T & { signature: Signature };
}

/** Why a value fails verification. */
export type SignatureFault = 'unsigned' | 'malformed' | 'wrong-issuer' | 'unknown-key' | 'altered';

export type SignatureCheck = { issuer: Issuer; fault: null } | { fault: SignatureFault };

export interface SignatureVerifier {
  /** Checks a value as it was received, before defaults are filled in. */
  check(kind: SignedKind, value: unknown, place?: string): SignatureCheck;
}

export function createSigner({ issuer, current }: SigningKeys): Signer {
  return {
    sign(kind, value, place = '') {
      const signature = sign(null, signedBytes(kind, place, value), current.privateKey).toString('base64');
      return { ...value, signature: { issuer, key_version: current.version, value: signature } };
    },
  };
}

export function createSignatureVerifier(findPublicKey: FindPublicKey): SignatureVerifier {
  return {
    check(kind, value, place = '') {
      if (typeof value !== 'object' || value === null) return { fault: 'malformed' };
      const { signature: received, ...unsigned } = value as { signature?: unknown };
      if (received === undefined) return { fault: 'unsigned' };
      const signature = openReader(Signature).read(received);
      if (signature === null) return { fault: 'malformed' };
      const { issuer, key_version } = signature;
      if (!(SIGNED_KINDS[kind] as readonly Issuer[]).includes(issuer)) return { fault: 'wrong-issuer' };
      const publicKey = findPublicKey(issuer, key_version);
      if (publicKey === undefined) return { fault: 'unknown-key' };
      let bytes: Buffer;
      try {
        bytes = signedBytes(kind, place, unsigned);
      } catch {
        // Half of a surrogate pair, or nesting that exhausts the stack: no signer signs such a value.
        return { fault: 'malformed' };
      }
      return verify(null, bytes, publicKey, Buffer.from(signature.value, 'base64'))
        ? { issuer, fault: null }
        : { fault: 'altered' };
    },
  };
}

/** The kind and the place are part of the text, so that no signature is valid for another kind or in another place. */
function signedBytes(kind: SignedKind, place: string, value: object): Buffer {
  return Buffer.from(`tollgate-${kind}-v1\n${JSON.stringify(place)}\n${canonicalJson(value)}`);
}
