import Type from 'typebox';
import {
  ACCOUNT_LIMITS,
  CreatedInvitation,
  Invitation,
  Me,
  Member,
  RoleSchema,
  Session,
  Team,
} from '../account.ts';
import { API_TOKEN_LIMITS, API_TOKEN_ROLES, ApiToken, CreatedApiToken } from '../api-token.ts';
import { AuditEntry } from '../audit.ts';
import { DeviceAuthorization, DeviceCodeState, StartedDeviceAuthorization } from '../device-authorization.ts';
import { ENVIRONMENTS, EnvironmentSchema } from '../environment.ts';
import { GRACE_PERIODS_DAYS } from '../grace-periods.ts';
import { Id } from '../ids.ts';
import { LeakReport } from '../leak.ts';
import { NOTICE_TOPICS } from '../notice-topics.ts';
import { Nullable } from '../nullable.ts';
import { NewCredential, Passkey, PasskeyAssertion, PasskeyName, PasskeyOptions } from '../passkey.ts';
import { RoleMappingRequest, SINGLE_SIGN_ON_LIMITS, SingleSignOn } from '../single-sign-on.ts';
import { TEAM_CHAT_LIMITS, TeamChat } from '../team-chat.ts';
import { Time } from '../time.ts';
import { rpc } from './contract.ts';
import { Page, PageRequest } from './page.ts';

const closed = { additionalProperties: false } as const;
const Name = Type.String({ minLength: 1, maxLength: ACCOUNT_LIMITS.name });
const Email = Type.String({ minLength: 3, maxLength: ACCOUNT_LIMITS.email });
/** For new passwords. A password that is only compared may be any text. */
const NewPassword = Type.String({
  minLength: ACCOUNT_LIMITS.passwordMin,
  maxLength: ACCOUNT_LIMITS.passwordMax,
});
const Password = Type.String({ maxLength: ACCOUNT_LIMITS.passwordMax });
/** Opaque token of a link or session: 32 bytes, base64url. */
const Token = Type.String({ minLength: 1, maxLength: 128 });
const Code = Type.String({ minLength: 1, maxLength: 32 });
/** Encrypted claims of some 200 characters. */
const MAX_DEVICE_TOKEN_LENGTH = 1_024;
/** Origin of a request as the gateway sees it: IP address and user agent of the member's browser. */
const Origin = {
  address: Nullable(Type.String({ maxLength: 64 })),
  user_agent: Nullable(Type.String({ maxLength: ACCOUNT_LIMITS.userAgent })),
};
const MAX_SETUP_TOKEN_LENGTH = 512;
const Nothing = Type.Object({}, closed);
const TokenEnvironments = Type.Optional(
  Nullable(Type.Array(EnvironmentSchema, { minItems: 1, maxItems: ENVIRONMENTS.length, uniqueItems: true })),
);
const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String()),
});

// Methods without a session, called by the gateway.

export const getInstallation = rpc('accounts', 'installation', {
  caller: 'service',
  request: Nothing,
  reply: Type.Object({
    is_set_up: Type.Boolean(),
    sends_mail: Type.Boolean({ default: false, description: 'Whether a mail server is configured.' }),
  }),
});

/**
 * Creates the first team and its owner, once per installation, so it needs no idempotency key. `token` is the operator's
 * `SETUP_TOKEN`.
 */
export const setUp = rpc('accounts', 'setup', {
  caller: 'service',
  request: Type.Object(
    {
      token: Type.String({ minLength: 1, maxLength: MAX_SETUP_TOKEN_LENGTH }),
      email: Email,
      name: Name,
      password: NewPassword,
      team_name: Name,
      ...Origin,
    },
    closed,
  ),
  reply: Type.Object({ team: Team, member: Member }),
});

/** A browser is known for at most this many members. */
const MAX_DEVICE_TOKENS = 4;
const SignedIn = Type.Object({
  token: Type.String(),
  expires_at: Time,
  member: Member,
  device_token: Type.Union([Type.String(), Type.Null()], {
    default: null,
    description:
      'Send it with the next sign-in on this device, within 180 days. It is not a credential. A new password makes it invalid.',
  }),
});

/**
 * The password alone is enough only for a member without a second factor. Takes no idempotency key: the caller of a repeated
 * sign-in needs the token, and an unused session expires.
 */
