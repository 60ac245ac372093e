import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type * as contract from '@tollgate/contracts/accounts/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import { auditChanges } from '@tollgate/store/audit-changes';
import { requireVersion } from '@tollgate/store/require-version';
import type { Static } from 'typebox';
import type { Context } from '../../context.ts';
import { changeSsoSettings } from './change-sso-settings.ts';
import { parseIssuer } from './issuer.ts';
import {
  isSameClient,
  type Provider,
  type SsoSettings,
  withoutSettings,
  withProvider,
} from './sso-settings.ts';

/**
 * Sets the provider, the role mapping, and whether single sign-on is required. A new issuer is tested first. Throws `forbidden`,
 * `invalid-request`, `precondition-failed`, and `conflict` when it is required before anyone signed in with the provider.
 */
export function setSso(
  context: Context,
  actor: MemberActor,
  {
    if_version,
    issuer: text,
    client_id,
    client_secret,
    ...rest
  }: Static<typeof contract.setSingleSignOn.request>,
): Promise<SsoSettings> {
  const client = { issuer: parseIssuer(text, context.identityProviders), client_id };
  const changesOf = (before: SsoSettings, after: SsoSettings) => ({
    ...auditChanges(audited(before), audited(after)),
    ...(client_secret !== undefined && { client_secret: { before: null, after: 'changed' } }),
  });
  return changeSsoSettings(
    context,
    actor,
    'team.sso_changed',
    async (before, now) => {
      requireVersion(if_version, before.version, 'single sign-on');
      const provider = { ...client, client_secret: secretFor(context, before, client, client_secret) };
      // An owner can change the other settings also while the provider is down.
      if (client.issuer !== before.provider?.issuer)
        await context.identityProviders.checkIssuer(client.issuer);
      const after = withProvider(before, { provider, ...rest }, now);
      return Object.keys(changesOf(before, after)).length === 0 ? before : after;
    },
    changesOf,
  );
}

/**
 * Removes the provider, the domains, and the role mapping. Members keep their accounts; one without a password needs a reset link.
 * Throws `forbidden`, `precondition-failed`.
 */
export async function removeSso(
  context: Context,
  actor: MemberActor,
  { if_version }: Static<typeof contract.removeSingleSignOn.request>,
): Promise<void> {
  await changeSsoSettings(
    context,
    actor,
    'team.sso_removed',
    (before, now) => {
      requireVersion(if_version, before.version, 'single sign-on');
      const isEmpty = before.provider === null && before.domains.length === 0;
      return isEmpty ? before : withoutSettings(before, now);
    },
    ({ provider, domains }) => ({
      issuer: { before: provider?.issuer ?? null, after: null },
      domains: { before: domains.map(({ name }) => name), after: [] },
    }),
  );
}

/** The encrypted secret. A stored secret is never sent to another provider than the one that it was entered for. */
function secretFor(
  { encryption }: Context,
  { team_id, provider }: SsoSettings,
  client: Pick<Provider, 'issuer' | 'client_id'>,
  given: string | undefined,
): string {
  if (given !== undefined) return encryption.encrypt(Buffer.from(given), team_id);
  if (isSameClient(provider, client)) return provider.client_secret;
  throw new Problem('invalid-request', 'The client secret is missing.', {
    errors: [
      {
        pointer: '/client_secret',
        code: 'missing',
        detail: 'Enter the client secret of this issuer and client ID.',
      },
    ],
  });
}

/** Never the secret. */
function audited({ provider, role_claim, role_rules, default_role, is_required }: SsoSettings) {
  return {
    issuer: provider?.issuer ?? null,
    client_id: provider?.client_id ?? null,
    role_claim,
    role_rules,
    default_role,
    is_required,
  };
}
