import * as accounts from '../accounts/rpc/methods.ts';
import { route } from './route.ts';

/** Routes without a session. */
export const entryRoutes = {
  getInstallation: route('GET', '/setup', accounts.getInstallation, {
    summary: 'Read the setup status of the installation',
    access: 'public',
  }),
  setUp: route('POST', '/setup', accounts.setUp, {
    summary: 'Create the first team and its owner',
    access: 'public',
    errors: ['conflict', 'forbidden'],
    status: 201,
  }),
  signIn: route('POST', '/sessions', accounts.signIn, {
    summary: 'Sign in',
    access: 'public',
    errors: ['sign-in-failed', 'second-factor-required', 'sso-required', 'too-many-attempts', 'conflict'],
    status: 201,
  }),
  startSingleSignOn: route('POST', '/single-sign-on/authorizations', accounts.startSingleSignOn, {
    summary: 'Start a sign-in with the identity provider of a team',
    access: 'public',
    errors: ['not-found', 'sso-failed'],
    status: 201,
  }),
  finishSingleSignOn: route('POST', '/single-sign-on/sessions', accounts.finishSingleSignOn, {
    summary: 'Sign in with the response of an identity provider',
    access: 'public',
    errors: ['sso-failed', 'conflict'],
    status: 201,
  }),
  createPasskeyChallenge: route('POST', '/passkey-challenges', accounts.createPasskeyChallenge, {
    summary: 'Create a challenge for a sign-in with a passkey; it works once, within five minutes',
    access: 'public',
    status: 201,
  }),
  signInWithPasskey: route('POST', '/sessions/passkey', accounts.signInWithPasskey, {
    summary: 'Sign in with a passkey',
    access: 'public',
    errors: ['sign-in-failed', 'sso-required', 'too-many-attempts'],
    status: 201,
  }),
  findInvitation: route('POST', '/invitations/find', accounts.getInvitation, {
    summary: 'Read an invitation by its token',
    access: 'public',
    errors: ['not-found'],
  }),
  acceptInvitation: route('POST', '/invitations/accept', accounts.acceptInvitation, {
    summary: 'Accept an invitation',
    access: 'public',
    errors: ['not-found', 'conflict'],
    status: 201,
  }),
  requestResetLink: route('POST', '/password-resets/request', accounts.requestResetLink, {
    summary:
      'Send a reset link to an email, if an account has it; the response does not reveal whether one has',
    access: 'public',
    errors: ['conflict', 'too-many-attempts'],
    status: 202,
  }),
  findResetLink: route('POST', '/password-resets/find', accounts.getResetLink, {
    summary: 'Read a reset link by its token',
    access: 'public',
    errors: ['not-found'],
  }),
  resetPassword: route('POST', '/password-resets', accounts.resetPassword, {
    summary: 'Set a new password with a reset link; ends all sessions and logins of programs of the member',
    access: 'public',
    errors: ['not-found', 'conflict', 'sso-required'],
    status: 204,
  }),
  createDeviceAuthorization: route('POST', '/device-authorizations', accounts.createDeviceAuthorization, {
    summary: 'Start a login of a program, which a member approves in the dashboard (RFC 8628)',
    access: 'public',
    status: 201,
  }),
  exchangeDeviceCode: route('POST', '/device-authorizations/token', accounts.exchangeDeviceCode, {
    summary:
      'Poll for the decision of the member; returns the API token once after the approval. An unknown or exchanged `device_code` is `expired_token`',
    access: 'public',
  }),
};

/** Decisions about logins of programs. Every role may approve one, with at most its own. */
export const deviceAuthorizationRoutes = {
  listDeviceAuthorizations: route('GET', '/device-authorizations', accounts.listDeviceAuthorizations, {
    summary: 'List the logins that you approved and whose programs have not fetched their token yet',
    access: 'viewer',
  }),
  getDeviceAuthorization: route('GET', '/device-authorizations/:user_code', accounts.getDeviceAuthorization, {
    summary: 'Read the login that a code belongs to',
    access: 'viewer',
    errors: ['conflict', 'too-many-attempts'],
  }),
  approveDeviceAuthorization: route(
    'POST',
    '/device-authorizations/:user_code/approve',
    accounts.approveDeviceAuthorization,
    {
      summary: 'Approve a login with at most your own role; its API token acts for you',
      access: 'viewer',
      errors: ['conflict', 'too-many-attempts', 'reauthentication-required'],
      status: 204,
    },
  ),
  denyDeviceAuthorization: route(
    'POST',
    '/device-authorizations/:user_code/deny',
    accounts.denyDeviceAuthorization,
    {
      summary: 'Deny a login, or withdraw your approval until the program has its token',
      access: 'viewer',
      errors: ['conflict', 'too-many-attempts'],
      status: 204,
    },
  ),
};

