import Type from 'typebox';
import { Id } from '../../platform/ids.ts';
import { rpc } from '../../platform/rpc-contract.ts';
import { Nullable } from '../../platform/schema.ts';
import { Time } from '../../platform/time.ts';
import { closed, Email, MAX_SETUP_TOKEN_LENGTH, NewPassword, Nothing, Origin, Token } from './fields.ts';

/**
 * Mails a reset link to each account with this email. The reply is the same without one. Takes no idempotency key: a repeated call
 * mails new links.
 */
export const requestResetLink = rpc('accounts', 'request_reset_link', {
  caller: 'service',
  request: Type.Object({ email: Email, ...Origin }, closed),
  reply: Nothing,
});

/** Returns what the page of a reset link shows. */
export const getResetLink = rpc('accounts', 'get_reset_link', {
  caller: 'service',
  request: Type.Object({ token: Token }, closed),
  reply: Type.Object({ email: Type.String(), expires_at: Time }),
});

export const resetPassword = rpc('accounts', 'reset_password', {
  caller: 'service',
  request: Type.Object({ token: Token, password: NewPassword, ...Origin }, closed),
  reply: Nothing,
});

export const createResetLink = rpc('accounts', 'create_reset_link', {
  caller: 'member',
  idempotent: true,
  request: Type.Object(
    {
      member_id: Id('member'),
      setup_token: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: MAX_SETUP_TOKEN_LENGTH,
          description: 'The `SETUP_TOKEN` of the installation. Required for an admin of the installation.',
        }),
      ),
    },
    closed,
  ),
  reply: Type.Object({ token: Nullable(Type.String(), 'Null in a replayed response'), expires_at: Time }),
});

/**
 * Creates a reset link for an owner who cannot sign in. Only the operator may call it: the NATS user proves who asks.
 * Errors: `not-found` without such an owner, `conflict` when owners of several teams have the email.
 */
export const resetOwner = rpc('accounts', 'reset_owner', {
  caller: 'service',
  request: Type.Object(
    {
      email: Email,
      /** Needed only for an email that owners of several teams have. */
      team_id: Nullable(Id('team')),
      /** Whether the reset also turns off two-factor authentication, and removes passkeys. */
      removes_totp: Type.Boolean(),
    },
    closed,
  ),
  reply: Type.Object({
    token: Type.String(),
    expires_at: Time,
    team_name: Type.String(),
    /** Whether the owner has two-factor authentication now. */
    totp_enabled: Type.Boolean(),
    passkey_count: Type.Integer({ minimum: 0 }),
  }),
});
