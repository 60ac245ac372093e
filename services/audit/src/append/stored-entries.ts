import { hash } from 'node:crypto';
import type { SigningKey, VerifyingKey } from '@tollgate/audit-log/keys';
import { recordLeaf } from '@tollgate/audit-log/record-leaf';
import { sealHolds } from '@tollgate/audit-log/seal';
import { signBytes } from '@tollgate/audit-log/signature';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { siblingId } from '@tollgate/contracts/platform/id-time';
import { auditEntryDigest } from '@tollgate/security/audit-entry';
import { type RecordDocument, toRecord } from '../records/record-document.ts';
import type { RecordStore } from '../records/record-store.ts';

/** What identifies an entry. The digest covers the id and the team, too. */
export interface WantedEntry {
  id: string;
  team_id: string;
  digest: string;
}

/** Compares entries with the log by content: an id alone does not prove that the log has the entry. */
export interface StoredEntries {
  /** The entries among these that are in the log, under their own id or under a substitute. */
  findStored<Wanted extends WantedEntry>(wanted: Wanted[]): Promise<Wanted[]>;
  /** The entries that are not in the log. An entry whose id something else has gets a substitute id. */
  findMissing(entries: AuditEntry[]): Promise<AuditEntry[]>;
}

export function createStoredEntries(deps: {
  records: Pick<RecordStore, 'findOfAllTeams'>;
  /** The first one signs now. Earlier ones may have sealed records and derived substitute ids. */
  signingKeys: readonly [SigningKey, ...SigningKey[]];
  publicKeys: readonly VerifyingKey[];
  onTaken: (entry: AuditEntry, substitute: string) => void;
}): StoredEntries {
  const { records, signingKeys, publicKeys, onTaken } = deps;

  /** Ids are unique over all teams, so the record with this id may be another team's. */
  async function findByIds(ids: string[]): Promise<Map<string, RecordDocument>> {
    const found = ids.length === 0 ? [] : await records.findOfAllTeams(ids);
    return new Map(found.map((document) => [document._id, document]));
  }

  async function compare<Wanted extends WantedEntry>(wanted: Wanted[]) {
    const documents = await findByIds(wanted.map(({ id }) => id));
    const isTaken = (entry: Wanted) => documents.has(entry.id) && !holds(documents.get(entry.id), entry);
    const taken = wanted.filter(isTaken);
    const substitutes = await findByIds(taken.flatMap((entry) => substituteIds(entry, signingKeys)));
    const hasSubstitute = (entry: Wanted) =>
      substituteIds(entry, signingKeys).some((id) => holds(substitutes.get(id), entry));
    const takenAndMissing = new Set(taken.filter((entry) => !hasSubstitute(entry)));
    const isStored = (entry: Wanted) => documents.has(entry.id) && !takenAndMissing.has(entry);
    return { isStored, isTaken: (entry: Wanted) => takenAndMissing.has(entry) };
  }

  function holds(document: RecordDocument | undefined, entry: WantedEntry): boolean {
    return (
      document !== undefined &&
      document.team_id === entry.team_id &&
      isSealed(document, publicKeys) &&
      entryDigest({ ...entryOf(document), id: entry.id }) === entry.digest
    );
  }

  return {
    async findStored(wanted) {
      return wanted.filter((await compare(wanted)).isStored);
    },

    async findMissing(entries) {
      const wanted = entries.map((entry) => ({ ...identified(entry), entry }));
      const { isStored, isTaken } = await compare(wanted);
      return wanted
        .filter((each) => !isStored(each))
        .map((each) => {
          if (!isTaken(each)) return each.entry;
          const [substitute] = substituteIds(each, signingKeys) as [string];
          onTaken(each.entry, substitute);
          return { ...each.entry, id: substitute };
        });
    },
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

/** Only the audit service can seal a record. */
function isSealed(document: RecordDocument, publicKeys: readonly VerifyingKey[]): boolean {
  try {
    const leafHash = recordLeaf(toRecord(document));
    return leafHash === document.leaf_hash && sealHolds(leafHash, document.seal, publicKeys);
  } catch {
    // It lacks a seal, or has a value that no record has.
    return false;
  }
}

function entryOf(document: RecordDocument): AuditEntry {
  const { seq: _seq, recorded_at: _recordedAt, ...entry } = toRecord(document);
  return entry;
}

/**
 * Ids that nobody else can predict, the same in every instance and at every repetition, one per key. A predictable id
 * could be taken, too.
 */
function substituteIds({ id, digest }: WantedEntry, signingKeys: readonly SigningKey[]): string[] {
  return signingKeys.map((key) =>
    siblingId(
      'audit',
      id,
      hash('sha256', signBytes('tollgate-audit-substitute-v1', Buffer.from(digest, 'hex'), key)),
    ),
  );
}