export const signIn = rpc('accounts', 'sign_in', {
  caller: 'service',
  request: Type.Object(
    {
      email: Type.String({ maxLength: ACCOUNT_LIMITS.email }),
      password: Password,
      totp: Type.Optional(Code),
      recovery_code: Type.Optional(Code),
      passkey: Type.Optional(PasskeyAssertion),
      device_token: Type.Optional(
        Type.String({
          maxLength: MAX_DEVICE_TOKEN_LENGTH,
          description:
            'The `device_token` of an earlier sign-in on this device. Failed attempts of other devices then do not delay it. A token that is not valid, or no longer, is ignored.',
        }),
      ),
      ...Origin,
    },
    closed,
  ),
  reply: SignedIn,
});

/** Creates a challenge that a passkey signs, once and within five minutes. Takes no idempotency key: an unused one expires. */
export const createPasskeyChallenge = rpc('accounts', 'create_passkey_challenge', {
  caller: 'service',
  request: Nothing,
  reply: PasskeyOptions,
});

/** A passkey is two factors: the device, and the PIN or biometrics that the device verifies. */
export const signInWithPasskey = rpc('accounts', 'sign_in_with_passkey', {
  caller: 'service',
  request: Type.Object(
    {
      passkey: PasskeyAssertion,
      device_tokens: Type.Optional(
        Type.Array(Type.String({ maxLength: MAX_DEVICE_TOKEN_LENGTH }), {
          maxItems: MAX_DEVICE_TOKENS,
          description:
            'Each `device_token` of earlier sign-ins on this device: the passkey names the member.',
        }),
      ),
      ...Origin,
    },
    closed,
  ),
  reply: SignedIn,
});

/** Exchanges a session for the actor token that all other calls of the request carry. */
export const issueActorToken = rpc('accounts', 'actor_token', {
  caller: 'service',
  request: Type.Object(
    {
      session_token: Token,
      ...Origin,
      /** False for a check that is not a use, such as that of an open stream: the session still expires when idle. */
      is_use: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  reply: Type.Object({
    actor_token: Type.String(),
    session_id: Id('session'),
    /** Null from an accounts service of an earlier release. */
    team_id: Type.Union([Id('team'), Type.Null()], { default: null }),
    member: Member,
  }),
});

/** Exchanges the credential of an API token, like a session, for the actor token of the request's other calls. */
export const issueTokenActor = rpc('accounts', 'issue_token_actor', {
  caller: 'service',
  request: Type.Object(
    {
      credential: Type.String({ minLength: 1, maxLength: 128 }),
      ...Origin,
      /** False for a check that is not a use, such as that of an open stream. */
      is_use: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  reply: Type.Object({ actor_token: Type.String(), team_id: Id('team'), token: ApiToken }),
});

/**
 * Reports that a secret scanner found an API token, and revokes it. `digest` proves that the scanner found the whole
 * token, not only its public lookup id.
 */
export const reportLeakedToken = rpc('accounts', 'report_leaked_token', {
  caller: 'service',
  request: Type.Object({ lookup_id: Type.String(), digest: Type.String(), ...LeakReport }, closed),
  reply: Type.Object({ is_known: Type.Boolean() }),
});

/**
 * Starts a sign-in with the identity provider of the team that verified the domain of the email. Errors: `not-found` without such a
 * team. Takes no idempotency key: an unused authorization expires.
 */
export const startSingleSignOn = rpc('accounts', 'start_single_sign_on', {
  caller: 'service',
  request: Type.Object({ email: Email, ...Origin }, closed),
  reply: Type.Object({
    authorization_url: Type.String({ description: 'Page of the identity provider.' }),
    browser_token: Type.String({
      description:
        'Proves that the browser that returns from the identity provider is the one that started. Keep it in a cookie of this browser only.',
    }),
    expires_at: Time,
  }),
});

/** Creates a session from the response of the identity provider. An authorization is used once. */
export const finishSingleSignOn = rpc('accounts', 'finish_single_sign_on', {
  caller: 'service',
  request: Type.Object(
    {
      team_id: Id('team', 'From the path of the redirect URI'),
      browser_token: Token,
      response: Type.String({
        maxLength: SINGLE_SIGN_ON_LIMITS.response,
        description: 'The query with which the identity provider redirected to the redirect URI, unchanged.',
      }),
      ...Origin,
    },
    closed,
  ),
  reply: Type.Object({ token: Type.String(), expires_at: Time, member: Member }),
});

/** Returns what the invitation page shows. */
export const getInvitation = rpc('accounts', 'get_invitation', {
  caller: 'service',
  request: Type.Object({ token: Token }, closed),
  reply: Type.Object({ team_name: Type.String(), email: Type.String(), role: RoleSchema, expires_at: Time }),
});

/** Takes no idempotency key: an invitation can be accepted once. */
export const acceptInvitation = rpc('accounts', 'accept_invitation', {
  caller: 'service',
  request: Type.Object({ token: Token, name: Name, password: NewPassword, ...Origin }, closed),
  reply: Member,
});

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
    passkey_count: Type.Integer({ default: 0, minimum: 0 }),
  }),
});

