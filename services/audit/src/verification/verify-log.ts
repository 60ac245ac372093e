import { signExportHeader } from '@tollgate/audit-log/export-line';
import type { SigningKey, VerifyingKey } from '@tollgate/audit-log/keys';
import { publicKeyOf } from '@tollgate/audit-log/keys';
import type { Findings } from '@tollgate/audit-log/verify/findings';
import { verifyExport } from '@tollgate/audit-log/verify-export';
import type { AuditHead, ExportHeader } from '@tollgate/contracts/audit/audit-log';
import type { Clock } from '@tollgate/runtime/clock';
import { createHead, type HeadSigner, LogCorrupted } from '../heads/create-head.ts';
import { type HeadStore, toHead } from '../heads/head-store.ts';
import type { KnownHeads } from '../heads/known-heads.ts';
import type { LogStore } from '../heads/log-store.ts';
import type { NodeStore } from '../heads/node-store.ts';
import type { RecordStore } from '../records/record-store.ts';
import { checkTail } from './check-tail.ts';
import { readLogLines } from './log-lines.ts';
import type { LogPlaces } from './log-places.ts';
import type { LogProgress } from './log-progress.ts';
import { checkMisplacedNodes } from './stored-nodes.ts';

export interface LogVerifier {
  records: RecordStore;
  heads: HeadStore;
  nodes: NodeStore;
  logs: Pick<LogStore, 'findLastHead'>;
  knownHeads: Pick<KnownHeads, 'find'>;
  headSigner: HeadSigner;
  key: SigningKey;
  signingKeys: readonly SigningKey[];
  publicKeys: readonly VerifyingKey[];
  clock: Clock;
}

export interface VerifyLogOptions {
  progress: LogProgress;
  findings: Findings;
  /** Tree heads that were seen before; each must still exist. */
  seen: AuditHead[];
  signal: AbortSignal;
}

/**
 * Checks everything that is stored of a team's log, in constant memory: the log as in the verification of a full
 * export, and the data that only the database has: search words, the nodes that proofs use, and records that no tree
 * head covers yet.
 * Resolves to the head up to which everything was compared. Throws when the signal is aborted.
 */
export async function verifyLog(
  verifier: LogVerifier,
  teamId: string,
  { progress, findings, seen, signal }: VerifyLogOptions,
): Promise<AuditHead | null> {
  const { records, heads, logs, knownHeads, publicKeys } = verifier;
  const report = { findings, progress, signal };
  await createHead(verifier.headSigner, teamId).catch((error: unknown) => {
    // The verification reports this fault itself.
    if (!(error instanceof LogCorrupted)) throw error;
  });
  const known = [await logs.findLastHead(teamId), await knownHeads.find(teamId)];
  const seenHeads = [...seen, ...known.filter((head) => head !== null)];
  const stored = await heads.findLast(teamId);
  const last = stored && toHead(stored);
  progress.records = await records.count(teamId);
  progress.heads = await heads.count(teamId);
  const places: LogPlaces = { teamId, size: sizeOf(last), lastNumber: numberOf(last) };
  const endOfLog = (await records.findLast(teamId))?.seq ?? 0;

  if (last !== null && places.lastNumber > 0) {
    const header = headerOf(verifier, teamId, last);
    const lines = readLogLines({ ...verifier, ...report }, places, header);
    await verifyExport(lines, {
      publicKeys,
      everySeal: true,
      onFinding: ({ code, detail, seq, record_id, head_number }) =>
        findings.add(code, detail, { seq, recordId: record_id, headNumber: head_number }),
      witness: jsonLines(seenHeads),
    });
    await checkMisplacedNodes(verifier.nodes, teamId, endOfLog, findings);
  } else {
    for (const head of seenHeads.slice(0, 1)) reportNoHeads(head, findings);
  }
  await checkTail({ records, publicKeys, ...report }, places, endOfLog);
  return last;
}

/** A corrupted head may contain any value. */
function sizeOf(head: AuditHead | null): number {
  return Number.isSafeInteger(head?.size) ? Math.max(0, head?.size ?? 0) : 0;
}

function numberOf(head: AuditHead | null): number {
  return Number.isSafeInteger(head?.number) ? Math.max(0, head?.number ?? 0) : 0;
}

function reportNoHeads({ number, size, at }: AuditHead, findings: Findings): void {
  findings.add(
    'head-missing',
    `Tree head ${number} of ${size} records was signed at ${at}, but no tree heads are stored.`,
    {
      headNumber: number,
    },
  );
}

/** The first line of an export of the whole log. */
function headerOf(verifier: LogVerifier, teamId: string, last: AuditHead): ExportHeader {
  const now = new Date(verifier.clock.now()).toISOString();
  return signExportHeader(
    {
      type: 'export',
      format: 1,
      team_id: teamId,
      from: new Date(0).toISOString(),
      to: now,
      exported_at: now,
      size_before: 0,
      subtrees_before: [],
      head_before: null,
      last_head_number: numberOf(last),
      last_head_size: sizeOf(last),
      public_keys: verifier.signingKeys.map(publicKeyOf),
    },
    verifier.key,
  );
}

async function* jsonLines(heads: AuditHead[]): AsyncGenerator<string> {
  for (const head of heads) yield JSON.stringify(head);
}
