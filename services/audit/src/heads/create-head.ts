import { setImmediate as turn } from 'node:timers/promises';
import { openTree } from '@tollgate/audit-log/compact-tree';
import { headHash, headSignatureHolds, signHead } from '@tollgate/audit-log/head';
import type { HashedNode } from '@tollgate/audit-log/tree-nodes';
import { type AuditHead, MAX_RECORDS_PER_HEAD } from '@tollgate/contracts/audit/audit-log';
import type { Context } from '../context.ts';
import { isSealed, type RecordDocument } from '../records/record-document.ts';
import { type HeadDocument, toHead } from './head-store.ts';
import { LOWEST_STORED_LEVEL } from './node-store.ts';

/** Records whose seals are checked, at about 0.1 ms each, before the event loop runs other work. */
const RECORDS_PER_TURN = 100;

/**
 * MongoDB's content differs from what the service wrote. Nothing is signed on top of it: a verification of the log
 * names the fault.
 */
export class LogCorrupted extends Error {
  constructor(teamId: string, what: string) {
    super(`The audit log of ${teamId} is corrupted: ${what}. No tree head is signed until it is repaired.`);
    this.name = 'LogCorrupted';
  }
}

/**
 * Signs tree heads until every record is covered. Without new records, `isDue` decides whether to sign one that adds none:
 * it gets the newest head as just read, because another instance may have signed one since the caller looked. Resolves to
 * the newest head, created here or by another instance; null when there is nothing to sign. Throws LogCorrupted.
 */
export async function createHead(
  context: Context,
  teamId: string,
  isDue: (newest: AuditHead | null) => boolean = () => false,
): Promise<AuditHead | null> {
  for (;;) {
    const last = await findTrustedHead(context, teamId);
    const documents = await context.records.listBySeq(teamId, {
      from: (last?.size ?? 0) + 1,
      upTo: Number.MAX_SAFE_INTEGER,
      limit: MAX_RECORDS_PER_HEAD,
    });
    if (documents.length === 0 && !isDue(last)) return last && toHead(last);
    const head = await signNext(context, teamId, last, documents);
    if (head === null) {
      const newest = await context.heads.findLast(teamId);
      return newest && toHead(newest);
    }
    if (documents.length < MAX_RECORDS_PER_HEAD) return head;
  }
}

async function findTrustedHead(
  { heads, logs, knownHeads, publicKeys }: Context,
  teamId: string,
): Promise<HeadDocument | null> {
  // In this order, because a head is noted after it is stored.
  const known = [await logs.findLastHead(teamId), await knownHeads.find(teamId)];
  const last = await heads.findLast(teamId);
  for (const head of known) {
    if (head === null || (await heads.has(head))) continue;
    throw new LogCorrupted(
      teamId,
      `tree head ${head.number} was signed at ${head.at}, but the log does not have it, and ends with ${last?.number ?? 'none'}. ` +
        'If a backup of MongoDB was restored, declare it with `tollgate restore --restored`',
    );
  }
  if (last && !isSigned(last, publicKeys)) {
    throw new LogCorrupted(teamId, `the signature of tree head ${last.number} is invalid`);
  }
  return last;
}

/** Null when another instance was first. */
async function signNext(
  { heads, logs, knownHeads, nodes, signingKeys, publicKeys, metrics, clock, witness }: Context,
  teamId: string,
  last: HeadDocument | null,
  documents: RecordDocument[],
): Promise<AuditHead | null> {
  const tree = treeOf(teamId, last);
  const completed: HashedNode[] = [];
  for (const [index, document] of documents.entries()) {
    if (document.seq !== tree.size + 1) throw new LogCorrupted(teamId, `record ${tree.size + 1} is missing`);
    requireSealed(document, publicKeys);
    completed.push(...tree.append(document.leaf_hash).filter(({ level }) => level >= LOWEST_STORED_LEVEL));
    if (index % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) await turn();
  }
  const notBefore = [last?.at, documents.at(-1)?.recorded_at].map((time) => (time ? Date.parse(time) : 0));
  const head = signHead(
    {
      team_id: teamId,
      number: (last?.number ?? 0) + 1,
      size: tree.size,
      root: tree.root(),
      at: new Date(Math.max(clock.now(), ...notBefore)).toISOString(),
      previous_hash: last && headHash(toHead(last)),
    },
    signingKeys[0],
  );
  await nodes.insertMissing(teamId, completed);
  if (!(await heads.insert(head, tree.subtrees))) return null;
  metrics.heads.inc();
  witness.publish(head);
  await logs.noteHead(head);
  await knownHeads.note(head);
  return head;
}

function treeOf(teamId: string, last: HeadDocument | null) {
  try {
    const tree = openTree(last?.size ?? 0, last?.subtrees ?? []);
    if (last === null || tree.root() === last.root) return tree;
  } catch {
    // Reported below.
  }
  throw new LogCorrupted(teamId, `the subtrees of tree head ${last?.number} do not match its root hash`);
}

/** Throws LogCorrupted for a record that this service did not write. */
export function requireSealed(document: RecordDocument, publicKeys: Context['publicKeys']): void {
  if (isSealed(document, publicKeys)) return;
  throw new LogCorrupted(document.team_id, `record ${document.seq} (${document._id}) was changed`);
}

/** Data that was tampered with may make the check itself throw. */
function isSigned(head: HeadDocument, publicKeys: Context['publicKeys']): boolean {
  try {
    return headSignatureHolds(toHead(head), publicKeys);
  } catch {
    return false;
  }
}
