import Type from 'typebox';
import { PlainText } from '../../platform/plain-text.ts';
import { rpc } from '../../platform/rpc-contract.ts';
import { RoleMappingRequest, SINGLE_SIGN_ON_LIMITS, SingleSignOn } from '../single-sign-on.ts';
import { closed, Nothing } from './fields.ts';

// Only members call these methods: they decide who may act for the team.

const IfVersion = { if_version: Type.Optional(Type.Integer({ minimum: 1 })) };

const DomainRef = { domain: Type.String({ minLength: 1, maxLength: SINGLE_SIGN_ON_LIMITS.domain }) };

export const getSingleSignOn = rpc('accounts', 'single_sign_on', {
  caller: 'member',
  request: Nothing,
  reply: SingleSignOn,
});

/** Errors: `conflict` when single sign-on is required before a member signed in with this provider. */
export const setSingleSignOn = rpc('accounts', 'set_single_sign_on', {
  caller: 'member',
  request: Type.Object(
    {
      ...IfVersion,
      issuer: Type.String({ minLength: 1, maxLength: SINGLE_SIGN_ON_LIMITS.issuer }),
      client_id: PlainText({ minLength: 1, maxLength: SINGLE_SIGN_ON_LIMITS.clientId }),
      client_secret: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: SINGLE_SIGN_ON_LIMITS.clientSecret,
          description: 'Absent: the stored secret stays. Required with another issuer or client ID.',
        }),
      ),
      ...RoleMappingRequest,
      is_required: Type.Boolean(),
    },
    closed,
  ),
  reply: SingleSignOn,
});

/** Removes the provider, the domains, and the role mapping. Members keep their accounts. */
export const removeSingleSignOn = rpc('accounts', 'remove_single_sign_on', {
  caller: 'member',
  request: Type.Object(IfVersion, closed),
  reply: Nothing,
});

/** Adding a domain again changes nothing. */
export const addSingleSignOnDomain = rpc('accounts', 'add_single_sign_on_domain', {
  caller: 'member',
  request: Type.Object(DomainRef, closed),
  reply: SingleSignOn,
});

/** Errors: `conflict` while the proof is missing, or when another team has verified the domain. */
export const verifySingleSignOnDomain = rpc('accounts', 'verify_single_sign_on_domain', {
  caller: 'member',
  request: Type.Object(DomainRef, closed),
  reply: SingleSignOn,
});

export const removeSingleSignOnDomain = rpc('accounts', 'remove_single_sign_on_domain', {
  caller: 'member',
  request: Type.Object(DomainRef, closed),
  reply: Nothing,
});
