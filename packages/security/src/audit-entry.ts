import { hash } from 'node:crypto';
import type { AuditEntry, SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { mayWriteAction } from '@tollgate/contracts/audit/audit-issuer';
import { canonicalJson, wellFormed } from '@tollgate/contracts/platform/canonical-json';
import type { Issuer } from '@tollgate/contracts/platform/signature';
import type { Signer } from './signature.ts';

/** Signs an entry before it is stored, as JSON and MongoDB represent it. */
export function signAuditEntry(signer: Signer, entry: AuditEntry): SignedAuditEntry {
  return signer.sign('audit_entry', wellFormed(entry));
}

/** Whether this issuer may write the entry. */
export function mayWriteAuditEntry(issuer: Issuer, received: unknown): boolean {
  return mayWriteAction(issuer, String((received as { action?: unknown }).action));
}

/** SHA-256 of the canonical form of an entry without its signature; hexadecimal. */
export function auditEntryDigest(entry: AuditEntry): string {
  return hash('sha256', canonicalJson(wellFormed(withoutSignature(entry))));
}

export function withoutSignature(entry: AuditEntry): AuditEntry {
  const { signature: _, ...unsigned } = entry as AuditEntry & { signature?: unknown };
  return unsigned;
}
