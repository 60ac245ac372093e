import { timingSafeEqual } from 'node:crypto';
import { keyEntryKey } from '@tollgate/contracts/applications/principal';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { keyAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { type ApiKey, type FoundLeak, leaked } from '../keys/api-key.ts';
import { publishPrincipals } from '../principals/publish-principals.ts';

/** Losing this many races in a row would take more concurrent writers than a team has members. */
const MAX_ATTEMPTS = 5;

export interface LeakedKeyReport extends FoundLeak {
  lookupId: string;
  /** Digest of the whole credential under each pepper, hex, by version. */
  digests: Readonly<Record<string, string>>;
}

/**
 * Records that a secret scanner found a key, revokes the key if the team's policy says so, and returns once the gateways'
 * bucket states it. A repeated report changes nothing. Returns false if no key has this lookup id and secret. Throws
 * `unavailable`.
 */
export async function reportLeakedKey(
  context: Context,
  { lookupId, digests, url, source }: LeakedKeyReport,
): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const [before] = await context.apiKeys.findOfAllTeams([lookupId]);
    if (!before || !secretMatches(before, digests)) return false;
    const { policy } = await context.leakedKeyPolicies.find(before.teamId);
    const after = leaked(before, { url, source }, policy, new Date(context.clock.now()));
    if (after !== before) {
      const entry = keyAuditEntry('key.leaked', SYSTEM_AUTHOR, before, after);
      const audit = signAuditEntry(context.signer, entry);
      if (!(await context.apiKeys.saveLeaked(before, after, audit))) continue;
      context.audit.enqueue([auditMessage(after.id, audit)]);
    }
    await publishPrincipals(context, [keyEntryKey(after.lookupId)]);
    return true;
  }
  throw new Problem('unavailable', 'The key is being changed by other requests.', { retryAfterS: 1 });
}

/** The lookup id is public. Without this proof, anyone who knows one could have the key revoked. */
function secretMatches(
  { digest, pepperVersion }: ApiKey,
  digests: Readonly<Record<string, string>>,
): boolean {
  const expected = Buffer.from(digest, 'hex');
  const given = Buffer.from(digests[pepperVersion] ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