/** A member's own account. */
export const accountRoutes = {
  listSessions: route('GET', '/sessions', accounts.listSessions, {
    summary: 'List your sessions',
    access: 'viewer',
  }),
  /** The id `current` means the session of the request: signing out. */
  revokeSession: route('DELETE', '/sessions/:session_id', accounts.revokeSession, {
    summary: 'End one of your sessions; `current` signs out',
    access: 'viewer',
    status: 204,
  }),
  signOut: route('POST', '/sign-out', accounts.signOut, {
    summary: 'End the session, or revoke the API token, of this request; takes effect immediately',
    access: 'viewer',
    status: 204,
  }),
  revokeAllSessions: route('DELETE', '/sessions', accounts.revokeAllSessions, {
    summary: 'End all your sessions, including this one, and your logins of programs',
    access: 'viewer',
    errors: ['conflict'],
    status: 204,
  }),
  reauthenticate: route('POST', '/me/reauthenticate', accounts.reauthenticate, {
    summary:
      'Confirm your identity with your password or a passkey, for requests that fail with `reauthentication-required`',
    access: 'viewer',
    errors: ['conflict', 'too-many-attempts', 'sso-required'],
  }),
  createReauthenticationChallenge: route(
    'POST',
    '/me/reauthenticate/challenges',
    accounts.createReauthenticationChallenge,
    {
      summary:
        'Create a challenge for one of your passkeys, to confirm your identity; it works once, within five minutes',
      access: 'viewer',
      errors: ['conflict', 'sso-required'],
      status: 201,
    },
  ),
  getMe: route('GET', '/me', accounts.getMe, {
    summary: 'Read your account; with an API token, the token and its team',
    tokenRpc: accounts.getOwnToken,
    access: 'viewer',
  }),
  updateProfile: route('PATCH', '/me', accounts.updateProfile, {
    summary: 'Change your name, or which email about your team you get',
    access: 'viewer',
    errors: ['conflict'],
  }),
  changeEmail: route('PUT', '/me/email', accounts.changeEmail, {
    summary: 'Change the email with which you sign in',
    access: 'viewer',
    errors: ['conflict', 'too-many-attempts'],
  }),
  changePassword: route('PUT', '/me/password', accounts.changePassword, {
    summary: 'Change your password; ends your other sessions and your logins of programs',
    access: 'viewer',
    errors: ['conflict', 'too-many-attempts', 'sso-required'],
    status: 204,
  }),
  startTotp: route('POST', '/me/totp', accounts.startTotp, {
    summary: 'Start to set up an authenticator app',
    access: 'viewer',
    errors: ['conflict', 'too-many-attempts'],
    status: 201,
  }),
  confirmTotp: route('POST', '/me/totp/confirm', accounts.confirmTotp, {
    summary: 'Turn on two-factor authentication with a first code; returns the recovery codes once',
    access: 'viewer',
    errors: ['conflict', 'too-many-attempts'],
  }),
  disableTotp: route('POST', '/me/totp/disable', accounts.disableTotp, {
    summary: 'Turn off two-factor authentication',
    access: 'viewer',
    errors: ['conflict', 'too-many-attempts'],
    status: 204,
  }),
  replaceRecoveryCodes: route('POST', '/me/totp/recovery-codes', accounts.replaceRecoveryCodes, {
    summary: 'Create new recovery codes; the old ones stop working',
    access: 'viewer',
    errors: ['conflict', 'too-many-attempts'],
  }),
  listPasskeys: route('GET', '/me/passkeys', accounts.listPasskeys, {
    summary: 'List your passkeys',
    access: 'viewer',
  }),
  startPasskey: route('POST', '/me/passkeys/start', accounts.startPasskey, {
    summary: 'Create a challenge for a new passkey; it works once, within five minutes',
    access: 'viewer',
    errors: ['conflict', 'too-many-attempts'],
    status: 201,
  }),
  createPasskey: route('POST', '/me/passkeys', accounts.createPasskey, {
    summary:
      'Add a passkey that signed the challenge; the first second factor returns the recovery codes once',
    access: 'viewer',
    errors: ['conflict'],
    status: 201,
  }),
  renamePasskey: route('PATCH', '/me/passkeys/:passkey_id', accounts.renamePasskey, {
    summary: 'Rename one of your passkeys',
    access: 'viewer',
    errors: ['conflict'],
  }),
  deletePasskey: route('POST', '/me/passkeys/:passkey_id/delete', accounts.deletePasskey, {
    summary: 'Remove one of your passkeys',
    access: 'viewer',
    errors: ['conflict', 'too-many-attempts'],
    status: 204,
  }),
};

