import Type, { type Static } from 'typebox';
import { PlainText } from '../platform/plain-text.ts';
import { ClosedObject, Nullable, Time } from '../platform/schema.ts';
import { RoleSchema } from './account.ts';

export const SINGLE_SIGN_ON_LIMITS = {
  issuer: 512,
  clientId: 256,
  clientSecret: 1_024,
  domainsPerTeam: 20,
  /** RFC 1035 §2.3.4. */
  domain: 253,
  claim: 128,
  claimValue: 256,
  roleRules: 50,
  /** Query of the callback. Some providers issue authorization codes of two kilobytes. */
  response: 8_192,
} as const;

const DOMAIN_PROOFS = ['dns', 'operator'] as const;

/** As the service accepts it. */
export const RoleMappingRequest = {
  role_claim: Nullable(
    PlainText({ minLength: 1, maxLength: SINGLE_SIGN_ON_LIMITS.claim }),
    'Claim whose values decide the role at each sign-in. Null: owners manage the roles of members in Tollgate',
  ),
  role_rules: Type.Array(
    ClosedObject({
      value: PlainText({ minLength: 1, maxLength: SINGLE_SIGN_ON_LIMITS.claimValue }),
      role: RoleSchema,
    }),
    {
      maxItems: SINGLE_SIGN_ON_LIMITS.roleRules,
      description: 'Roles by value of the claim. With several matching values, the highest role applies.',
    },
  ),
  default_role: Nullable(
    RoleSchema,
    'Role of new members, and of members without a matching value. Null: such a sign-in is denied',
  ),
};

export const SingleSignOnDomain = Type.Object({
  domain: Type.String(),
  record_name: Type.String({ description: 'Name of the DNS record of type TXT that verifies the domain.' }),
  record_value: Type.String(),
  verified_by: Nullable(Type.Enum(DOMAIN_PROOFS), 'Null while the domain is not verified'),
  added_at: Time,
  verified_at: Nullable(Time),
});
export type SingleSignOnDomain = Static<typeof SingleSignOnDomain>;

/** The settings of a team. Never contains the client secret. */
export const SingleSignOn = Type.Object({
  redirect_uri: Type.String({ description: 'Redirect URI to register with the identity provider.' }),
  provider: Nullable(
    Type.Object({ issuer: Type.String(), client_id: Type.String() }),
    'Null while no identity provider is configured',
  ),
  domains: Type.Array(SingleSignOnDomain),
  role_claim: Nullable(Type.String(), 'Null: owners manage the roles of members in Tollgate'),
  role_rules: Type.Array(Type.Object({ value: Type.String(), role: RoleSchema })),
  default_role: Nullable(RoleSchema, 'Null: a sign-in without another role is denied'),
  is_required: Type.Boolean({
    description: 'Whether members other than owners must sign in with single sign-on.',
  }),
  last_sign_in_at: Nullable(
    Time,
    'Last successful sign-in with the current provider; null if there was none',
  ),
  version: Type.Integer({ minimum: 1 }),
});
export type SingleSignOn = Static<typeof SingleSignOn>;
