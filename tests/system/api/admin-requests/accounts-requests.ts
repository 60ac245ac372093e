import { randomBytes } from 'node:crypto';
import { API_TOKEN_ROLES } from '@tollgate/contracts/accounts/api-token';
import * as accounts from '@tollgate/contracts/accounts/rpc';
import type { accountRoutes } from '@tollgate/contracts/admin-api/accounts-routes';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '@tollgate/test-kit/software-authenticator';
import { logIn, startLogin } from '../../../support/platform/program-login.ts';
import type { SharedPlatform } from '../../../support/platform/shared-platform.ts';
import {
  newDomain,
  providerOf,
  setUpSingleSignOn,
  singleSignOnSettings,
} from '../../../support/platform/single-sign-on.ts';
import type { TestMember, TestTeam } from '../../../support/platform/test-team.ts';
import { totpCode } from '../../../support/platform/totp.ts';
import { createApiToken } from './create-api-token.ts';
import { type Caller, plain, type Requests, type Scene } from './prepared-request.ts';

const NEW_PASSWORD = 'another correct horse battery';
/** Nothing listens there. */
const CHAT_URL = 'http://127.0.0.1:9/hooks/secret';
const newEmail = () => `${randomBytes(6).toString('hex')}@example.com`;

/** A request about the caller's own account. It changes the account, so another member with the same role sends it. */
const ofOwnAccount =
  <Request>(prepare: (member: TestMember) => Promise<Request> | Request) =>
  async (_scene: Scene, { caller }: { caller: Caller }) => {
    const member = await caller.team.createMember(caller.member.role);
    return { request: await prepare(member), session: member.session };
  };

const ofStartedLogin =
  <More extends object>(more: More) =>
  async ({ platform }: Scene) => ({
    request: { user_code: (await startLogin(platform)).user_code, ...more },
  });

const ofOtherMember =
  <More extends object>(more: More) =>
  async ({ team }: Scene) => ({ request: { member_id: (await team.createMember('viewer')).id, ...more } });

/** Another caller may have removed it. */
const ofTeamWithChat = async ({ team }: Scene) => {
  await team.owner.call(accounts.setTeamChat, { url: CHAT_URL });
  return { request: {} };
};

/**
 * A request about the token of a login, which its member may read and revoke with any role. A member has few logins, so
 * another one with the same role sends it.
 */
const ofOwnLogin = async ({ platform }: Scene, { caller }: { caller: Caller }) => {
  const member = await caller.team.createMember(caller.member.role);
  const { api_token } = await logIn(platform, member);
  return { request: { token_id: api_token.id }, session: member.session };
};