export const teamRoutes = {
  getTeam: route('GET', '/teams/:team_id', accounts.getTeam, { summary: 'Read your team', access: 'viewer' }),
  renameTeam: route('PATCH', '/teams/:team_id', accounts.renameTeam, {
    summary: 'Rename your team',
    access: 'admin',
    errors: ['conflict'],
  }),
  setSecondFactorPolicy: route(
    'PUT',
    '/teams/:team_id/second-factor-policy',
    accounts.setSecondFactorPolicy,
    {
      summary: 'Set whether members of your team need a second factor, and from when',
      access: 'owner',
      errors: ['conflict', 'reauthentication-required'],
    },
  ),
  createTeam: route('POST', '/teams', accounts.createTeam, {
    summary: 'Create another team, with an invitation for its first owner',
    access: 'installation-admin',
    status: 201,
  }),
  listMembers: route('GET', '/members', accounts.listMembers, {
    summary: 'List the members of your team',
    access: 'viewer',
  }),
  changeRole: route('PATCH', '/members/:member_id', accounts.changeRole, {
    summary: 'Change the role of a member',
    access: 'owner',
    errors: ['conflict', 'last-owner', 'reauthentication-required'],
  }),
  removeMember: route('DELETE', '/members/:member_id', accounts.removeMember, {
    summary: 'Remove a member from the team',
    access: 'owner',
    errors: ['conflict', 'last-owner', 'reauthentication-required'],
    status: 204,
  }),
  endMemberSessions: route('POST', '/members/:member_id/end-sessions', accounts.endMemberSessions, {
    summary:
      'Sign a member out everywhere, with their logins of programs; for an owner, this requires an owner',
    access: 'admin',
    errors: ['conflict'],
    status: 204,
  }),
  createResetLink: route('POST', '/members/:member_id/reset-link', accounts.createResetLink, {
    summary: 'Create a password reset link for a member; its token is returned once',
    access: 'owner',
    errors: ['conflict', 'too-many-attempts', 'sso-required', 'reauthentication-required'],
    status: 201,
  }),
  listInvitations: route('GET', '/invitations', accounts.listInvitations, {
    summary: 'List open invitations',
    access: 'viewer',
  }),
  createInvitation: route('POST', '/invitations', accounts.createInvitation, {
    summary: 'Create an invitation',
    access: 'owner',
    errors: ['conflict', 'reauthentication-required'],
    status: 201,
  }),
  revealInvitationLink: route(
    'POST',
    '/invitations/:invitation_id/reveal-link',
    accounts.revealInvitationLink,
    {
      summary: 'Read the token of an open invitation again; recorded in the audit log',
      access: 'owner',
      errors: ['conflict', 'reauthentication-required'],
    },
  ),
  resendInvitation: route('POST', '/invitations/:invitation_id/resend', accounts.resendInvitation, {
    summary: 'Send the email of an open invitation again',
    access: 'owner',
    errors: ['conflict'],
    status: 204,
  }),
  revokeInvitation: route('DELETE', '/invitations/:invitation_id', accounts.revokeInvitation, {
    summary: 'Revoke an invitation',
    access: 'owner',
    errors: ['conflict'],
    status: 204,
  }),
};

