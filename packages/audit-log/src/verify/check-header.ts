import type { ExportHeader } from '@tollgate/contracts/audit/audit-log';
import { type CompactTree, openTree } from '../compact-tree.ts';
import { exportHeaderSignatureHolds } from '../export-line.ts';
import { headSignatureHolds } from '../head.ts';
import type { VerifyingKey } from '../keys.ts';
import type { Findings } from './findings.ts';

/** The state in which a verification starts. */
export interface Start {
  /** Tree of the records before the export; null if the header does not prove it. */
  tree: CompactTree | null;
  /** Whether the last head number in the header is reliable. */
  isSigned: boolean;
}

/** Checks the first line, and that the head before the export covers exactly the records before it. */
export function checkHeader(header: ExportHeader, keys: readonly VerifyingKey[], findings: Findings): Start {
  const isSigned = exportHeaderSignatureHolds(header, keys);
  if (!isSigned) {
    findings.add(
      'export-changed',
      `The first line was changed after the service signed it with key version ${header.key_version}, or that key was not given.`,
    );
  }
  const { head_before: head, size_before, subtrees_before, team_id } = header;
  const tree = treeBefore(size_before, subtrees_before);
  const root = head === null ? openTree().root() : head.root;
  if (tree === null || tree.root() !== root || (head?.size ?? 0) !== size_before) {
    findings.add('root-differs', 'The tree head before the export does not cover the records before it.', {
      head_number: head?.number ?? null,
    });
    return { tree: null, isSigned };
  }
  if (head !== null && (!headSignatureHolds(head, keys) || head.team_id !== team_id)) {
    findings.add('head-signature-invalid', 'The tree head before the export was not signed by the service.', {
      head_number: head.number,
    });
  }
  return { tree, isSigned };
}

function treeBefore(size: number, subtrees: readonly string[]): CompactTree | null {
  try {
    return openTree(size, subtrees);
  } catch {
    return null;
  }
}
