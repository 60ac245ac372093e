import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { Context } from '../../context.ts';
import { changeSsoSettings } from './change-sso-settings.ts';
import { defaultSsoSettings, withoutSettings } from './sso-settings.ts';

/**
 * Removes the provider, the domains, and the role mapping. Members keep their accounts; one without a password needs a reset link.
 * Throws `forbidden`, `precondition-failed`.
 */
export async function removeSso(
  context: Context,
  actor: MemberActor,
  { ifVersion }: { ifVersion: number | undefined },
): Promise<void> {
  await changeSsoSettings(context, actor, { ifVersion }, (before, now) => {
    const { version } = defaultSsoSettings(before.teamId);
    const isEmpty = before.version === version || (before.provider === null && before.domains.length === 0);
    return {
      after: isEmpty ? before : withoutSettings(before, now),
      action: 'team.sso_removed',
      changes: {
        issuer: { before: before.provider?.issuer ?? null, after: null },
        domains: { before: before.domains.map(({ name }) => name), after: [] },
      },
    };
  });
}