export const accountRequests: Requests<typeof accountRoutes> = {
  getInstallation: plain({}),
  setUp: async ({ platform }) => ({
    request: {
      token: platform.setupToken,
      email: newEmail(),
      name: 'Late',
      password: NEW_PASSWORD,
      team_name: 'Too late',
    },
  }),
  signIn: async ({ team }) => ({ request: { email: team.owner.email, password: team.owner.password } }),
  startSingleSignOn: async ({ platform, team }) => {
    const { domain } = await setUpSingleSignOn(platform, team);
    return { request: { email: `ada@${domain}` } };
  },
  finishSingleSignOn: async ({ platform, team }) => {
    const { domain, provider } = await setUpSingleSignOn(platform, team);
    const email = `ada@${domain}`;
    provider.addPerson({ sub: email, email, email_verified: true, name: 'Ada' });
    const { body } = await platform.admin.as(null).call(ADMIN_ROUTES.startSingleSignOn, { email });
    const callback = await provider.signIn(body.authorization_url, email);
    const response = callback.search.slice(1);
    return { request: { team_id: team.id, browser_token: body.browser_token, response } };
  },
  createPasskeyChallenge: plain({}),
  signInWithPasskey: async ({ platform, team }) => {
    const device = await deviceOf(platform, team);
    const { body } = await platform.admin.as(null).call(ADMIN_ROUTES.createPasskeyChallenge, {});
    return { request: { passkey: device.sign(body.options) } };
  },
  findInvitation: async ({ team }) => ({ request: { token: shownOnce((await invite(team)).token) } }),
  acceptInvitation: async ({ team }) => ({
    request: { token: shownOnce((await invite(team)).token), name: 'Ada', password: NEW_PASSWORD },
  }),
  requestResetLink: async ({ team }) => ({ request: { email: (await team.createMember('viewer')).email } }),
  findResetLink: async ({ team }) => {
    const { id } = await team.createMember('viewer');
    const { token } = await team.owner.call(accounts.createResetLink, { member_id: id });
    return { request: { token: shownOnce(token) } };
  },
  resetPassword: async ({ team }) => {
    const { id } = await team.createMember('viewer');
    const { token } = await team.owner.call(accounts.createResetLink, { member_id: id });
    return { request: { token: shownOnce(token), password: NEW_PASSWORD } };
  },
  createDeviceAuthorization: plain({ client_name: 'tollgate on laptop' }),
  exchangeDeviceCode: async ({ platform, team }) => {
    const { device_code, user_code } = await startLogin(platform);
    await team.owner.call(accounts.approveDeviceAuthorization, { user_code, role: 'viewer' });
    return { request: { device_code } };
  },

  listDeviceAuthorizations: plain({}),
  getDeviceAuthorization: ofStartedLogin({}),
  approveDeviceAuthorization: ofStartedLogin({ role: 'viewer' as const }),
  denyDeviceAuthorization: ofStartedLogin({}),

  listSessions: plain({}),
  revokeSession: async ({ platform }, { caller }) => {
    const session = await platform.signIn(caller.member.email, caller.member.password);
    const { body } = await platform.admin.as(session).call(ADMIN_ROUTES.listSessions, {});
    return { request: { session_id: body.data.find(({ is_current }) => is_current)?.id ?? '' }, session };
  },
  signOut: async (_scene, { caller: { team, member } }) => {
    const tokenRole = API_TOKEN_ROLES.find((role) => role === member.role);
    return {
      request: {},
      session: (await team.createMember(member.role)).session,
      ...(tokenRole && { apiToken: await createApiToken(team, { role: tokenRole }) }),
    };
  },
  revokeAllSessions: ofOwnAccount(() => ({})),
  reauthenticate: ofOwnAccount(({ password }) => ({ current_password: password })),
  createReauthenticationChallenge: async ({ platform }, { caller }) => {
    const member = await caller.team.createMember(caller.member.role);
    await createPasskey(platform, member);
    return { request: {}, session: member.session };
  },
  getMe: plain({}),
  updateProfile: ofOwnAccount(() => ({ name: 'Renamed' })),
  changeEmail: ofOwnAccount(({ password }) => ({ current_password: password, email: newEmail() })),
  changePassword: ofOwnAccount(({ password }) => ({
    current_password: password,
    new_password: NEW_PASSWORD,
  })),
  startTotp: ofOwnAccount(({ password }) => ({ current_password: password })),
  confirmTotp: ofOwnAccount(async (member) => ({ totp: await startTotp(member) })),
  disableTotp: ofOwnAccount(async (member) => {
    await member.call(accounts.confirmTotp, { totp: await startTotp(member) });
    return { current_password: member.password };
  }),
  replaceRecoveryCodes: ofOwnAccount(async (member) => {
    await member.call(accounts.confirmTotp, { totp: await startTotp(member) });
    return { current_password: member.password };
  }),
  listPasskeys: plain({}),
  startPasskey: ofOwnAccount(({ password }) => ({ current_password: password })),
  createPasskey: async ({ platform }, { caller }) => {
    const member = await caller.team.createMember(caller.member.role);
    return { request: await newPasskey(platform, member), session: member.session };
  },
  renamePasskey: async ({ platform }, { caller }) => {
    const member = await caller.team.createMember(caller.member.role);
    const passkey_id = await createPasskey(platform, member);
    return { request: { passkey_id, name: 'Renamed' }, session: member.session };
  },
  deletePasskey: async ({ platform }, { caller }) => {
    const member = await caller.team.createMember(caller.member.role);
    const passkey_id = await createPasskey(platform, member);
    return { request: { passkey_id, current_password: member.password }, session: member.session };
  },

  getTeam: async ({ team }) => ({ request: { team_id: team.id } }),
  renameTeam: async ({ team }) => ({ request: { team_id: team.id, name: 'Renamed' } }),
  setSecondFactorPolicy: async ({ team }) => ({
    request: { team_id: team.id, grace_period_days: null },
  }),
  createTeam: async () => ({ request: { name: 'Further', owner_email: newEmail() } }),
  listMembers: plain({}),
  changeRole: ofOtherMember({ role: 'developer' as const }),
  removeMember: ofOtherMember({}),
  endMemberSessions: ofOtherMember({}),
  createResetLink: ofOtherMember({}),
  listInvitations: plain({}),
  createInvitation: async () => ({ request: { email: newEmail(), role: 'viewer' } }),
  revealInvitationLink: async ({ team }) => ({ request: { invitation_id: (await invite(team)).id } }),
  resendInvitation: async ({ team }) => ({ request: { invitation_id: (await invite(team)).id } }),
  revokeInvitation: async ({ team }) => ({ request: { invitation_id: (await invite(team)).id } }),

  getTeamChat: plain({}),
  setTeamChat: plain({ url: CHAT_URL }),
  removeTeamChat: ofTeamWithChat,
  testTeamChat: ofTeamWithChat,

  getSingleSignOn: plain({}),
  setSingleSignOn: async ({ team }) => ({ request: singleSignOnSettings(await providerOf(team)) }),
  removeSingleSignOn: async ({ platform, team }) => {
    await setUpSingleSignOn(platform, team);
    return { request: {} };
  },
  addSingleSignOnDomain: async () => ({ request: { domain: newDomain() } }),
  // Verifying again changes nothing.
  verifySingleSignOnDomain: async ({ platform, team }) => ({
    request: { domain: (await setUpSingleSignOn(platform, team)).domain },
  }),
  removeSingleSignOnDomain: async ({ platform, team }) => ({
    request: { domain: (await setUpSingleSignOn(platform, team)).domain },
  }),

  listTokens: plain({}),
  getToken: ofOwnLogin,
  createToken: plain({ name: 'Deployment', role: 'viewer' as const }),
  rotateToken: async ({ team }) => {
    const { id } = await team.owner.call(accounts.createToken, { name: 'Deployment', role: 'viewer' });
    return { request: { token_id: id, overlap_s: 60 } };
  },
  revokeToken: ofOwnLogin,
};

