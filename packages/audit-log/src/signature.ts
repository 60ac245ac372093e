import { sign, verify } from 'node:crypto';
import { canonicalJson } from '@tollgate/contracts/platform/canonical-json';
import type { SigningKey, VerifyingKey } from './keys.ts';

/** Each kind of object has its own context, so that the signature of one kind is never valid for another. */
export type SignatureContext =
  | 'tollgate-audit-head-v1'
  | 'tollgate-audit-record-v1'
  | 'tollgate-audit-export-v1'
  | 'tollgate-audit-substitute-v1';

export interface Signed {
  key_version: number;
  /** Base64. */
  signature: string;
}

/** Signs the context, a line feed, and the bytes with Ed25519. Returns base64. */
export function signBytes(context: SignatureContext, bytes: Buffer, { privateKey }: SigningKey): string {
  return sign(null, message(context, bytes), privateKey).toString('base64');
}

/** Returns true if a key of the signature's version made it. Returns false without a key of that version. */
export function signatureHolds(
  context: SignatureContext,
  bytes: Buffer,
  { key_version, signature }: Signed,
  keys: readonly VerifyingKey[],
): boolean {
  const signed = message(context, bytes);
  const decoded = Buffer.from(signature, 'base64');
  // The last base64 character of 64 bytes has four unused bits: a different text of the same bytes is not the original.
  if (decoded.toString('base64') !== signature) return false;
  return keys.some(
    ({ version, publicKey }) =>
      (version === null || version === key_version) && verify(null, signed, publicKey, decoded),
  );
}

/** Signs the RFC 8785 form of an object that contains its key version. */
export function signObject<T extends { key_version: number }>(
  context: SignatureContext,
  unsigned: T,
  key: SigningKey,
): T & Signed {
  return { ...unsigned, signature: signBytes(context, objectBytes(unsigned), key) };
}

/** Returns true if all members of an object are as they were signed. */
export function signedObjectHolds(
  context: SignatureContext,
  signed: Signed,
  keys: readonly VerifyingKey[],
): boolean {
  const { signature, ...unsigned } = signed;
  return signatureHolds(context, objectBytes(unsigned), signed, keys);
}

function objectBytes(value: object): Buffer {
  return Buffer.from(canonicalJson(value));
}

function message(context: SignatureContext, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${context}\n`), bytes]);
}
