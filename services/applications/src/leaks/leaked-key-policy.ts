import { DEFAULT_LEAKED_KEY_POLICY, type LeakedKeyPolicyName } from '@tollgate/contracts/applications/leak';

/** What happens to a key of the team when a secret scanner finds it in public. */
export interface LeakedKeyPolicy {
  readonly teamId: string;
  readonly policy: LeakedKeyPolicyName;
  readonly version: number;
  readonly updatedAt: Date;
}

/** Version 1 is the default, which is not stored. */
export function defaultLeakedKeyPolicy(teamId: string): LeakedKeyPolicy {
  return { teamId, policy: DEFAULT_LEAKED_KEY_POLICY, version: 1, updatedAt: new Date(0) };
}

/** The same object when nothing changes. */
export function withPolicy(before: LeakedKeyPolicy, policy: LeakedKeyPolicyName, now: Date): LeakedKeyPolicy {
  if (before.policy === policy) return before;
  return { ...before, policy, version: before.version + 1, updatedAt: now };
}
