import { randomBytes } from 'node:crypto';
import { SINGLE_SIGN_ON_LIMITS } from '@tollgate/contracts/accounts/single-sign-on';
import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Role } from '@tollgate/contracts/platform/roles';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import {
  listOf,
  nullableDate,
  nullableShape,
  nullableText,
  RECORD_OPTIONS,
} from '@tollgate/store/schema/fields';
import { type InferRawDocType, Schema } from 'mongoose';

const VERIFICATION_TOKEN_BYTES = 20;

export interface Provider {
  issuer: string;
  client_id: string;
  /** Encrypted. */
  client_secret: string;
}

export interface Domain {
  name: string;
  /** Part of the DNS record that proves the domain. Not a secret. */
  verification_token: string;
  added_at: Date;
  /** Null while the domain is not verified. */
  verified: { by: 'dns' | 'operator'; at: Date } | null;
}

const definition = {
  /** The id of the team: a team has one identity provider. */
  _id: { type: String, required: true },
  team_id: { type: String, required: true },
  provider: nullableShape<Provider>(),
  domains: listOf<Domain>(),
  /** Names of the verified domains, for the unique index. */
  verified_domains: { type: [String], required: true },
  /** Null: owners manage the roles of members in Tollgate. */
  role_claim: nullableText(),
  role_rules: listOf<{ value: string; role: Role }>(),
  /** The role of new members, and of members without a matching value. Null denies the sign-in. */
  default_role: nullableText<Role>(),
  is_required: { type: Boolean, required: true },
  /** Last successful sign-in with the current provider. */
  last_sign_in_at: nullableDate(),
  version: { type: Number, required: true },
  updated_at: { type: Date, required: true },
  outbox: listOf<SignedAuditEntry>(),
} as const;

/** How the members of a team sign in with its identity provider. Each change raises `version` by one. */
export type SsoSettings = InferRawDocType<typeof definition>;

export type RoleMapping = Pick<SsoSettings, 'role_claim' | 'role_rules' | 'default_role'>;

export const ssoSettingsSchema = new Schema(definition, { ...RECORD_OPTIONS, collection: 'sso_settings' });

export const SSO_SETTINGS_INDEXES: readonly IndexDeclaration[] = [
  {
    key: { verified_domains: 1 },
    unique: true,
    partialFilterExpression: { verified_domains: { $gt: '' } },
    purpose: 'Sign-in by the domain of an email, which one team has verified',
  },
  OUTBOX_INDEX,
];

const NO_SETTINGS = {
  provider: null,
  domains: [],
  role_claim: null,
  role_rules: [],
  default_role: null,
  is_required: false,
  last_sign_in_at: null,
};

/** Version 1 is the default, which is not stored. */
export function defaultSsoSettings(teamId: string): SsoSettings {
  return {
    _id: teamId,
    team_id: teamId,
    ...NO_SETTINGS,
    verified_domains: [],
    version: 1,
    updated_at: new Date(0),
    outbox: [],
  };
}

/** A sign-in with another provider proves nothing about this one. Throws `conflict`. */
export function withProvider(
  before: SsoSettings,
  change: RoleMapping & { provider: Provider; is_required: boolean },
  now: Date,
): SsoSettings {
  const last_sign_in_at = isSameClient(before.provider, change.provider) ? before.last_sign_in_at : null;
  if (change.is_required && last_sign_in_at === null) {
    throw new Problem(
      'conflict',
      'Single sign-on can be required only after a member signed in with this identity provider. Sign in with it first.',
    );
  }
  return changed(before, { ...change, last_sign_in_at }, now);
}

export function isSameClient(
  one: Provider | null,
  other: Pick<Provider, 'issuer' | 'client_id'>,
): one is Provider {
  return one?.issuer === other.issuer && one.client_id === other.client_id;
}

/** Keeps the version, so that a stale `If-Match` never matches again. */
export function withoutSettings(before: SsoSettings, now: Date): SsoSettings {
  return changed(before, NO_SETTINGS, now);
}

/** The same object when the domain is there already. Throws `conflict` when the team has too many. */
export function withDomain(before: SsoSettings, name: string, now: Date): SsoSettings {
  if (findDomain(before, name)) return before;
  const max = SINGLE_SIGN_ON_LIMITS.domainsPerTeam;
  if (before.domains.length >= max) {
    throw new Problem('conflict', `The team has reached its limit of ${max} domains. Remove one first.`);
  }
  const verification_token = randomBytes(VERIFICATION_TOKEN_BYTES).toString('hex');
  const domain = { name, verification_token, added_at: now, verified: null };
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

function changed(before: SsoSettings, change: Partial<SsoSettings>, now: Date): SsoSettings {
  const after = { ...before, ...change, version: before.version + 1, updated_at: now };
  const verified_domains = after.domains.filter(({ verified }) => verified).map(({ name }) => name);
  return { ...after, verified_domains };
}
