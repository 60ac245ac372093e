import Type, { type Static } from 'typebox';
import { Leak } from '../applications/leak.ts';
import { EnvironmentSchema, Id, Nullable, Time } from '../platform/schema.ts';
import { Team } from './account.ts';

export const API_TOKEN_LIMITS = {
  name: 80,
  activeTokensPerTeam: 100,
  cidrsPerToken: 50,
  /** Each login creates a token. They do not count as tokens of the team, so that no member can exhaust those. */
  activeLoginTokensPerMember: 20,
} as const;

/** Roles that a token can have: every role but that of an owner, who decides about people. */
export const API_TOKEN_ROLES = ['viewer', 'developer', 'admin'] as const;
export type ApiTokenRole = (typeof API_TOKEN_ROLES)[number];

export const API_TOKEN_STATUSES = ['active', 'expired', 'revoked'] as const;
export type ApiTokenStatus = (typeof API_TOKEN_STATUSES)[number];

/** An API token without its secret. `lookup_id` is the public part of the credential: `tg_admin_<lookup_id>_…`. */
export const ApiToken = Type.Object({
  id: Id('apiToken'),
  name: Type.String(),
  role: Type.Enum(API_TOKEN_ROLES),
  /** The environments that the token is limited to; null: both. */
  environments: Nullable(Type.Array(EnvironmentSchema)),
  /** Empty: any address. */
  allowed_cidrs: Type.Array(Type.String()),
  status: Type.Enum(API_TOKEN_STATUSES),
  lookup_id: Type.String(),
  /** Member who created the token, or who created the token that did. */
  created_by: Id('member'),
  created_by_token: Nullable(
    Id('apiToken'),
    'The API token that created the token, or rotated the one before it. A revocation of that token also revokes this one. Null if only members did',
  ),
  acts_for: Nullable(
    Id('member'),
    'The member whose login created the token. It is valid only while they are in the team with at least the role of the token, and until they set a new password or all their sessions end. Null for a token of the team',
  ),
  created_at: Time,
  expires_at: Nullable(Time),
  /** At most a minute behind; null for an unused token. */
  last_used_at: Nullable(Time),
  revoked_at: Nullable(Time, 'Null also for the token of a login that ended with the sessions of its member'),
  rotated_to: Nullable(
    Id('apiToken'),
    'The token that replaces this one, which expires after the overlap; null without a rotation',
  ),
  leaked: Nullable(
    Leak,
    'Where a secret scanner found the token, which revoked it; null if none reported it',
  ),
  version: Type.Integer({ minimum: 1 }),
});
export type ApiToken = Static<typeof ApiToken>;

/** A new token with its credential, which is returned only here. */
export const CreatedApiToken = Type.Object({
  ...ApiToken.properties,
  secret: Nullable(Type.String(), 'Null in a replayed response'),
});
export type CreatedApiToken = Static<typeof CreatedApiToken>;

export const OwnApiToken = Type.Object({ api_token: ApiToken, team: Team });
export type OwnApiToken = Static<typeof OwnApiToken>;
