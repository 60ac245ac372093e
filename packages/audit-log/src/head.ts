import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import { canonicalJson } from '@tollgate/contracts/platform/canonical-json';
import { sha256 } from './hash.ts';
import type { SigningKey, VerifyingKey } from './keys.ts';
import { signedObjectHolds, signObject } from './signature.ts';

const CONTEXT = 'tollgate-audit-head-v1';

export type UnsignedHead = Omit<AuditHead, 'key_version' | 'signature'>;

export function signHead(head: UnsignedHead, key: SigningKey): AuditHead {
  return signObject(CONTEXT, { ...head, key_version: key.version }, key);
}

export function headSignatureHolds(head: AuditHead, keys: readonly VerifyingKey[]): boolean {
  return signedObjectHolds(CONTEXT, head, keys);
}

/** Hash by which the next head refers to this one, including its signature. Hexadecimal. */
export function headHash(head: AuditHead): string {
  return sha256(canonicalJson(head));
}
