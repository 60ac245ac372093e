import type { Bus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import type { SignedAuditEntry } from '@tollgate/contracts/audit';
import { isId } from '@tollgate/contracts/ids';
import { Problem } from '@tollgate/contracts/problem';
import { confirmEntries, confirmRecords } from '@tollgate/contracts/rpc/audit';
import { auditEntryDigest } from '@tollgate/security/audit-entry';

/**
 * Resolves to the ids of the entries that the audit log has, or can never store. Throws when the audit service is
 * unavailable.
 */
export async function confirmAuditEntries(bus: Bus, entries: SignedAuditEntry[]): Promise<string[]> {
  // A malformed entry, which only an attacker can have stored, must not fail the request for the others.
  const wanted = entries
    .filter(({ id, team_id }) => isId('audit', id) && isId('team', team_id))
    .flatMap((entry) => {
      const digest = digestOf(entry);
      return digest === null ? [] : [{ id: entry.id, team_id: entry.team_id, digest }];
    });
  if (wanted.length === 0) return [];
  try {
    const { stored, rejected } = await callRpc(bus, confirmEntries, { entries: wanted });
    return [...stored, ...rejected];
  } catch (error) {
    if (!isNotServed(error)) throw error;
    // An audit service of the previous release serves this one only. A current one serves it only while it accepts unsigned entries.
    return (await callRpc(bus, confirmRecords, { ids: wanted.map(({ id }) => id) })).stored;
  }
}

/** An audit service whose database is unreachable replies that the outcome is unknown. */
function isNotServed(error: unknown): boolean {
  return error instanceof Problem && error.details.code === 'unavailable' && !error.details.outcomeUnknown;
}

/** Null for a value that is not JSON, such as a binary field in MongoDB. */
function digestOf(entry: SignedAuditEntry): string | null {
  try {
    return auditEntryDigest(entry);
  } catch {
    return null;
  }
}
