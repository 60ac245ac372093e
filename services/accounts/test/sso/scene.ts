import * as contract from '@tollgate/contracts/accounts/rpc';
import type { SingleSignOn } from '@tollgate/contracts/accounts/single-sign-on';
import {
  type IdentityProvider,
  startIdentityProvider,
} from '@tollgate/test-kit/identity-provider/identity-provider';
import type { Static } from 'typebox';
import type { App } from '../../src/app.ts';
import type { AppDeps } from '../../src/context.ts';
import {
  createTeamWithOwner,
  DASHBOARD_URL,
  type Harness,
  ORIGIN,
  type Person,
  type Service,
  setUpFounder,
  startHarness,
} from '../harness.ts';

/** The service with TXT records that tests write. */
export interface SsoHarness extends Harness {
  founder: Person;
  service: Service;
  app: App;
  /** TXT records by name. */
  records: Map<string, string[]>;
}

/** A team with a provider. The domain is its own, because one team can verify a domain. */
export interface SsoTeam {
  owner: Person;
  teamId: string;
  domain: string;
  provider: IdentityProvider;
}

export async function startSsoHarness(deps: Partial<AppDeps> = {}): Promise<SsoHarness> {
  const harness = await startHarness();
  const records = new Map<string, string[]>();
  const lookUpTxt = async (name: string) => {
    const found = records.get(name);
    if (!found) throw Object.assign(new Error(`queryTxt ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
    return found;
  };
  // Tokens of the provider have the time of the machine.
  harness.clock.set(Date.now());
  const service = await harness.startService({
    env: { DASHBOARD_URL, SSO_ALLOW_PRIVATE_NETWORKS: 'true' },
    deps: { domainProofs: { lookUpTxt, operatorDomains: new Map() }, ...deps },
  });
  const founder = await setUpFounder(harness);
  return { ...harness, founder, service, app: service.app, records };
}

export const redirectUriOf = (teamId: string) => `${DASHBOARD_URL}/sso/callback/${teamId}`;

let domains = 0;

export function newDomain(): string {
  domains += 1;
  return `company-${domains}.example`;
}

type Settings = Omit<Static<typeof contract.setSingleSignOn.request>, 'if_version'>;

/** Creates a team with a provider and a verified domain. New members become viewers. */
export async function createSsoTeam(
  harness: SsoHarness,
  { claimsInIdToken = true, ...settings }: { claimsInIdToken?: boolean } & Partial<Settings> = {},
): Promise<SsoTeam> {
  const owner = await createTeamWithOwner(harness);
  const teamId = owner.actor.team_id;
  const provider = await startIdentityProvider({ redirectUris: [redirectUriOf(teamId)], claimsInIdToken });
  const team = { owner, teamId, provider, domain: newDomain() };
  await configure(harness, team, settings);
  await verifyDomain(harness, owner, team.domain);
  return team;
}

export function configure(
  harness: Harness,
  { owner, provider }: Pick<SsoTeam, 'owner' | 'provider'>,
  settings: Partial<Settings> = {},
): Promise<SingleSignOn> {
  return harness.call(owner.actor, contract.setSingleSignOn, {
    issuer: provider.issuer,
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
    role_claim: null,
    role_rules: [],
    default_role: 'viewer',
    is_required: false,
    ...settings,
  });
}

export async function verifyDomain(harness: SsoHarness, owner: Person, domain: string): Promise<void> {
  const { domains: added } = await harness.call(owner.actor, contract.addSingleSignOnDomain, { domain });
  const { record_name, record_value } = added.find(
    (each) => each.domain === domain,
  ) as (typeof added)[number];
  harness.records.set(record_name, ['v=spf1 -all', record_value]);
  await harness.call(owner.actor, contract.verifySingleSignOnDomain, { domain });
}

export function start(harness: Harness, email: string, { mustAuthenticateAgain = false } = {}) {
  return harness.callAnonymously(contract.startSingleSignOn, {
    email,
    must_authenticate_again: mustAuthenticateAgain,
    ...ORIGIN,
  });
}

export function finish(harness: Harness, teamId: string, browserToken: string, callback: URL) {
  return harness.callAnonymously(contract.finishSingleSignOn, {
    team_id: teamId,
    browser_token: browserToken,
    response: callback.search.slice(1),
    ...ORIGIN,
  });
}

/** Starts a sign-in at the current time of the machine, up to the callback. */
export async function startAndReturn(harness: SsoHarness, team: SsoTeam, sub: string, email: string) {
  harness.clock.set(Date.now());
  const { authorization_url, browser_token } = await start(harness, email);
  return { browserToken: browser_token, callback: await team.provider.signIn(authorization_url, sub) };
}

/** Adds a person with these claims to the provider, and signs in as them. */
export async function signInAs(
  harness: SsoHarness,
  team: SsoTeam,
  sub: string,
  claims: Record<string, unknown> = {},
) {
  const email = `${sub}@${team.domain}`;
  team.provider.addPerson({ sub, email, email_verified: true, name: `Name of ${sub}`, ...claims });
  const { browserToken, callback } = await startAndReturn(harness, team, sub, email);
  return finish(harness, team.teamId, browserToken, callback);
}
