import type { AuditSeal } from '@tollgate/contracts/audit/audit-log';
import type { SigningKey, VerifyingKey } from './keys.ts';
import { signatureHolds, signBytes } from './signature.ts';

const CONTEXT = 'tollgate-audit-record-v1';

/**
 * Proves that the service wrote the record with this leaf hash. A signature instead of an HMAC, so that an auditor with
 * an export and the public key can also identify a changed record, even if all hashes were recomputed.
 */
export function sealLeaf(leafHash: string, key: SigningKey): AuditSeal {
  return { key_version: key.version, signature: signBytes(CONTEXT, Buffer.from(leafHash, 'hex'), key) };
}

export function sealHolds(leafHash: string, seal: AuditSeal, keys: readonly VerifyingKey[]): boolean {
  return signatureHolds(CONTEXT, Buffer.from(leafHash, 'hex'), seal, keys);
}
