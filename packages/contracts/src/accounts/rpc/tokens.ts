import Type from 'typebox';
import { MAX_ROTATION_OVERLAP_S } from '../../applications/application.ts';
import { LeakReport } from '../../applications/leak.ts';
import { Page, PageRequest } from '../../platform/page.ts';
import { PlainText } from '../../platform/plain-text.ts';
import { contractsOf } from '../../platform/rpc-contract.ts';
import { Id, Nullable, Time } from '../../platform/schema.ts';
import { API_TOKEN_LIMITS, API_TOKEN_ROLES, ApiToken, CreatedApiToken, OwnApiToken } from '../api-token.ts';
import {
  ApprovedDeviceAuthorization,
  DeviceAuthorization,
  DeviceCodeState,
  StartedDeviceAuthorization,
} from '../device-authorization.ts';
import { Origin, Token, TokenEnvironments } from './fields.ts';

const rpc = contractsOf('accounts');

const TokenRef = { token_id: Id('apiToken') };

/**
 * Reports that a secret scanner found an API token, and revokes it. `digest` proves that the scanner found the whole
 * token, not only its public lookup id.
 */
export const reportLeakedToken = rpc('report_leaked_token', 'service', {
  request: { lookup_id: Type.String(), digest: Type.String(), ...LeakReport },
  reply: Type.Object({ is_known: Type.Boolean() }),
});

export const getOwnToken = rpc('own_token', 'member-or-token', { reply: OwnApiToken });

export const listTokens = rpc('list_tokens', 'member', {
  request: {
    ...PageRequest,
    /** Only tokens of this member's logins. */
    acts_for: Type.Optional(Id('member')),
  },
  reply: Page(ApiToken),
});

export const getToken = rpc('get_token', 'member', { request: TokenRef, reply: ApiToken });

/** A token creates another one within its own limits, which also replace those that are absent. */
export const createToken = rpc('create_token', 'member-or-token', {
  idempotent: true,
  request: {
    name: PlainText({ minLength: 1, maxLength: API_TOKEN_LIMITS.name }),
    role: Type.Enum(API_TOKEN_ROLES),
    /** Absent or null: both. */
    environments: TokenEnvironments,
    /** Absent or empty: any address. */
    allowed_cidrs: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), { maxItems: API_TOKEN_LIMITS.cidrsPerToken }),
    ),
    /** Absent or null: the token never expires. */
    expires_at: Type.Optional(Nullable(Time)),
  },
  reply: CreatedApiToken,
});

/** The new token has the name, role, environments, CIDRs, and expiry of the old one. */
export const rotateToken = rpc('rotate_token', 'member-or-token', {
  idempotent: true,
  request: { ...TokenRef, overlap_s: Type.Integer({ minimum: 0, maximum: MAX_ROTATION_OVERLAP_S }) },
  reply: CreatedApiToken,
});

/** Also revokes the tokens that name it as `created_by_token`, and those that name them. Revoking again changes nothing. */
export const revokeToken = rpc('revoke_token', 'member', { request: TokenRef, reply: ApiToken });

/** Upper or lower case, with or without the dash. */
const UserCodeRef = { user_code: Type.String({ minLength: 1, maxLength: 32 }) };

/** Takes no idempotency key: an authorization that nobody approves expires. */
export const createDeviceAuthorization = rpc('create_device_authorization', 'service', {
  request: { client_name: PlainText({ minLength: 1, maxLength: API_TOKEN_LIMITS.name }), ...Origin },
  reply: StartedDeviceAuthorization,
});

/** Takes no idempotency key: a device code is exchanged once. */
export const exchangeDeviceCode = rpc('exchange_device_code', 'service', {
  request: { device_code: Token, ...Origin },
  reply: DeviceCodeState,
});

export const listDeviceAuthorizations = rpc('list_device_authorizations', 'member', {
  reply: Page(ApprovedDeviceAuthorization),
});

export const getDeviceAuthorization = rpc('get_device_authorization', 'member', {
  request: UserCodeRef,
  reply: DeviceAuthorization,
});

export const approveDeviceAuthorization = rpc('approve_device_authorization', 'member', {
  request: {
    ...UserCodeRef,
    role: Type.Enum(API_TOKEN_ROLES),
    /** Absent or null: both. */
    environments: TokenEnvironments,
  },
});

export const denyDeviceAuthorization = rpc('deny_device_authorization', 'member', { request: UserCodeRef });
