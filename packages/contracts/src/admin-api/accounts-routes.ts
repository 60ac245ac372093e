import * as accounts from '../accounts/rpc/methods.ts';
import { route, routesOf } from './route.ts';

const rpcs = { ...accounts, findInvitation: accounts.getInvitation, findResetLink: accounts.getResetLink };

export const accountRoutes = routesOf(rpcs, {
  // Routes without a session.
  getInstallation: route('GET /setup', 'public', { summary: 'Read the setup status of the installation' }),
  setUp: route('POST /setup', 'public', {
    summary: 'Create the first team and its owner',
    errors: ['conflict', 'forbidden'],
    status: 201,
  }),
  signIn: route('POST /sessions', 'public', {
    summary: 'Sign in',
    errors: ['sign-in-failed', 'second-factor-required', 'sso-required', 'too-many-attempts', 'conflict'],
    status: 201,
  }),
  startSingleSignOn: route('POST /single-sign-on/authorizations', 'public', {
    summary: 'Start a sign-in with the identity provider of a team',
    errors: ['not-found', 'sso-failed'],
    status: 201,
  }),
  finishSingleSignOn: route('POST /single-sign-on/sessions', 'public', {
    summary: 'Sign in with the response of an identity provider',
    errors: ['sso-failed', 'conflict'],
    status: 201,
  }),
  createPasskeyChallenge: route('POST /passkey-challenges', 'public', {
    summary: 'Create a challenge for a sign-in with a passkey; it works once, within five minutes',
    status: 201,
  }),
  signInWithPasskey: route('POST /sessions/passkey', 'public', {
    summary: 'Sign in with a passkey',
    errors: ['sign-in-failed', 'sso-required', 'too-many-attempts'],
    status: 201,
  }),
  findInvitation: route('POST /invitations/find', 'public', {
    summary: 'Read an invitation by its token',
    errors: ['not-found'],
  }),
  acceptInvitation: route('POST /invitations/accept', 'public', {
    summary: 'Accept an invitation',
    errors: ['not-found', 'conflict'],
    status: 201,
  }),
  requestResetLink: route('POST /password-resets/request', 'public', {
    summary:
      'Send a reset link to an email, if an account has it; the response does not reveal whether one has',
    errors: ['conflict', 'too-many-attempts'],
    status: 202,
  }),
  findResetLink: route('POST /password-resets/find', 'public', {
    summary: 'Read a reset link by its token',
    errors: ['not-found'],
  }),
  resetPassword: route('POST /password-resets', 'public', {
    summary: 'Set a new password with a reset link; ends all sessions and logins of programs of the member',
    errors: ['not-found', 'conflict', 'sso-required'],
  }),
  createDeviceAuthorization: route('POST /device-authorizations', 'public', {
    summary: 'Start a login of a program, which a member approves in the dashboard (RFC 8628)',
    status: 201,
  }),
  exchangeDeviceCode: route('POST /device-authorizations/token', 'public', {
    summary:
      'Poll for the decision of the member; returns the API token once after the approval. An unknown or exchanged `device_code` is `expired_token`',
  }),

  // Decisions about logins of programs. Every role may approve one, with at most its own.
  listDeviceAuthorizations: route('GET /device-authorizations', 'viewer', {
    summary: 'List the logins that you approved and whose programs have not fetched their token yet',
  }),
  getDeviceAuthorization: route('GET /device-authorizations/:user_code', 'viewer', {
    summary: 'Read the login that a code belongs to',
    errors: ['conflict', 'too-many-attempts'],
  }),
  approveDeviceAuthorization: route('POST /device-authorizations/:user_code/approve', 'viewer', {
    summary: 'Approve a login with at most your own role; its API token acts for you',
    errors: ['conflict', 'too-many-attempts', 'reauthentication-required'],
  }),
  denyDeviceAuthorization: route('POST /device-authorizations/:user_code/deny', 'viewer', {
    summary: 'Deny a login, or withdraw your approval until the program has its token',
    errors: ['conflict', 'too-many-attempts'],
  }),

  // A member's own account.
  listSessions: route('GET /sessions', 'viewer', { summary: 'List your sessions' }),
  revokeSession: route('DELETE /sessions/:session_id', 'viewer', {
    summary: 'End one of your sessions; `current` signs out',
  }),
  signOut: route('POST /sign-out', 'viewer', {
    summary: 'End the session, or revoke the API token, of this request; takes effect immediately',
  }),
  revokeAllSessions: route('DELETE /sessions', 'viewer', {
    summary: 'End all your sessions, including this one, and your logins of programs',
    errors: ['conflict'],
  }),
  reauthenticate: route('POST /me/reauthenticate', 'viewer', {
    summary:
      'Confirm your identity with your password or a passkey, for requests that fail with `reauthentication-required`',
    errors: ['conflict', 'too-many-attempts', 'sso-required'],
  }),
  createReauthenticationChallenge: route('POST /me/reauthenticate/challenges', 'viewer', {
    summary:
      'Create a challenge for one of your passkeys, to confirm your identity; it works once, within five minutes',
    errors: ['conflict', 'sso-required'],
    status: 201,
  }),
  getMe: route('GET /me', 'viewer', {
    summary: 'Read your account; with an API token, the token and its team',
    tokenRpc: accounts.getOwnToken,
  }),
  updateProfile: route('PATCH /me', 'viewer', {
    summary: 'Change your name, or which email about your team you get',
    errors: ['conflict'],
  }),
  changeEmail: route('PUT /me/email', 'viewer', {
    summary: 'Change the email with which you sign in',
    errors: ['conflict', 'too-many-attempts'],
  }),
  changePassword: route('PUT /me/password', 'viewer', {
    summary: 'Change your password; ends your other sessions and your logins of programs',
    errors: ['conflict', 'too-many-attempts', 'sso-required'],
  }),
  startTotp: route('POST /me/totp', 'viewer', {
    summary: 'Start to set up an authenticator app',
    errors: ['conflict', 'too-many-attempts'],
    status: 201,
  }),
  confirmTotp: route('POST /me/totp/confirm', 'viewer', {
    summary: 'Turn on two-factor authentication with a first code; returns the recovery codes once',
    errors: ['conflict', 'too-many-attempts'],
  }),
  disableTotp: route('POST /me/totp/disable', 'viewer', {
    summary: 'Turn off two-factor authentication',
    errors: ['conflict', 'too-many-attempts'],
  }),
  replaceRecoveryCodes: route('POST /me/totp/recovery-codes', 'viewer', {
    summary: 'Create new recovery codes; the old ones stop working',
    errors: ['conflict', 'too-many-attempts'],
  }),
  listPasskeys: route('GET /me/passkeys', 'viewer', { summary: 'List your passkeys' }),
  startPasskey: route('POST /me/passkeys/start', 'viewer', {
    summary: 'Create a challenge for a new passkey; it works once, within five minutes',
    errors: ['conflict', 'too-many-attempts'],
    status: 201,
  }),
  createPasskey: route('POST /me/passkeys', 'viewer', {
    summary:
      'Add a passkey that signed the challenge; the first second factor returns the recovery codes once',
    errors: ['conflict'],
    status: 201,
  }),
  renamePasskey: route('PATCH /me/passkeys/:passkey_id', 'viewer', {
    summary: 'Rename one of your passkeys',
    errors: ['conflict'],
  }),
  deletePasskey: route('POST /me/passkeys/:passkey_id/delete', 'viewer', {
    summary: 'Remove one of your passkeys',
    errors: ['conflict', 'too-many-attempts'],
  }),

  getTeam: route('GET /teams/:team_id', 'viewer', { summary: 'Read your team' }),
  renameTeam: route('PATCH /teams/:team_id', 'admin', { summary: 'Rename your team', errors: ['conflict'] }),
  setSecondFactorPolicy: route('PUT /teams/:team_id/second-factor-policy', 'owner', {
    summary: 'Set whether members of your team need a second factor, and from when',
    errors: ['conflict', 'reauthentication-required'],
  }),
  createTeam: route('POST /teams', 'installation-admin', {
    summary: 'Create another team, with an invitation for its first owner',
  }),
  listMembers: route('GET /members', 'viewer', { summary: 'List the members of your team' }),
  changeRole: route('PATCH /members/:member_id', 'owner', {
    summary: 'Change the role of a member',
    errors: ['conflict', 'last-owner', 'reauthentication-required'],
  }),
  removeMember: route('DELETE /members/:member_id', 'owner', {
    summary: 'Remove a member from the team',
    errors: ['conflict', 'last-owner', 'reauthentication-required'],
  }),
  endMemberSessions: route('POST /members/:member_id/end-sessions', 'admin', {
    summary:
      'Sign a member out everywhere, with their logins of programs; for an owner, this requires an owner',
    errors: ['conflict'],
  }),
  createResetLink: route('POST /members/:member_id/reset-link', 'owner', {
    summary: 'Create a password reset link for a member; its token is returned once',
    errors: ['conflict', 'too-many-attempts', 'sso-required', 'reauthentication-required'],
  }),
  listInvitations: route('GET /invitations', 'viewer', { summary: 'List open invitations' }),
  createInvitation: route('POST /invitations', 'owner', {
    summary: 'Create an invitation',
    errors: ['conflict', 'reauthentication-required'],
  }),
  revealInvitationLink: route('POST /invitations/:invitation_id/reveal-link', 'owner', {
    summary: 'Read the token of an open invitation again; recorded in the audit log',
    errors: ['conflict', 'reauthentication-required'],
  }),
  resendInvitation: route('POST /invitations/:invitation_id/resend', 'owner', {
    summary: 'Send the email of an open invitation again',
    errors: ['conflict'],
  }),
  revokeInvitation: route('DELETE /invitations/:invitation_id', 'owner', {
    summary: 'Revoke an invitation',
    errors: ['conflict'],
  }),

  // The chat that notices about the team are posted to.
  getTeamChat: route(
    'GET /team-chat',
    { toRead: 'admin' },
    {
      summary: 'Read where notices about your team are posted, and whether they arrive',
    },
  ),
  setTeamChat: route('PATCH /team-chat', 'admin', {
    summary: 'Set the chat webhook of your team, or what is posted to it',
    errors: ['conflict', 'reauthentication-required'],
  }),
  removeTeamChat: route('DELETE /team-chat', 'admin', {
    summary: 'Remove the chat webhook of your team',
    errors: ['conflict'],
  }),
  testTeamChat: route('POST /team-chat/test', 'admin', {
    summary: 'Post a test message to the chat of your team',
    errors: ['conflict'],
  }),

  // Only owners: these routes decide who can sign in as a member of the team.
  getSingleSignOn: route(
    'GET /single-sign-on',
    { toRead: 'owner' },
    {
      summary: 'Read the single sign-on settings of your team',
    },
  ),
  setSingleSignOn: route('PUT /single-sign-on', 'owner', {
    summary: 'Set the identity provider, the role mapping, and whether single sign-on is required',
    errors: ['conflict', 'reauthentication-required'],
  }),
  removeSingleSignOn: route('DELETE /single-sign-on', 'owner', {
    summary: 'Turn off single sign-on and remove its settings',
    errors: ['conflict', 'reauthentication-required'],
  }),
  addSingleSignOnDomain: route('POST /single-sign-on/domains', 'owner', {
    summary: 'Add an email domain; it must be verified before its members can sign in',
    errors: ['conflict', 'reauthentication-required'],
    status: 201,
  }),
  verifySingleSignOnDomain: route('POST /single-sign-on/domains/:domain/verify', 'owner', {
    summary: 'Verify an email domain by its DNS record',
    errors: ['conflict', 'too-many-attempts', 'reauthentication-required'],
  }),
  removeSingleSignOnDomain: route('DELETE /single-sign-on/domains/:domain', 'owner', {
    summary: 'Remove an email domain; its members can no longer use single sign-on',
    errors: ['conflict', 'reauthentication-required'],
  }),

  listTokens: route('GET /api-tokens', 'viewer', {
    summary:
      'List the API tokens of your team, newest first; without the admin role, those of your own logins',
  }),
  getToken: route('GET /api-tokens/:token_id', 'viewer', {
    summary: 'Read an API token; without the admin role, one of your own logins',
  }),
  createToken: route('POST /api-tokens', 'admin', {
    summary:
      'Create an API token; `secret` is returned once. An API token creates others within its own limits, and one of a login creates none',
    errors: ['conflict', 'reauthentication-required'],
  }),
  rotateToken: route('POST /api-tokens/:token_id/rotate', 'admin', {
    summary:
      'Rotate an API token; the old token works until the overlap ends, and `secret` is returned once. A token rotates itself with any role',
    errors: ['conflict', 'reauthentication-required'],
  }),
  revokeToken: route('POST /api-tokens/:token_id/revoke', 'viewer', {
    summary:
      'Revoke an API token and those that it created, permanently; takes effect immediately. Without the admin role, one of your own logins',
  }),
});
