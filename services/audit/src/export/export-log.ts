import { signExportHeader, writeExportLine } from '@tollgate/audit-log/export-line';
import { publicKeyOf } from '@tollgate/audit-log/keys';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditHead, ExportHeader } from '@tollgate/contracts/audit/audit-log';
import type { exportRecords as contract } from '@tollgate/contracts/audit/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireAllEnvironments } from '@tollgate/security/require-environment';
import { requireRoleToRead } from '@tollgate/security/require-role';
import { createPageBudget } from '@tollgate/store/page-budget';
import type { Static } from 'typebox';
import type { AppendContext } from '../append/appender.ts';
import type { Context } from '../context.ts';
import { createHead, LogCorrupted } from '../heads/create-head.ts';
import { type HeadDocument, toHead } from '../heads/head-store.ts';
import { toRecord } from '../records/record-document.ts';
import { type ExportCursor, formatExportCursor, parseExportCursor } from './export-cursor.ts';
import { recordExport } from './record-export.ts';

const RECORDS_PER_READ = 100;

type ExportRequest = Static<typeof contract.request>;
type ExportPart = Static<typeof contract.reply>;

/**
 * Returns some lines of an export of the team's log. The first lines are returned once the export is recorded. Throws
 * `invalid-request` for an invalid period, and `conflict` when the log is corrupted and cannot be signed.
 */
export async function exportLog(
  context: AppendContext,
  actor: Actor,
  request: ExportRequest,
): Promise<ExportPart> {
  requireRoleToRead(actor, 'admin', 'export audit records');
  requireAllEnvironments(actor, 'export audit records');
  if (request.cursor !== undefined)
    return nextLines(context, actor.team_id, parseExportCursor(request.cursor));
  const [from, to] = periodOf(context, request);
  const filters = { from: request.from, to: request.to };
  await recordExport(context, actor, { of: 'audit_records', environment: null, filters });
  return begin(context, actor.team_id, from, to);
}

function periodOf({ clock }: Context, { from, to }: ExportRequest): [Date, Date] {
  const period: [Date, Date] = [new Date(from), new Date(to)];
  if (period[0] >= period[1]) throw invalidPeriod('/from', '`from` must be before `to`.');
  if (period[0].getTime() > clock.now()) throw invalidPeriod('/from', '`from` must be in the past.');
  return period;
}

function invalidPeriod(pointer: string, detail: string): Problem {
  return new Problem('invalid-request', 'The period is not valid.', {
    errors: [{ pointer, code: 'invalid', detail }],
  });
}

async function begin(context: Context, teamId: string, from: Date, to: Date): Promise<ExportPart> {
  const before = await context.heads.findLastBefore(teamId, from);
  const last = await lastHeadOf(context, teamId, to, before);
  const header = headerOf(context, teamId, { from, to, before, last });
  const cursor: ExportCursor = {
    seq: (before?.size ?? 0) + 1,
    head: (before?.number ?? 0) + 1,
    last_head: last.number,
    records: 0,
    heads: 0,
  };
  return nextLines(context, teamId, cursor, writeExportLine(header));
}

/** The first tree head at the end of the period; a new one when the period has not ended. */
async function lastHeadOf(
  context: Context,
  teamId: string,
  to: Date,
  before: HeadDocument | null,
): Promise<AuditHead> {
  const end = await context.heads.findFirstFrom(teamId, to);
  if (end && end.number > (before?.number ?? 0)) return toHead(end);
  try {
    const newest = await createHead(context, teamId);
    if (newest && newest.number > (before?.number ?? 0)) return newest;
    const further = await createHead(context, teamId, () => true);
    if (further) return further;
  } catch (error) {
    if (!(error instanceof LogCorrupted)) throw error;
    throw new Problem('conflict', `${error.message} Verify the log for details.`);
  }
  throw new Problem('conflict', 'The audit log has no records to export yet.');
}

function headerOf(
  { signingKeys, clock }: Context,
  teamId: string,
  { from, to, before, last }: { from: Date; to: Date; before: HeadDocument | null; last: AuditHead },
): ExportHeader {
  return signExportHeader(
    {
      type: 'export',
      format: 1,
      team_id: teamId,
      from: from.toISOString(),
      to: to.toISOString(),
      exported_at: new Date(Math.max(clock.now(), Date.parse(last.at))).toISOString(),
      size_before: before?.size ?? 0,
      subtrees_before: before?.subtrees ?? [],
      head_before: before && toHead(before),
      last_head_number: last.number,
      last_head_size: last.size,
      public_keys: signingKeys.map(publicKeyOf),
    },
    signingKeys[0],
  );
}

async function nextLines(
  context: Context,
  teamId: string,
  start: ExportCursor,
  firstLine = '',
): Promise<ExportPart> {
  const { heads, records } = context;
  const cursor = { ...start };
  const budget = createPageBudget();
  let lines = firstLine;
  if (firstLine !== '') budget.takes(firstLine);
  const full = () => ({ lines, next_cursor: formatExportCursor(cursor) });
  while (cursor.head <= cursor.last_head) {
    const head = await heads.find(teamId, cursor.head);
    // A deleted tree head: verification of the export reports it as missing.
    const upTo = head?.size ?? cursor.seq - 1;
    const found = await records.listBySeq(teamId, { from: cursor.seq, upTo, limit: RECORDS_PER_READ });
    for (const document of found) {
      const { leaf_hash, seal } = document;
      const line = writeExportLine({ type: 'record', leaf_hash, seal, record: toRecord(document) });
      if (!budget.takes(line)) return full();
      lines += line;
      cursor.seq = document.seq + 1;
      cursor.records += 1;
    }
    if (found.length === RECORDS_PER_READ) continue;
    if (head) {
      const line = writeExportLine({ type: 'head', head: toHead(head) });
      if (!budget.takes(line)) return full();
      lines += line;
      cursor.heads += 1;
    }
    cursor.head += 1;
  }
  // The budget leaves room for this line.
  lines += writeExportLine({ type: 'end', records: cursor.records, heads: cursor.heads });
  return { lines, next_cursor: null };
}
