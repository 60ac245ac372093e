import { verifyStoredLog } from '@tollgate/audit-log/verify-export';
import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
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
  const { records, heads, nodes, logs, knownHeads, publicKeys, clock } = context;
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
    const log = { teamId, lastHeadNumber: lastNumber, lastHeadSize: size, at: new Date(clock.now()) };
    await verifyStoredLog(log, readLogLines(context, check), {
      publicKeys,
      everySeal: true,
      onFinding: ({ code, detail, ...place }) => findings.add(code, detail, place),
      witness: jsonLines(seenHeads),
    });
    await checkMisplacedNodes(nodes, teamId, endOfLog, findings);
  } else if (seenHeads[0]) {
    const { number, size, at } = seenHeads[0];
    const detail = `Tree head ${number} of ${size} records was signed at ${at}, but no tree heads are stored.`;
    findings.add('head-missing', detail, { head_number: number });
  }
  await checkTail(context, check, endOfLog);
  return last;
}

/** A corrupted head may contain any value. */
function countIn(field: number | undefined): number {
  return Number.isSafeInteger(field) ? Math.max(0, field ?? 0) : 0;
}

async function* jsonLines(heads: AuditHead[]): AsyncGenerator<string> {
  for (const head of heads) yield JSON.stringify(head);
}
