import { timingSafeEqual } from 'node:crypto';
import { Problem } from '@tollgate/contracts/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { tokenAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { type ApiToken, leaked } from './api-token.ts';
import { storedDigest } from './stored-digest.ts';

/** A token changes at most twice, by its revocation and by its leak, so a third attempt finds it unchanged. */
const MAX_ATTEMPTS = 3;

export interface LeakedTokenReport {
  lookupId: string;
  /** SHA-256 of the whole credential, hex. */
  digest: string;
  url: string | null;
  source: string | null;
}

/**
 * Records that a secret scanner found a token, and revokes it: a token reaches everything of a team, so no policy keeps
 * a leaked one valid. A repeated report changes nothing. Returns false if no token has this lookup id and secret.
 */
export async function reportLeakedToken(
  context: Context,
  { lookupId, digest, url, source }: LeakedTokenReport,
): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await context.tokens.findByLookupId(lookupId);
    if (!before || !secretMatches(before, digest)) return false;
    const now = new Date(context.clock.now());
    const after = leaked(before, { url, source }, now);
    if (after === before) return true;
    const entry = tokenAuditEntry('token.leaked', SYSTEM_AUTHOR, { before, after }, now);
    const audit = signAuditEntry(context.signer, entry);
    if (!(await context.tokens.saveLeaked(before, after, audit))) continue;
    context.audit.enqueue([auditMessage(after.id, audit)]);
    return true;
  }
  throw new Problem('unavailable', 'The API token is being changed by other requests.', { retryAfterS: 1 });
}

/** The lookup id is public. Without this proof, anyone who knows one could have the token revoked. */
function secretMatches(token: ApiToken, digest: string): boolean {
  const expected = Buffer.from(token.digest, 'hex');
  const given = Buffer.from(storedDigest(digest, token.actsFor), 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
