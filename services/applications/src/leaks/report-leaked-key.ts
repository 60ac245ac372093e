import { timingSafeEqual } from 'node:crypto';
import { keyEntryKey } from '@tollgate/contracts/applications/principal';
import type { reportLeakedKey as contract } from '@tollgate/contracts/applications/rpc';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import { keyEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { type ApiKey, leaked } from '../keys/api-key.ts';
import { publishPrincipals } from '../principals/publish-principals.ts';

/**
 * Records that a secret scanner found a key, revokes the key if the team's policy says so, and returns once the gateways'
 * bucket states it. A repeated report changes nothing. Returns false if no key has this lookup id and secret. Throws
 * `conflict`, `unavailable`.
 */
export async function reportLeakedKey(
  context: Context,
  { lookup_id, digests, url, source }: Static<typeof contract.request>,
): Promise<boolean> {
  const [found] = await context.apiKeys.findOfAllTeams([lookup_id]);
  if (!found || !secretMatches(found, digests)) return false;
  const { _id, team_id } = found;
  const { policy } = await context.leakedKeyPolicies.find(team_id);
  await changeAudited(
    context,
    context.apiKeys,
    { _id, team_id },
    (key, now) => leaked(key, { url, source }, policy, now),
    keyEntry('key.leaked', SYSTEM_AUTHOR),
  );
  await publishPrincipals(context, [keyEntryKey(lookup_id)]);
  return true;
}

/** The lookup id is public. Without this proof, anyone who knows one could have the key revoked. */
function secretMatches({ digest, pepper_version }: ApiKey, digests: Record<string, string>): boolean {
  const expected = Buffer.from(digest, 'hex');
  const given = Buffer.from(digests[pepper_version] ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
