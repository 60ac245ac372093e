import { hash, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import { canonicalJson } from '@tollgate/contracts/platform/canonical-json';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import {
  type Issuer,
  SIGNED_KINDS,
  Signature,
  type SignedKind,
} from '@tollgate/contracts/platform/signature';
import { rememberValid } from './remember-valid.ts';

/** With 16, a check would cost 15 % less, but a message has 370 bytes more. */
export const MAX_SIGNED_TOGETHER = 8;
/** No signature is larger as JSON with the name of its field. */
export const MAX_SIGNATURE_BYTES = 640;
/** Nobody can guess them. */
const SALT_BYTES = 16;

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
  /** Returns the values with one signature for up to `MAX_SIGNED_TOGETHER` of them. Each can be verified without the others. */
  signTogether<T extends object>(kind: SignedKind, values: T[]): (T & { signature: Signature })[];
}

/** Why a value fails verification. */
export type SignatureFault = 'unsigned' | 'malformed' | 'wrong-issuer' | 'unknown-key' | 'altered';

export type SignatureCheck = { issuer: Issuer; fault: null } | { fault: SignatureFault };

export interface SignatureVerifier {
  /** Checks a value as it was received, before defaults are filled in. */
  check(kind: SignedKind, value: unknown, place?: string): SignatureCheck;
}

export function createSigner({ issuer, current }: SigningKeys): Signer {
  const signatureOf = (text: string): Signature => ({
    issuer,
    key_version: current.version,
    value: sign(null, Buffer.from(text), current.privateKey).toString('base64'),
  });

  function signBatch<T extends object>(kind: SignedKind, values: T[]): (T & { signature: Signature })[] {
    const salted = values.map((value) => {
      const salt = randomBytes(SALT_BYTES).toString('base64url');
      return { value, salt, hash: saltedHash(salt, signedText(kind, '', value)) };
    });
    const hashes = salted.map(({ hash }) => hash);
    const signature = signatureOf(batchText(kind, hashes));
    return salted.map(({ value, salt }) => ({
      ...value,
      signature: { ...signature, batch: { salt, hashes } },
    }));
  }

  const signer: Signer = {
    sign: (kind, value, place = '') => ({ ...value, signature: signatureOf(signedText(kind, place, value)) }),
    signTogether(kind, values) {
      const signed: ReturnType<typeof signBatch<(typeof values)[number]>> = [];
      for (let start = 0; start < values.length; start += MAX_SIGNED_TOGETHER) {
        const batch = values.slice(start, start + MAX_SIGNED_TOGETHER);
        signed.push(
          ...(batch.length > 1 ? signBatch(kind, batch) : batch.map((value) => signer.sign(kind, value))),
        );
      }
      return signed;
    },
  };
  return signer;
}

export function createSignatureVerifier(findPublicKey: FindPublicKey): SignatureVerifier {
  const isValidBatch = rememberValid(isSigned);
  return {
    check(kind, value, place = '') {
      if (typeof value !== 'object' || value === null) return { fault: 'malformed' };
      const { signature: received, ...unsigned } = value as { signature?: unknown };
      if (received === undefined) return { fault: 'unsigned' };
      const signature = openReader(Signature).read(received);
      if (signature === null) return { fault: 'malformed' };
      const { issuer, key_version, batch } = signature;
      if (!(SIGNED_KINDS[kind] as readonly Issuer[]).includes(issuer)) return { fault: 'wrong-issuer' };
      const publicKey = findPublicKey(issuer, key_version);
      if (publicKey === undefined) return { fault: 'unknown-key' };
      let text: string;
      try {
        text = signedText(kind, place, unsigned);
      } catch {
        // Half of a surrogate pair, or nesting that exhausts the stack: no signer signs such a value.
        return { fault: 'malformed' };
      }
      const bytes = Buffer.from(signature.value, 'base64');
      const isValid = batch
        ? batch.hashes.includes(saltedHash(batch.salt, text)) &&
          isValidBatch(batchText(kind, batch.hashes), publicKey, bytes)
        : isSigned(text, publicKey, bytes);
      return isValid ? { issuer, fault: null } : { fault: 'altered' };
    },
  };
}

function isSigned(text: string, publicKey: KeyObject, signature: Buffer): boolean {
  return verify(null, Buffer.from(text), publicKey, signature);
}

/** The kind and the place are part of the text, so that no signature is valid for another kind or in another place. */
function signedText(kind: SignedKind, place: string, value: object): string {
  return `tollgate-${kind}-v1\n${JSON.stringify(place)}\n${canonicalJson(value)}`;
}

/** Never the text of a single value. */
function batchText(kind: SignedKind, hashes: string[]): string {
  return `tollgate-${kind}-batch-v1\n${JSON.stringify(hashes)}`;
}

/** Without the salt, which only the message of the value has, the hash confirms no guess of erased data. */
function saltedHash(salt: string, text: string): string {
  return hash('sha256', `${salt}\n${text}`, 'base64url');
}