/** Takes no idempotency key: an authorization that nobody approves expires. */
export const createDeviceAuthorization = rpc('accounts', 'create_device_authorization', {
  caller: 'service',
  request: Type.Object(
    { client_name: Type.String({ minLength: 1, maxLength: API_TOKEN_LIMITS.name }), ...Origin },
    closed,
  ),
  reply: StartedDeviceAuthorization,
});

/** Takes no idempotency key: a device code is exchanged once. */
export const exchangeDeviceCode = rpc('accounts', 'exchange_device_code', {
  caller: 'service',
  request: Type.Object({ device_code: Token, ...Origin }, closed),
  reply: DeviceCodeState,
});

// Methods for a member's own account.

export const getMe = rpc('accounts', 'me', { caller: 'member', request: Nothing, reply: Me });

export const updateProfile = rpc('accounts', 'update_profile', {
  caller: 'member',
  request: Type.Object(
    { name: Type.Optional(Name), team_mail: Type.Optional(Type.Boolean()) },
    { ...closed, minProperties: 1 },
  ),
  reply: Me,
});

/** The member signs in with the new email from then on. Sessions go on. */
export const changeEmail = rpc('accounts', 'change_email', {
  caller: 'member',
  request: Type.Object({ current_password: Password, email: Email }, closed),
  reply: Me,
});

/** Ends every other session of the member. */
export const changePassword = rpc('accounts', 'change_password', {
  caller: 'member',
  request: Type.Object({ current_password: Password, new_password: NewPassword }, closed),
  reply: Nothing,
});

/**
 * First step of the enrollment. Sign-in does not change until `confirm_totp` proves that the app has the secret. Takes no
 * idempotency key: a repeated call replaces the secret.
 */
export const startTotp = rpc('accounts', 'start_totp', {
  caller: 'member',
  request: Type.Object({ current_password: Password }, closed),
  reply: Type.Object({
    /** Base32, for manual entry. */
    secret: Type.String(),
    /** The same as an `otpauth://` URI, for a QR code. */
    uri: Type.String(),
  }),
});

export const confirmTotp = rpc('accounts', 'confirm_totp', {
  caller: 'member',
  request: Type.Object({ totp: Code }, closed),
  reply: RecoveryCodes,
});

export const disableTotp = rpc('accounts', 'disable_totp', {
  caller: 'member',
  request: Type.Object({ current_password: Password }, closed),
  reply: Nothing,
});

/**
 * Creates a challenge for a new passkey, to be signed within five minutes. Takes no idempotency key: an unused challenge
 * expires.
 */
export const startPasskey = rpc('accounts', 'start_passkey', {
  caller: 'member',
  request: Type.Object({ current_password: Password }, closed),
  reply: PasskeyOptions,
});

/** Takes no idempotency key: a challenge is used once. */
export const createPasskey = rpc('accounts', 'create_passkey', {
  caller: 'member',
  request: Type.Object({ name: PasskeyName, credential: NewCredential }, closed),
  reply: Type.Object({
    passkey: Passkey,
    recovery_codes: Type.Array(Type.String(), {
      description: 'Returned once, with the first second factor of the member; else empty',
    }),
  }),
});

export const listPasskeys = rpc('accounts', 'list_passkeys', {
  caller: 'member',
  request: Nothing,
  reply: Page(Passkey),
});

