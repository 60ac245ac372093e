import type { AuditSeal } from '@tollgate/contracts/audit-log';
import type { SigningKey, VerifyingKey } from './keys.ts';
import { signatureHolds, signBytes } from './signature.ts';

const CONTEXT = 'tollgate-audit-record-v1';

/**
 * Says that the service itself has written the record with this leaf hash. A signature and not an HMAC, so that anyone who has an export and
 * the public key can name a changed record too, also when all hashes were recomputed.
 */
export function sealLeaf(leafHash: string, key: SigningKey): AuditSeal {
  return { key_version: key.version, signature: signBytes(CONTEXT, Buffer.from(leafHash, 'hex'), key) };
}

export function sealHolds(leafHash: string, seal: AuditSeal, keys: readonly VerifyingKey[]): boolean {
  return signatureHolds(CONTEXT, Buffer.from(leafHash, 'hex'), seal, keys);
}
