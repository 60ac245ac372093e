import type { Bus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { confirmEntries } from '@tollgate/contracts/audit/rpc';
import { isId } from '@tollgate/contracts/platform/ids';
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
  const { stored, rejected } = await callRpc(bus, confirmEntries, { entries: wanted });
  return [...stored, ...rejected];
}

/** Null for a value that is not JSON, such as a binary field in MongoDB. */
function digestOf(entry: SignedAuditEntry): string | null {
  try {
    return auditEntryDigest(entry);
  } catch {
    return null;
  }
}