export const renamePasskey = rpc('accounts', 'rename_passkey', {
  caller: 'member',
  request: Type.Object({ passkey_id: Id('passkey'), name: PasskeyName }, closed),
  reply: Passkey,
});

export const deletePasskey = rpc('accounts', 'delete_passkey', {
  caller: 'member',
  request: Type.Object({ passkey_id: Id('passkey'), current_password: Password }, closed),
  reply: Nothing,
});

export const replaceRecoveryCodes = rpc('accounts', 'replace_recovery_codes', {
  caller: 'member',
  request: Type.Object({ current_password: Password }, closed),
  reply: RecoveryCodes,
});

/** For actions that fail with `reauthentication-required`. Applies to the session of the request. */
export const reauthenticate = rpc('accounts', 'reauthenticate', {
  caller: 'member',
  request: Type.Object({ current_password: Password }, closed),
  reply: Type.Object({ authenticated_at: Time }),
});

export const listSessions = rpc('accounts', 'list_sessions', {
  caller: 'member',
  request: Nothing,
  reply: Page(Session),
});

export const revokeSession = rpc('accounts', 'revoke_session', {
  caller: 'member',
  request: Type.Object({ session_id: Id('session') }, closed),
  reply: Nothing,
});

/** Ends all sessions of the member, including the current one. */
export const revokeAllSessions = rpc('accounts', 'revoke_all_sessions', {
  caller: 'member',
  request: Nothing,
  reply: Nothing,
});

// Methods for a member's team. The lists of this service are bounded: each is one page.

export const getTeam = rpc('accounts', 'get_team', {
  caller: 'member-or-token',
  request: Type.Object({ team_id: Id('team') }, closed),
  reply: Team,
});

