import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { auditChanges } from '@tollgate/store/audit-changes';
import type { Context } from '../../context.ts';
import { changeSsoSettings } from './change-sso-settings.ts';
import { parseIssuer } from './issuer.ts';
import {
  isSameClient,
  type Provider,
  type RoleMapping,
  type SsoSettings,
  withProvider,
} from './sso-settings.ts';

export interface SetSsoRequest {
  ifVersion: number | undefined;
  issuer: string;
  clientId: string;
  /** Undefined keeps the stored secret. */
  clientSecret: string | undefined;
  roles: RoleMapping;
  isRequired: boolean;
}

/**
 * Sets the provider, the role mapping, and whether single sign-on is required. Throws `forbidden`, `invalid-request`,
 * `precondition-failed`, and `conflict` when it is required before anyone signed in with the provider.
 */
export function setSso(context: Context, actor: MemberActor, request: SetSsoRequest): Promise<SsoSettings> {
  const issuer = parseIssuer(request.issuer, context.identityProviders);
  const { clientId, clientSecret, roles, isRequired, ifVersion } = request;
  return changeSsoSettings(context, actor, { ifVersion }, (before, now) => {
    const provider = {
      issuer,
      clientId,
      clientSecret: secretFor(context, before, { issuer, clientId }, clientSecret),
    };
    const after = withProvider(before, { provider, roles, isRequired }, now);
    const changes = auditChanges(audited(before), audited(after));
    if (clientSecret !== undefined) changes['client_secret'] = { before: null, after: 'changed' };
    return Object.keys(changes).length === 0
      ? { after: before, action: 'team.sso_changed', changes }
      : { after, action: 'team.sso_changed', changes };
  });
}

/** The encrypted secret. A stored secret is never sent to another provider than the one that it was entered for. */
function secretFor(
  { encryption }: Context,
  before: SsoSettings,
  client: Pick<Provider, 'issuer' | 'clientId'>,
  given: string | undefined,
): string {
  if (given !== undefined) return encryption.encrypt(Buffer.from(given), before.teamId);
  if (before.provider && isSameClient(before.provider, client)) return before.provider.clientSecret;
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
function audited({ provider, roles, isRequired }: SsoSettings) {
  return {
    issuer: provider?.issuer ?? null,
    client_id: provider?.clientId ?? null,
    role_claim: roles.claim,
    role_rules: roles.rules.map(({ value, role }) => ({ value, role })),
    default_role: roles.defaultRole,
    is_required: isRequired,
  };
}
