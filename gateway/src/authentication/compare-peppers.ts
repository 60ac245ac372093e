import { pepperFingerprint } from '@tollgate/security/api-key';
import type { Keyring } from '@tollgate/security/keyring';
import type { KnownKey } from './principals.ts';

/**
 * Returns why this gateway rejects every active API key, or null. With a pepper that some keys need, it stays in use: taking it
 * out of the balancer would take the working keys out with it.
 */
export function reasonPeppersDiffer(keys: Iterable<KnownKey>, peppers: Keyring): string | null {
  const known = new Map(peppers.all().map(({ version, key }) => [version, pepperFingerprint(key)]));
  const differing = new Set<string>();
  for (const { status, pepperVersion, pepperFingerprint: expected } of keys) {
    if (status !== 'active') continue;
    const own = known.get(pepperVersion);
    if (own !== undefined && (expected === null || expected === own)) return null;
    differing.add(pepperVersion);
  }
  if (differing.size === 0) return null;
  const versions = [...differing].sort().join(', ');
  return `API_KEY_PEPPERS lacks the pepper that applications uses (version ${versions}): every API key is rejected`;
}
