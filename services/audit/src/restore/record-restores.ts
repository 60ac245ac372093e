import { hash } from 'node:crypto';
import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import type { RestoreDocument } from '@tollgate/contracts/audit/restore';
import { siblingId } from '@tollgate/contracts/platform/id-time';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { leaseTimes } from '@tollgate/store/lease';
import type { AppendContext } from '../append/appender.ts';
import type { Context } from '../context.ts';
import { LogCorrupted } from '../heads/create-head.ts';
import { type HeadDocument, toHead } from '../heads/head-store.ts';
import { closeGaps } from './close-gaps.ts';

/** How long an instance has for the logs of all teams before another one continues. */
const LEASE_MS = 60_000;

/**
 * Records a declared restore in the log of every team, and makes each log continue from its present end. Until then, no tree head is
 * signed on a log that lost its newest one. Safe to repeat at any point, and while other instances append.
 */
export async function recordRestores(context: AppendContext): Promise<void> {
  const { restores, logs, metrics, clock, logger } = context;
  let restore = await restores.acquire({}, leaseTimes(clock, LEASE_MS), { sort: { _id: 1 } });
  if (restore === null) return;
  let isComplete = true;
  for (const teamId of await logs.listTeamsOfAll()) {
    try {
      await recordRestore(context, restore, teamId);
    } catch (err) {
      // The logs of other teams continue.
      isComplete = false;
      if (err instanceof LogCorrupted) metrics.rejectedHeads.inc();
      logger.error({ err, team_id: teamId }, 'failed to record the restore of an audit log');
    }
    restore = await restores.renew(restore, leaseTimes(clock, LEASE_MS).until);
    // Another instance continues.
    if (restore === null) return;
  }
  const now = new Date(clock.now());
  await restores.release(restore, now, isComplete ? { $set: { recorded_at: now } } : {});
}

async function recordRestore(
  context: AppendContext,
  restore: RestoreDocument,
  teamId: string,
): Promise<void> {
  const { records, heads, logs, knownHeads, appender, clock, logger } = context;
  const id = siblingId('audit', restore._id, hash('sha256', `${restore._id} ${teamId}`));
  // Read before the records are counted, so that a tree head that another instance signs meanwhile does not seem to lack records.
  const lastStored = await heads.findLast(teamId);
  const head = await findCoveredHead(context, teamId, lastStored);
  const signed = [
    lastStored && toHead(lastStored),
    await logs.findLastHead(teamId),
    await knownHeads.find(teamId),
  ].filter((each) => each !== null);
  const wentBack = lastStored?.number !== head?.number || !(await areStored(heads, signed));
  // Before anything changes: a repeat must find the same.
  for (const each of signed) await requireNoGap(records, each);
  if ((await records.find(teamId, id)) === null) {
    if (wentBack) await abandonLaterHeads(context, teamId, head);
    const { size, renumbered } = await closeGaps(context, teamId, head?.size ?? 0);
    const newest = wentBack ? signed.toSorted((a, b) => b.number - a.number)[0] : head;
    // A declaration from the future would explain tree heads of the time after the restore.
    const at = new Date(Math.min(restore.declared_at.getTime(), clock.now()));
    await appender.append({
      id,
      occurred_at: at.toISOString(),
      team_id: teamId,
      environment: null,
      ...SYSTEM_AUTHOR,
      action: 'log.restored',
      target: { type: 'audit_records', id: teamId, name: null },
      application_id: null,
      // Before: the newest tree head of the time before the restore that is known. After: where the log continues.
      changes: {
        records: { before: newest?.size ?? null, after: size },
        tree_heads: { before: newest?.number ?? null, after: head?.number ?? 0 },
        ...(renumbered > 0 && { renumbered_records: { before: null, after: renumbered } }),
      },
    });
    logger.warn({ team_id: teamId, sequence: size }, 'recorded the restore of an audit log');
  }
  // Once more, also when this is repeated: a batch that read the end of the log before tree heads were set aside may be stored by now.
  await closeGaps(context, teamId, head?.size ?? 0);
  // Last: until then, no instance signs a tree head, so that this can be repeated.
  if (wentBack) await knownHeads.reset(teamId, head);
}

async function areStored(heads: Context['heads'], known: AuditHead[]): Promise<boolean> {
  for (const head of known) if (!(await heads.has(head))) return false;
  return true;
}

/** The newest head whose records are all there. A dump that is not of one point in time can have later heads. */
async function findCoveredHead(
  { records, heads }: Context,
  teamId: string,
  lastStored: HeadDocument | null,
): Promise<AuditHead | null> {
  let head: AuditHead | null = lastStored && toHead(lastStored);
  while (head !== null && (await records.countUpTo(teamId, head.size)) !== head.size) {
    const [earlier]: AuditHead[] = await heads.list(teamId, { below: head.number, limit: 1 });
    head = earlier ?? null;
  }
  return head;
}

/**
 * What a tree head covers is never renumbered: that would hide records that were deleted before the restore. A dump that
 * is not of one moment lacks the end of it, but nothing in between.
 */
async function requireNoGap(records: Context['records'], head: AuditHead): Promise<void> {
  const last = await records.findLastCovered(head);
  if (last === null) return;
  const missing = last.seq - (await records.countUpTo(head.team_id, last.seq));
  if (missing > 0) {
    throw new LogCorrupted(
      head.team_id,
      `tree head ${head.number} covers record ${last.seq}, but ${missing} of the records before it are missing`,
    );
  }
}

/** After this, neither proofs nor the numbers of new records depend on the later heads. */
async function abandonLaterHeads(
  { heads, nodes, logs }: Context,
  teamId: string,
  head: AuditHead | null,
): Promise<void> {
  await heads.abandonAbove(teamId, head?.number ?? 0);
  await nodes.deleteAbove(teamId, head?.size ?? 0);
  await logs.resetHead(teamId, head);
}
