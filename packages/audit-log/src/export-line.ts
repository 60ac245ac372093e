import type { ExportHeader, ExportLine } from '@tollgate/contracts/audit/audit-log';
import { canonicalJson } from '@tollgate/contracts/platform/canonical-json';
import type { SigningKey, VerifyingKey } from './keys.ts';
import { signedObjectHolds, signObject } from './signature.ts';

const CONTEXT = 'tollgate-audit-export-v1';

export type UnsignedExportHeader = Omit<ExportHeader, 'key_version' | 'signature'>;

export function signExportHeader(header: UnsignedExportHeader, key: SigningKey): ExportHeader {
  return signObject(CONTEXT, { ...header, key_version: key.version }, key);
}

export function exportHeaderSignatureHolds(header: ExportHeader, keys: readonly VerifyingKey[]): boolean {
  return signedObjectHolds(CONTEXT, header, keys);
}

/** Formats one line of an export, with its line feed. */
export function writeExportLine(line: ExportLine): string {
  return `${canonicalJson(line)}\n`;
}
