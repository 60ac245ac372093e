import { randomBytes } from 'node:crypto';
import { getSingleSignOn, setSingleSignOn } from '@tollgate/contracts/accounts/rpc';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import {
  type IdentityProvider,
  startIdentityProvider,
} from '@tollgate/test-kit/identity-provider/identity-provider';
import { withStoredDocuments } from '@tollgate/test-kit/stored-documents';
import type { SharedPlatform } from './shared-platform.ts';
import type { TestTeam } from './test-team.ts';

export interface TestSingleSignOn {
  provider: IdentityProvider;
  /** Verified for the team. */
  domain: string;
}

/** The provider of each team. */
const providers = new WeakMap<TestTeam, Promise<IdentityProvider>>();

/** Configures a real provider on this machine for the team, with a new domain. New members become viewers. */
export async function setUpSingleSignOn(
  { mongodbUrl }: Pick<SharedPlatform, 'mongodbUrl'>,
  team: TestTeam,
): Promise<TestSingleSignOn> {
  const provider = await providerOf(team);
  await team.owner.call(setSingleSignOn, singleSignOnSettings(provider));
  const domain = newDomain();
  await storeVerifiedDomain({ mongodbUrl }, team.id, domain);
  return { provider, domain };
}

export async function providerOf(team: TestTeam): Promise<IdentityProvider> {
  const known = providers.get(team);
  if (known) return known;
  const started = team.owner
    .call(getSingleSignOn, {})
    .then(({ redirect_uri }) =>
      startIdentityProvider({ redirectUris: [redirect_uri], claimsInIdToken: true }),
    );
  providers.set(team, started);
  return started;
}

export function singleSignOnSettings({ issuer, clientId, clientSecret }: IdentityProvider) {
  return {
    issuer,
    client_id: clientId,
    client_secret: clientSecret,
    role_claim: null,
    role_rules: [],
    default_role: 'viewer' as const,
    is_required: false,
  };
}

export const newDomain = () => `${randomBytes(6).toString('hex')}.example`;

/** As `verifySingleSignOnDomain` stores it: tests have no name server. */
export async function storeVerifiedDomain(
  { mongodbUrl }: Pick<SharedPlatform, 'mongodbUrl'>,
  teamId: string,
  name: string,
): Promise<void> {
  const at = new Date();
  const domain = { name, verification_token: 'token', added_at: at, verified: { by: 'operator', at } };
  await withStoredDocuments(mongodbUrl, DATABASES.accounts, (documents) =>
    documents.upsert('sso_settings', teamId, { $set: { domains: [domain], verified_domains: [name] } }),
  );
}
