import { randomBytes } from 'node:crypto';
import { SINGLE_SIGN_ON_LIMITS } from '@tollgate/contracts/accounts/single-sign-on';
import { Problem } from '@tollgate/contracts/platform/problem';
import { ROLES, type Role } from '@tollgate/contracts/platform/roles';

const VERIFICATION_TOKEN_BYTES = 20;

export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  /** Encrypted. */
  readonly clientSecret: string;
}

export interface Domain {
  readonly name: string;
  /** Part of the DNS record that proves the domain. Not a secret. */
  readonly verificationToken: string;
  readonly addedAt: Date;
  /** Null while the domain is not verified. */
  readonly verified: { readonly by: 'dns' | 'operator'; readonly at: Date } | null;
}

export interface RoleMapping {
  /** Null: owners manage the roles of members in Tollgate. */
  readonly claim: string | null;
  readonly rules: readonly { readonly value: string; readonly role: Role }[];
  /** The role of new members, and of members without a matching value. Null denies the sign-in. */
  readonly defaultRole: Role | null;
}

/** How the members of a team sign in with its identity provider. Each change raises `version` by one. */
export interface SsoSettings {
  readonly teamId: string;
  readonly provider: Provider | null;
  readonly domains: readonly Domain[];
  readonly roles: RoleMapping;
  readonly isRequired: boolean;
  /** Last successful sign-in with the current provider. */
  readonly lastSignInAt: Date | null;
  readonly version: number;
  readonly updatedAt: Date;
}

/** Version 1 is the default, which is not stored. */
export function defaultSsoSettings(teamId: string): SsoSettings {
  return {
    teamId,
    provider: null,
    domains: [],
    roles: { claim: null, rules: [], defaultRole: null },
    isRequired: false,
    lastSignInAt: null,
    version: 1,
    updatedAt: new Date(0),
  };
}

/** A sign-in with another provider proves nothing about this one. Throws `conflict`. */
export function withProvider(
  before: SsoSettings,
  { provider, roles, isRequired }: Pick<SsoSettings, 'roles' | 'isRequired'> & { provider: Provider },
  now: Date,
): SsoSettings {
  const lastSignInAt = isSameClient(before.provider, provider) ? before.lastSignInAt : null;
  if (isRequired && lastSignInAt === null) {
    throw new Problem(
      'conflict',
      'Single sign-on can be required only after a member signed in with this identity provider. Sign in with it first.',
    );
  }
  return changed(before, { provider, roles, isRequired, lastSignInAt }, now);
}

export function isSameClient(one: Provider | null, other: Pick<Provider, 'issuer' | 'clientId'>): boolean {
  return one?.issuer === other.issuer && one.clientId === other.clientId;
}

/** Keeps the version, so that a stale `If-Match` never matches again. */
export function withoutSettings(before: SsoSettings, now: Date): SsoSettings {
  const { provider, domains, roles, isRequired, lastSignInAt } = defaultSsoSettings(before.teamId);
  return changed(before, { provider, domains, roles, isRequired, lastSignInAt }, now);
}

/** The same object when the domain is there already. Throws `conflict` when the team has too many. */
export function withDomain(before: SsoSettings, name: string, now: Date): SsoSettings {
  if (findDomain(before, name)) return before;
  const max = SINGLE_SIGN_ON_LIMITS.domainsPerTeam;
  if (before.domains.length >= max) {
    throw new Problem('conflict', `The team has reached its limit of ${max} domains. Remove one first.`);
  }
  const verificationToken = randomBytes(VERIFICATION_TOKEN_BYTES).toString('hex');
  const domain = { name, verificationToken, addedAt: now, verified: null };
  return changed(before, { domains: [...before.domains, domain] }, now);
}

export function withVerifiedDomain(
  before: SsoSettings,
  name: string,
  by: 'dns' | 'operator',
  now: Date,
): SsoSettings {
  const domains = before.domains.map((domain) =>
    domain.name === name ? { ...domain, verified: { by, at: now } } : domain,
  );
  return changed(before, { domains }, now);
}

export function withoutDomain(before: SsoSettings, name: string, now: Date): SsoSettings {
  return changed(before, { domains: before.domains.filter((domain) => domain.name !== name) }, now);
}

export function findDomain({ domains }: SsoSettings, name: string): Domain | undefined {
  return domains.find((domain) => domain.name === name);
}

export function isVerifiedDomain(settings: SsoSettings, name: string): boolean {
  return (findDomain(settings, name)?.verified ?? null) !== null;
}

/** The highest role among the matching values, or the default. Null denies the sign-in. */
export function mappedRole({ rules, defaultRole }: RoleMapping, values: readonly string[]): Role | null {
  const roles = rules.filter(({ value }) => values.includes(value)).map(({ role }) => role);
  return ROLES.findLast((role) => roles.includes(role)) ?? defaultRole;
}

function changed(before: SsoSettings, change: Partial<SsoSettings>, now: Date): SsoSettings {
  return { ...before, ...change, version: before.version + 1, updatedAt: now };
}
