import { sign, verify } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import type { SigningKey, VerifyingKey } from './keys.ts';

/** Each kind of thing has its own first line, so that a signature of one can never be shown as that of another. */
export type SignatureContext =
  | 'tollgate-audit-head-v1'
  | 'tollgate-audit-record-v1'
  | 'tollgate-audit-export-v1';

export interface Signed {
  key_version: number;
  /** Base64. */
  signature: string;
}

/** Ed25519 over the context, a line feed and the bytes; base64. */
export function signBytes(context: SignatureContext, bytes: Buffer, { privateKey }: SigningKey): string {
  return sign(null, message(context, bytes), privateKey).toString('base64');
}

/** Whether one of the keys that may have made the signature did. False, too, when there is no key of its version. */
export function signatureHolds(
  context: SignatureContext,
  bytes: Buffer,
  { key_version, signature }: Signed,
  keys: readonly VerifyingKey[],
): boolean {
  const signed = message(context, bytes);
  const decoded = Buffer.from(signature, 'base64');
  // The last character of 64 bytes in base64 has four idle bits: another text of the same bytes is not what was written.
  if (decoded.toString('base64') !== signature) return false;
  return keys.some(
    ({ version, publicKey }) =>
      (version === null || version === key_version) && verify(null, signed, publicKey, decoded),
  );
}

/** Signs the RFC 8785 form of an object that says which key it is signed with. */
export function signObject<T extends { key_version: number }>(
  context: SignatureContext,
  unsigned: T,
  key: SigningKey,
): T & Signed {
  return { ...unsigned, signature: signBytes(context, objectBytes(unsigned), key) };
}

/** Whether an object is as it was signed, all its members. */
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