/** The chat that notices about the team are posted to. */
export const teamChatRoutes = {
  getTeamChat: route('GET', '/team-chat', accounts.getTeamChat, {
    summary: 'Read where notices about your team are posted, and whether they arrive',
    access: 'admin',
  }),
  setTeamChat: route('PATCH', '/team-chat', accounts.setTeamChat, {
    summary: 'Set the chat webhook of your team, or what is posted to it',
    access: 'admin',
    errors: ['conflict', 'reauthentication-required'],
  }),
  removeTeamChat: route('DELETE', '/team-chat', accounts.removeTeamChat, {
    summary: 'Remove the chat webhook of your team',
    access: 'admin',
    errors: ['conflict'],
    status: 204,
  }),
  testTeamChat: route('POST', '/team-chat/test', accounts.testTeamChat, {
    summary: 'Post a test message to the chat of your team',
    access: 'admin',
    errors: ['conflict'],
  }),
};

/** Only owners: these routes decide who can sign in as a member of the team. */
export const singleSignOnRoutes = {
  getSingleSignOn: route('GET', '/single-sign-on', accounts.getSingleSignOn, {
    summary: 'Read the single sign-on settings of your team',
    access: 'owner',
  }),
  setSingleSignOn: route('PUT', '/single-sign-on', accounts.setSingleSignOn, {
    summary: 'Set the identity provider, the role mapping, and whether single sign-on is required',
    access: 'owner',
    errors: ['conflict', 'reauthentication-required'],
  }),
  removeSingleSignOn: route('DELETE', '/single-sign-on', accounts.removeSingleSignOn, {
    summary: 'Turn off single sign-on and remove its settings',
    access: 'owner',
    errors: ['conflict', 'reauthentication-required'],
    status: 204,
  }),
  addSingleSignOnDomain: route('POST', '/single-sign-on/domains', accounts.addSingleSignOnDomain, {
    summary: 'Add an email domain; it must be verified before its members can sign in',
    access: 'owner',
    errors: ['conflict', 'reauthentication-required'],
    status: 201,
  }),
  verifySingleSignOnDomain: route(
    'POST',
    '/single-sign-on/domains/:domain/verify',
    accounts.verifySingleSignOnDomain,
    {
      summary: 'Verify an email domain by its DNS record',
      access: 'owner',
      errors: ['conflict', 'too-many-attempts', 'reauthentication-required'],
    },
  ),
  removeSingleSignOnDomain: route(
    'DELETE',
    '/single-sign-on/domains/:domain',
    accounts.removeSingleSignOnDomain,
    {
      summary: 'Remove an email domain; its members can no longer use single sign-on',
      access: 'owner',
      errors: ['conflict', 'reauthentication-required'],
      status: 204,
    },
  ),
};

export const tokenRoutes = {
  listTokens: route('GET', '/api-tokens', accounts.listTokens, {
    summary:
      'List the API tokens of your team, newest first; without the admin role, those of your own logins',
    access: 'viewer',
  }),
  getToken: route('GET', '/api-tokens/:token_id', accounts.getToken, {
    summary: 'Read an API token; without the admin role, one of your own logins',
    access: 'viewer',
  }),
  createToken: route('POST', '/api-tokens', accounts.createToken, {
    summary:
      'Create an API token; `secret` is returned once. An API token creates others within its own limits, and one of a login creates none',
    access: 'admin',
    errors: ['conflict', 'reauthentication-required'],
    status: 201,
  }),
  rotateToken: route('POST', '/api-tokens/:token_id/rotate', accounts.rotateToken, {
    summary:
      'Rotate an API token; the old token works until the overlap ends, and `secret` is returned once. A token rotates itself with any role',
    access: 'admin',
    errors: ['conflict', 'reauthentication-required'],
    status: 201,
  }),
  revokeToken: route('POST', '/api-tokens/:token_id/revoke', accounts.revokeToken, {
    summary:
      'Revoke an API token and those that it created, permanently; takes effect immediately. Without the admin role, one of your own logins',
    access: 'viewer',
  }),
};