export const renameTeam = rpc('accounts', 'rename_team', {
  caller: 'member-or-token',
  request: Type.Object(
    {
      team_id: Id('team'),
      name: Name,
      /** The version that the caller read; absent means the current version. */
      if_version: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    closed,
  ),
  reply: Team,
});

/** The caller must have a second factor. Tokens must not change how members sign in. */
export const setSecondFactorPolicy = rpc('accounts', 'set_second_factor_policy', {
  caller: 'member',
  request: Type.Object(
    {
      team_id: Id('team'),
      grace_period_days: Nullable(
        Type.Enum(GRACE_PERIODS_DAYS),
        'Days from now until members need a second factor. Null: they need none',
      ),
      /** The version that the caller read; absent means the current version. */
      if_version: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    closed,
  ),
  reply: Team,
});

/**
 * Creates another team with an invitation for its first owner. Requires an installation admin. A replay returns no
 * invitation if it is no longer open.
 */
export const createTeam = rpc('accounts', 'create_team', {
  caller: 'member',
  idempotent: true,
  request: Type.Object({ name: Name, owner_email: Email }, closed),
  reply: Type.Object({ team: Team, invitation: Nullable(CreatedInvitation) }),
});

export const listMembers = rpc('accounts', 'list_members', {
  caller: 'member-or-token',
  request: Nothing,
  reply: Page(Member),
});

export const changeRole = rpc('accounts', 'change_role', {
  caller: 'member',
  request: Type.Object({ member_id: Id('member'), role: RoleSchema }, closed),
  reply: Member,
});

export const removeMember = rpc('accounts', 'remove_member', {
  caller: 'member',
  request: Type.Object({ member_id: Id('member') }, closed),
  reply: Nothing,
});

/** Signs a member out everywhere. Only an owner can do this to an owner. */
export const endMemberSessions = rpc('accounts', 'end_member_sessions', {
  caller: 'member',
  request: Type.Object({ member_id: Id('member') }, closed),
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

/** Replaces an open invitation of the same email in the team, whose link stops working. */
export const createInvitation = rpc('accounts', 'create_invitation', {
  caller: 'member',
  idempotent: true,
  request: Type.Object({ email: Email, role: RoleSchema }, closed),
  reply: CreatedInvitation,
});

export const listInvitations = rpc('accounts', 'list_invitations', {
  caller: 'member-or-token',
  request: Nothing,
  reply: Page(Invitation),
});

/** The link of an open invitation again. `not-found` for an invitation of an earlier release. */
export const revealInvitationLink = rpc('accounts', 'reveal_invitation_link', {
  caller: 'member',
  request: Type.Object({ invitation_id: Id('invitation') }, closed),
  reply: Type.Object({ email: Type.String(), token: Type.String(), expires_at: Time }),
});

/** Mails the link of an open invitation again. Errors: `conflict` while no mail server is configured. */
export const resendInvitation = rpc('accounts', 'resend_invitation', {
  caller: 'member',
  request: Type.Object({ invitation_id: Id('invitation') }, closed),
  reply: Nothing,
});

export const revokeInvitation = rpc('accounts', 'revoke_invitation', {
  caller: 'member',
  request: Type.Object({ invitation_id: Id('invitation') }, closed),
  reply: Nothing,
});

/**
 * Notifies the team that a verification of its audit log failed. Only the audit service calls it, which publishes no entries. A
 * repeated call with the same entry changes nothing.
 */
export const notifyOfTampering = rpc('accounts', 'notify_of_tampering', {
  caller: 'service',
  request: Type.Object({ entry: AuditEntry }, closed),
  reply: Nothing,
});

// Methods for the chat of the team. Only members call them, because the URL is a secret between people.

export const getTeamChat = rpc('accounts', 'get_team_chat', {
  caller: 'member',
  request: Nothing,
  reply: TeamChat,
});

/** Sets what is given. A new URL replaces the earlier one. */
export const setTeamChat = rpc('accounts', 'set_team_chat', {
  caller: 'member',
  request: Type.Object(
    {
      url: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: TEAM_CHAT_LIMITS.url,
          description: 'URL of an incoming webhook of Slack or a compatible chat. It is never returned.',
        }),
      ),
      topics: Type.Optional(
        Type.Array(Type.Enum(NOTICE_TOPICS), { maxItems: NOTICE_TOPICS.length, uniqueItems: true }),
      ),
    },
    { ...closed, minProperties: 1 },
  ),
  reply: TeamChat,
});

export const removeTeamChat = rpc('accounts', 'remove_team_chat', {
  caller: 'member',
  request: Nothing,
  reply: Nothing,
});

/** Posts a test message at once. */
export const testTeamChat = rpc('accounts', 'test_team_chat', {
  caller: 'member',
  request: Nothing,
  reply: Type.Object({
    is_delivered: Type.Boolean(),
    reason: Nullable(Type.String(), 'Why the message was not delivered'),
  }),
});

// Methods for single sign-on of the team. Only members call them: they decide who may act for the team.

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
      client_id: Type.String({ minLength: 1, maxLength: SINGLE_SIGN_ON_LIMITS.clientId }),
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

// Methods for a member who approves a login. An API token must not create another one.

/** Upper or lower case, with or without the dash. */
const UserCodeRef = { user_code: Type.String({ minLength: 1, maxLength: 32 }) };

export const getDeviceAuthorization = rpc('accounts', 'get_device_authorization', {
  caller: 'member',
  request: Type.Object(UserCodeRef, closed),
  reply: DeviceAuthorization,
});

export const approveDeviceAuthorization = rpc('accounts', 'approve_device_authorization', {
  caller: 'member',
  request: Type.Object(
    {
      ...UserCodeRef,
      role: Type.Enum(API_TOKEN_ROLES),
      /** Absent or null: both. */
      environments: TokenEnvironments,
    },
    closed,
  ),
  reply: Nothing,
});

export const denyDeviceAuthorization = rpc('accounts', 'deny_device_authorization', {
  caller: 'member',
  request: Type.Object(UserCodeRef, closed),
  reply: Nothing,
});

// Methods for the team's API tokens. Only members call them: a token must not create another one.

const TokenRef = { token_id: Id('apiToken') };

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

export const createToken = rpc('accounts', 'create_token', {
  caller: 'member',
  idempotent: true,
  request: Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: API_TOKEN_LIMITS.name }),
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

/** Ends the session, or revokes the API token, of the request itself. */
export const signOut = rpc('accounts', 'sign_out', {
  caller: 'member-or-token',
  request: Type.Object({}, closed),
  reply: Nothing,
});

/** Revoking again changes nothing. */
export const revokeToken = rpc('accounts', 'revoke_token', {
  caller: 'member',
  request: Type.Object(TokenRef, closed),
  reply: ApiToken,
});
