import { isDeepStrictEqual } from 'node:util';
import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import type { HeadDocument } from '../src/heads/head-store.ts';
import type { NodeDocument } from '../src/heads/node-store.ts';
import type { RecordDocument } from '../src/records/record-document.ts';
import type { Service } from './harness.ts';

/** All documents of a team's log. A tampering can change them in any way that these types allow. */
export interface StoredLog {
  records: RecordDocument[];
  heads: HeadDocument[];
  nodes: NodeDocument[];
  logs: { _id: string; last_head: AuditHead | null }[];
}

const COLLECTIONS = ['records', 'heads', 'nodes', 'logs'] as const;
const ORDER = {
  records: { seq: 1 },
  heads: { number: 1 },
  nodes: { end: 1, level: 1 },
  logs: { _id: 1 },
} as const;

function filterOf(name: (typeof COLLECTIONS)[number], teamId: string) {
  return name === 'logs' ? { _id: teamId } : { team_id: teamId };
}

export async function readStoredLog({ connection }: Service, teamId: string): Promise<StoredLog> {
  const log: Partial<Record<keyof StoredLog, unknown>> = {};
  for (const name of COLLECTIONS) {
    const found = connection.collection<{ _id: string }>(name).find(filterOf(name, teamId)).sort(ORDER[name]);
    log[name] = await found.toArray();
  }
  return log as StoredLog;
}

/** Writes the documents that differ, as an attacker with write access to MongoDB would. */
export async function replaceStoredLog(
  { connection }: Service,
  teamId: string,
  log: Partial<StoredLog>,
): Promise<void> {
  for (const name of COLLECTIONS) {
    const documents = log[name] as { _id: string }[] | undefined;
    if (documents === undefined) continue;
    const collection = connection.collection<{ _id: string }>(name);
    const stored = await collection.find(filterOf(name, teamId)).toArray();
    const removed = missingIn(documents, stored).map(({ _id }) => _id);
    if (removed.length > 0) await collection.deleteMany({ _id: { $in: removed } });
    const added = missingIn(stored, documents);
    if (added.length > 0) await collection.insertMany(added);
  }
}

function missingIn(known: { _id: string }[], documents: { _id: string }[]): { _id: string }[] {
  const byId = new Map(known.map((document) => [document._id, document]));
  return documents.filter((document) => !isDeepStrictEqual(document, byId.get(document._id)));
}
