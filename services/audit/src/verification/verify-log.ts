import { signExportHeader } from '@tollgate/audit-log/export-line';
import { publicKeyOf } from '@tollgate/audit-log/keys';
import type { Findings } from '@tollgate/audit-log/verify/findings';
import { verifyExport } from '@tollgate/audit-log/verify-export';
import type { AuditHead, ExportHeader } from '@tollgate/contracts/audit/audit-log';
import type { Context } from '../context.ts';
import { createHead, LogCorrupted } from '../heads/create-head.ts';
import { toHead } from '../heads/head-store.ts';
import type { LogCheck } from './check-documents.ts';
import { checkTail } from './check-tail.ts';
import { readLogLines } from './log-lines.ts';
import { checkMisplacedNodes } from './stored-nodes.ts';

export interface VerifyLogOptions extends Pick<LogCheck, 'progress' | 'findings' | 'signal'> {
  /** Tree heads that were seen before; each must still exist. */
  seen: AuditHead[];
}

/**
 * Checks everything that is stored of a team's log, in constant memory: the log as in the verification of a full
 * export, and the data that only the database has: search words, the nodes that proofs use, and records that no tree
 * head covers yet.
 * Resolves to the head up to which everything was compared. Throws when the signal is aborted.
 */
export async function verifyLog(
  context: Context,
  teamId: string,
  { progress, findings, seen, signal }: VerifyLogOptions,
): Promise<AuditHead | null> {
  const { records, heads, nodes, logs, knownHeads, publicKeys } = context;
  await createHead(context, teamId).catch((error: unknown) => {
    // The verification reports this fault itself.
    if (!(error instanceof LogCorrupted)) throw error;
  });
  const known = [await logs.findLastHead(teamId), await knownHeads.find(teamId)];
  const seenHeads = [...seen, ...known.filter((head) => head !== null)];
  const stored = await heads.findLast(teamId);
  const last = stored && toHead(stored);
  progress.records = await records.count(teamId);
  progress.heads = await heads.count(teamId);
  const [size, lastNumber] = [countIn(last?.size), countIn(last?.number)];
  const check: LogCheck = { teamId, size, lastNumber, progress, findings, signal };
  const endOfLog = (await records.findLast(teamId))?.seq ?? 0;

  if (lastNumber > 0) {
    await verifyExport(readLogLines(context, check, headerOf(context, check)), {
      publicKeys,
      everySeal: true,
      onFinding: ({ code, detail, seq, record_id, head_number }) =>
        findings.add(code, detail, { seq, recordId: record_id, headNumber: head_number }),
      witness: jsonLines(seenHeads),
    });
    await checkMisplacedNodes(nodes, teamId, endOfLog, findings);
  } else {
    for (const head of seenHeads.slice(0, 1)) reportNoHeads(head, findings);
  }
  await checkTail(context, check, endOfLog);
  return last;
}

/** A corrupted head may contain any value. */
function countIn(field: number | undefined): number {
  return Number.isSafeInteger(field) ? Math.max(0, field ?? 0) : 0;
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
function headerOf({ signingKeys, clock }: Context, { teamId, size, lastNumber }: LogCheck): ExportHeader {
  const now = new Date(clock.now()).toISOString();
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
      last_head_number: lastNumber,
      last_head_size: size,
      public_keys: signingKeys.map(publicKeyOf),
    },
    signingKeys[0],
  );
}

async function* jsonLines(heads: AuditHead[]): AsyncGenerator<string> {
  for (const head of heads) yield JSON.stringify(head);
}