async function invite(team: TestTeam) {
  return team.owner.call(accounts.createInvitation, { email: newEmail(), role: 'viewer' });
}

async function startTotp({ call, password }: TestMember): Promise<string> {
  return totpCode((await call(accounts.startTotp, { current_password: password })).secret);
}

/** A passkey that signed the member's challenge. */
async function newPasskey(
  { dashboardUrl }: SharedPlatform,
  { call, password }: TestMember,
  device = createSoftwareAuthenticator(dashboardUrl),
) {
  const { options } = await call(accounts.startPasskey, { current_password: password });
  return { name: 'Laptop', credential: device.create(options) };
}

/** @returns the id of the passkey */
async function createPasskey(
  platform: SharedPlatform,
  member: TestMember,
  device?: SoftwareAuthenticator,
): Promise<string> {
  const request = await newPasskey(platform, member, device);
  return (await member.call(accounts.createPasskey, request)).passkey.id;
}

const devices = new Map<string, Promise<SoftwareAuthenticator>>();

/** The device of one member of the team, which has a limited number of members. */
function deviceOf(platform: SharedPlatform, team: TestTeam): Promise<SoftwareAuthenticator> {
  const device = devices.get(team.id) ?? newDevice(platform, team);
  devices.set(team.id, device);
  return device;
}

async function newDevice(platform: SharedPlatform, team: TestTeam): Promise<SoftwareAuthenticator> {
  const device = createSoftwareAuthenticator(platform.dashboardUrl);
  await createPasskey(platform, await team.createMember('viewer'), device);
  return device;
}
