import Type from 'typebox';
import { API_TOKEN_LIMITS, API_TOKEN_ROLES, ApiToken, CreatedApiToken } from '../../api-token.ts';
import { Id } from '../../ids.ts';
import { LeakReport } from '../../leak.ts';
import { Nullable } from '../../nullable.ts';
import { PlainText } from '../../plain-text.ts';
import { Time } from '../../time.ts';
import { rpc } from '../contract.ts';
import { Page, PageRequest } from '../page.ts';
import { closed, TokenEnvironments } from './fields.ts';

const TokenRef = { token_id: Id('apiToken') };

/**
 * Reports that a secret scanner found an API token, and revokes it. `digest` proves that the scanner found the whole
 * token, not only its public lookup id.
 */
export const reportLeakedToken = rpc('accounts', 'report_leaked_token', {
  caller: 'service',
  request: Type.Object({ lookup_id: Type.String(), digest: Type.String(), ...LeakReport }, closed),
  reply: Type.Object({ is_known: Type.Boolean() }),
});

/** Without the admin role, a member reads and revokes the tokens of their own logins. */
export const listTokens = rpc('accounts', 'list_tokens', {
  caller: 'member',
  request: Type.Object(
    {
      ...PageRequest,
      /** Only tokens of this member's logins. */
      acts_for: Type.Optional(Id('member')),
    },
    closed,
  ),
  reply: Page(ApiToken),
});

export const getToken = rpc('accounts', 'get_token', {
  caller: 'member',
  request: Type.Object(TokenRef, closed),
  reply: ApiToken,
});

/** Only members call it: a token must not create another one. */
export const createToken = rpc('accounts', 'create_token', {
  caller: 'member',
  idempotent: true,
  request: Type.Object(
    {
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
    closed,
  ),
  reply: CreatedApiToken,
});

/** Revoking again changes nothing. */
export const revokeToken = rpc('accounts', 'revoke_token', {
  caller: 'member',
  request: Type.Object(TokenRef, closed),
  reply: ApiToken,
});
