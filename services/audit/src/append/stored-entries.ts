import { hash } from 'node:crypto';
import { signBytes } from '@tollgate/audit-log/signature';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { siblingId } from '@tollgate/contracts/platform/id-time';
import { auditEntryDigest } from '@tollgate/security/audit-entry';
import type { Context } from '../context.ts';
import { isSealed, type RecordDocument, toRecord } from '../records/record-document.ts';

// Entries are compared with the log by content: an id alone does not prove that the log has the entry.

/** What identifies an entry. The digest covers the id and the team, too. */
export interface WantedEntry {
  id: string;
  team_id: string;
  digest: string;
}

/** The entries among these that are in the log, under their own id or under a substitute. */
export async function findStored<Wanted extends WantedEntry>(
  context: Context,
  wanted: Wanted[],
): Promise<Wanted[]> {
  return wanted.filter((await compare(context, wanted)).isStored);
}

/** The entries that are not in the log. An entry whose id something else has gets a substitute id. */
export async function findMissing(context: Context, entries: AuditEntry[]): Promise<AuditEntry[]> {
  const { signingKeys, metrics, logger } = context;
  const wanted = entries.map((entry) => ({ ...identified(entry), entry }));
  const { isStored, isTaken } = await compare(context, wanted);
  return wanted
    .filter((each) => !isStored(each))
    .map((each) => {
      if (!isTaken(each)) return each.entry;
      const [substitute] = substituteIds(each, signingKeys) as [string];
      metrics.takenIds.inc();
      logger.error(
        { team_id: each.team_id, key: each.id },
        'the id of an audit entry belongs to a record with other content; the entry is stored under another id',
      );
      return { ...each.entry, id: substitute };
    });
}

async function compare<Wanted extends WantedEntry>(context: Context, wanted: Wanted[]) {
  const { records, signingKeys, publicKeys } = context;

  /** Ids are unique over all teams, so the record with this id may be another team's. */
  async function findByIds(ids: string[]): Promise<Map<string, RecordDocument>> {
    const found = ids.length === 0 ? [] : await records.findOfAllTeams(ids);
    return new Map(found.map((document) => [document._id, document]));
  }

  function holds(document: RecordDocument | undefined, entry: WantedEntry): boolean {
    return (
      document !== undefined &&
      document.team_id === entry.team_id &&
      isSealed(document, publicKeys) &&
      entryDigest({ ...entryOf(document), id: entry.id }) === entry.digest
    );
  }

  const documents = await findByIds(wanted.map(({ id }) => id));
  const taken = wanted
    .filter(({ id }) => documents.has(id))
    .filter((entry) => !holds(documents.get(entry.id), entry));
  const substitutes = await findByIds(taken.flatMap((entry) => substituteIds(entry, signingKeys)));
  const hasSubstitute = (entry: Wanted) =>
    substituteIds(entry, signingKeys).some((id) => holds(substitutes.get(id), entry));
  const takenAndMissing = new Set(taken.filter((entry) => !hasSubstitute(entry)));
  return {
    isStored: (entry: Wanted) => documents.has(entry.id) && !takenAndMissing.has(entry),
    isTaken: (entry: Wanted) => takenAndMissing.has(entry),
  };
}

export function identified(entry: AuditEntry): WantedEntry {
  return { id: entry.id, team_id: entry.team_id, digest: entryDigest(entry) };
}

/**
 * An entry about a payment is derived from its event, by each release anew: what a later release adds, and what is erased
 * from the payment, must not make it another entry.
 */
function entryDigest(entry: AuditEntry): string {
  if (!entry.action.startsWith('payment.')) return auditEntryDigest(entry);
  const { id, team_id, occurred_at, action, target } = entry;
  return auditEntryDigest({ id, team_id, occurred_at, action, target: { id: target.id } } as AuditEntry);
}

function entryOf(document: RecordDocument): AuditEntry {
  const { seq: _seq, recorded_at: _recordedAt, ...entry } = toRecord(document);
  return entry;
}

/**
 * Ids that nobody else can predict, the same in every instance and at every repetition, one per key. A predictable id
 * could be taken, too. An earlier key may have derived the id of a stored entry.
 */
function substituteIds({ id, digest }: WantedEntry, signingKeys: Context['signingKeys']): string[] {
  return signingKeys.map((key) =>
    siblingId(
      'audit',
      id,
      hash('sha256', signBytes('tollgate-audit-substitute-v1', Buffer.from(digest, 'hex'), key)),
    ),
  );
}
