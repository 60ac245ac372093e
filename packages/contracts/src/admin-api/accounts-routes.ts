import * as accounts from '../rpc/accounts.ts';
import { route } from './route.ts';

/** Without a session. */
export const entryRoutes = {
  getInstallation: route('GET', '/setup', accounts.getInstallation, {
    summary: 'Whether the installation has been set up',
    access: 'public',
  }),
  setUp: route('POST', '/setup', accounts.setUp, {
    summary: 'Make the first team and its owner, once',
    access: 'public',
    status: 201,
  }),
  signIn: route('POST', '/sessions', accounts.signIn, {
    summary: 'Sign in',
    access: 'public',
    status: 201,
  }),
  findInvitation: route('POST', '/invitations/find', accounts.getInvitation, {
    summary: 'Read the invitation of a link',
    access: 'public',
  }),
  acceptInvitation: route('POST', '/invitations/accept', accounts.acceptInvitation, {
    summary: 'Accept an invitation',
    access: 'public',
    status: 201,
  }),
  resetPassword: route('POST', '/password-resets', accounts.resetPassword, {
    summary: 'Set a new password by the link that an owner made',
    access: 'public',
    status: 204,
  }),
};

/** A member's own account. */
export const accountRoutes = {
  listSessions: route('GET', '/sessions', accounts.listSessions, {
    summary: 'List your sessions',
    access: 'viewer',
  }),
  /** `current` as the id is the session of the request: signing out. */
  revokeSession: route('DELETE', '/sessions/:session_id', accounts.revokeSession, {
    summary: 'End one of your sessions, or with `current` sign out',
    access: 'viewer',
    status: 204,
  }),
  revokeAllSessions: route('DELETE', '/sessions', accounts.revokeAllSessions, {
    summary: 'End all your sessions, this one included',
    access: 'viewer',
    status: 204,
  }),
  getMe: route('GET', '/me', accounts.getMe, { summary: 'Read your account', access: 'viewer' }),
  updateProfile: route('PATCH', '/me', accounts.updateProfile, {
    summary: 'Change your name',
    access: 'viewer',
  }),
  changePassword: route('PUT', '/me/password', accounts.changePassword, {
    summary: 'Change your password; ends your other sessions',
    access: 'viewer',
    status: 204,
  }),
  startTotp: route('POST', '/me/totp', accounts.startTotp, {
    summary: 'Begin to enrol an authenticator app',
    access: 'viewer',
    status: 201,
  }),
  confirmTotp: route('POST', '/me/totp/confirm', accounts.confirmTotp, {
    summary: 'Turn the second factor on with a first code; answers the recovery codes, this once',
    access: 'viewer',
  }),
  disableTotp: route('POST', '/me/totp/disable', accounts.disableTotp, {
    summary: 'Turn the second factor off',
    access: 'viewer',
    status: 204,
  }),
  replaceRecoveryCodes: route('POST', '/me/totp/recovery-codes', accounts.replaceRecoveryCodes, {
    summary: 'Make new recovery codes; the old ones end',
    access: 'viewer',
  }),
};

export const teamRoutes = {
  getTeam: route('GET', '/teams/:team_id', accounts.getTeam, { summary: 'Read your team', access: 'viewer' }),
  renameTeam: route('PATCH', '/teams/:team_id', accounts.renameTeam, {
    summary: 'Rename your team',
    access: 'admin',
  }),
  createTeam: route('POST', '/teams', accounts.createTeam, {
    summary: 'Make a further team, with an invitation for its first owner',
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
  }),
  removeMember: route('DELETE', '/members/:member_id', accounts.removeMember, {
    summary: 'Remove a member from the team',
    access: 'owner',
    status: 204,
  }),
  createResetLink: route('POST', '/members/:member_id/reset-link', accounts.createResetLink, {
    summary: 'Make a link by which a member sets a new password; its token is shown this once',
    access: 'owner',
    status: 201,
  }),
  listInvitations: route('GET', '/invitations', accounts.listInvitations, {
    summary: 'List open invitations',
    access: 'viewer',
  }),
  createInvitation: route('POST', '/invitations', accounts.createInvitation, {
    summary: 'Invite somebody; the token of the link is shown this once',
    access: 'owner',
    status: 201,
  }),
  revokeInvitation: route('DELETE', '/invitations/:invitation_id', accounts.revokeInvitation, {
    summary: 'Revoke an invitation',
    access: 'owner',
    status: 204,
  }),
};
