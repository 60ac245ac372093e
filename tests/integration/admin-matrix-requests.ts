import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import type { AdminRouteName } from '@tollgate/contracts/admin-api/routes';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { ApiTokenRole } from '@tollgate/contracts/api-token';
import type { Environment } from '@tollgate/contracts/environment';
import * as accounts from '@tollgate/contracts/rpc/accounts';
import * as applications from '@tollgate/contracts/rpc/applications';
import * as audit from '@tollgate/contracts/rpc/audit';
import * as payments from '@tollgate/contracts/rpc/payments';
import * as usage from '@tollgate/contracts/rpc/usage';
import * as webhooks from '@tollgate/contracts/rpc/webhooks';
import { SCOPE_NAMES } from '@tollgate/contracts/scopes';
import { shownOnce } from '@tollgate/contracts/shown-once';
import { eventually } from '@tollgate/test-kit/eventually';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '@tollgate/test-kit/software-authenticator';
import { apiClient } from '../api-client.ts';
import { logIn, startLogin } from '../platform/program-login.ts';
import type { SharedPlatform } from '../platform/shared-platform.ts';
import {
  newDomain,
  providerOf,
  setUpSingleSignOn,
  singleSignOnSettings,
} from '../platform/single-sign-on.ts';
import { COMPARED_PROCESSOR, storeComparison, storeDifference } from '../platform/stored-differences.ts';
import type { TestApplication } from '../platform/test-application.ts';
import type { TestMember, TestTeam } from '../platform/test-team.ts';
import { totpCode } from '../platform/totp.ts';

/** The resources that requests refer to. */
export interface Scene {
  platform: SharedPlatform;
  team: TestTeam;
  /** The application of the team, whose keys create payments. */
  application: TestApplication;
}

export interface Caller {
  team: TestTeam;
  member: TestMember;
}

/** A request that succeeds when the caller's role allows it: each preparation creates its own resources. */
export interface Prepared<Request = object> {
  request: Request;
  /** Replaces the caller's own session when the request would end that. */
  session?: string;
  /** Replaces the caller's own API token. */
  apiToken?: string;
}

type Prepare<Name extends AdminRouteName> = (
  scene: Scene,
  at: { environment: Environment; caller: Caller },
) => Promise<Prepared<RouteRequest<(typeof ADMIN_ROUTES)[Name]>>>;

const LONG_AGO = '2020-01-01T00:00:00Z';
const A_DAY = {
  from: new Date(Date.now() - 24 * 3_600_000).toISOString(),
  to: new Date().toISOString(),
};
const NEW_PASSWORD = 'another correct horse battery';
/** Nothing listens there. */
const CHAT_URL = 'http://127.0.0.1:9/hooks/secret';
const newEmail = () => `${randomBytes(6).toString('hex')}@example.com`;

/** A request that needs no preparation. */
const plain =
  <Request>(request: Request) =>
  async () => ({ request });

/** @returns the credential */
export async function createApiToken(
  { owner }: TestTeam,
  fields: { role: ApiTokenRole; environments?: Environment[] },
): Promise<string> {
  return shownOnce((await owner.call(accounts.createToken, { name: 'Matrix', ...fields })).secret);
}

/** A request about the caller's own account. It changes the account, so another member with the same role sends it. */
const ofOwnAccount =
  <Request>(prepare: (member: TestMember) => Promise<Request> | Request) =>
  async (_scene: Scene, { caller }: { caller: Caller }) => {
    const member = await caller.team.createMember(caller.member.role);
    return { request: await prepare(member), session: member.session };
  };

const ofPayment =
  <More extends object>(more: More) =>
  async (scene: Scene, { environment }: { environment: Environment }) => ({
    request: { payment_id: await createPayment(scene, environment), ...more },
  });

/** A request about an application with a key of the environment: only an application with live keys affects live. */
const ofApplication =
  <More extends object>(more: More) =>
  async (scene: Scene, { environment }: { environment: Environment }) => ({
    request: { application_id: (await createTestKey(scene, environment)).application_id, ...more },
  });

const ofKey =
  <More extends object>(more: More) =>
  async (scene: Scene, { environment }: { environment: Environment }) => ({
    request: { key_id: (await createTestKey(scene, environment)).id, ...more },
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

const ofStartedLogin =
  <More extends object>(more: More) =>
  async ({ platform }: Scene) => ({
    request: { user_code: (await startLogin(platform)).user_code, ...more },
  });

const ofEndpoint =
  <More extends object>(more: More) =>
  async (scene: Scene, { environment }: { environment: Environment }) => ({
    request: { endpoint_id: (await createTestEndpoint(scene, environment)).id, ...more },
  });

const ofDelivery =
  <More extends object>(more: More) =>
  async (scene: Scene, { environment }: { environment: Environment }) => ({
    request: { delivery_id: (await createDelivery(scene, environment)).id, ...more },
  });

/** A request for every route of the table. A missing route fails the matrix. */
export const PREPARE: { [Name in AdminRouteName]: Prepare<Name> } = {
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
  createPasskeyChallenge: plain({}),
  signInWithPasskey: async ({ platform, team }) => {
    const device = await deviceOf(platform, team);
    const { body } = await platform.admin.as(null).call(ADMIN_ROUTES.createPasskeyChallenge, {});
    return { request: { passkey: device.sign(body.options) } };
  },
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
  getDeviceAuthorization: ofStartedLogin({}),
  approveDeviceAuthorization: ofStartedLogin({ role: 'viewer' as const }),
  denyDeviceAuthorization: ofStartedLogin({}),

  listSessions: plain({}),
  revokeSession: async ({ platform }, { caller }) => {
    const session = await platform.signIn(caller.member.email, caller.member.password);
    const { body } = await platform.admin.as(session).call(ADMIN_ROUTES.listSessions, {});
    return { request: { session_id: body.data.find(({ is_current }) => is_current)?.id ?? '' }, session };
  },
  signOut: async (_scene, { caller: { team, member } }) => ({
    request: {},
    session: (await team.createMember(member.role)).session,
    ...(member.role !== 'owner' && { apiToken: await createApiToken(team, { role: member.role }) }),
  }),
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
  listMessageTemplates: plain({}),
  previewMessage: plain({ template_id: 'invitation' }),
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
  revokeToken: ofOwnLogin,

  listApplications: plain({}),
  createApplication: plain({ name: 'Made', scopes: SCOPE_NAMES }),
  getApplication: ofApplication({}),
  renameApplication: ofApplication({ name: 'Renamed' }),
  setScopes: ofApplication({ scopes: SCOPE_NAMES.slice(0, 1) }),
  setLimits: ofApplication({
    limits: {
      live: { requests_per_second: 1, burst: 2 },
      sandbox: { requests_per_second: 1, burst: 2 },
    },
  }),
  setLabels: ofApplication({ labels: { env: 'prod' } }),
  setIdempotencyKeyRequirement: async (scene, at) => {
    const { request } = await ofApplication({})(scene, at);
    const changed = { live: at.environment === 'sandbox', sandbox: at.environment === 'sandbox' };
    return { request: { ...request, require_idempotency_key: changed } };
  },
  archiveApplication: ofApplication({}),
  restoreApplication: async (scene, { environment }) => {
    const { application_id } = await createTestKey(scene, environment);
    await scene.team.owner.call(applications.archiveApplication, { application_id });
    return { request: { application_id } };
  },
  listKeys: ofApplication({}),
  listTeamKeys: plain({ status: 'active' as const }),
  createKey: async (scene, at) => {
    const { request } = await ofApplication({})(scene, at);
    return { request: { ...request, name: 'Made', environment: at.environment } };
  },
  getKey: ofKey({}),
  updateKey: ofKey({ name: 'Renamed' }),
  rotateKey: ofKey({ overlap_s: 60 }),
  revokeKey: ofKey({}),
  handleLeak: ofKey({}),
  getLeakedKeyPolicy: plain({}),
  setLeakedKeyPolicy: plain({ policy: 'flag' as const }),

  getDataRetention: plain({}),
  setDataRetention: plain({ days: 3_650 }),

  listPayments: plain({}),
  summarizePayments: async (_scene, { environment }) => ({ request: { environment } }),
  totalPayments: async (_scene, { environment }) => ({ request: { environment } }),
  getPayment: ofPayment({}),
  getTimeline: ofPayment({}),
  listProcessorCalls: ofPayment({}),
  listProcessors: async (_scene, { environment }) => ({ request: { environment } }),
  getReconciliation: async ({ platform }, { environment }) => {
    await storeComparison(platform);
    return { request: { name: COMPARED_PROCESSOR, environment } };
  },
  resolveDifference: async (scene, { environment }) => {
    const { request } = await ofPayment({ note: 'Refunded at the processor' })(scene, { environment });
    const { platform, team, application } = scene;
    await storeDifference(platform, {
      teamId: team.id,
      applicationId: application.id,
      environment,
      paymentId: request.payment_id,
    });
    return { request };
  },
  simulatePayment: ofPayment({ outcome: { status: 'succeeded' as const } }),
  settlePayment: ofPayment({ outcome: { status: 'succeeded' as const } }),
  getApprovalPolicy: plain({}),
  setApprovalPolicy: async () => ({
    request: { thresholds: [...APPROVED_BY_TWO, { currency: 'USD', amount: randomInt(1_000_000) }] },
  }),
  listApprovalRequests: plain({ status: 'open' as const }),
  approveSettlement: ofApprovalRequest,
  rejectSettlement: ofApprovalRequest,
  cancelPayment: ofPayment({ cancellation_reason: 'duplicate' as const }),
  erasePayment: async (scene, { environment }) => ({
    request: { payment_id: await createCanceledPayment(scene, environment) },
  }),
  resetSandbox: plain({}),
  getSandboxReset: async (_scene, { caller }) => {
    await caller.team.owner.call(payments.resetSandbox, {});
    return { request: {} };
  },

  listEndpoints: plain({}),
  createEndpoint: async (scene, { environment }) => {
    const { id } = await createTestApplication(scene);
    return { request: newEndpoint(id, environment) };
  },
  getEndpoint: ofEndpoint({}),
  updateEndpoint: ofEndpoint({ description: 'Changed' }),
  deleteEndpoint: ofEndpoint({}),
  getEndpointHealth: ofEndpoint({}),
  enableEndpoint: ofEndpoint({}),
  disableEndpoint: ofEndpoint({ reason: 'Asked for' }),
  rotateSecret: ofEndpoint({ overlap_s: 60 }),
  revealSecret: ofEndpoint({}),
  checkSignature: ofEndpoint({ webhook_id: '', webhook_timestamp: '', webhook_signature: '', body: '' }),
  sendTestEvent: ofEndpoint({ event_type: 'payment.created' as const }),
  recoverEndpoint: ofEndpoint({ since: LONG_AGO }),
  replayMissing: ofEndpoint({ since: LONG_AGO }),

  listEventTypes: plain({}),
  listEvents: plain({}),
  getEvent: async (scene, { environment }) => ({
    request: { event_id: (await createDelivery(scene, environment)).event_id },
  }),
  listDeliveries: plain({}),
  getDelivery: ofDelivery({}),
  getAttempt: async (scene, { environment }) => {
    const { id } = await createDelivery(scene, environment);
    return { request: { delivery_id: id, attempt_id: await firstAttempt(scene, id) } };
  },
  resendDelivery: ofDelivery({}),
  cancelDelivery: ofDelivery({}),

  queryUsage: plain({ ...A_DAY, granularity: 'hour' as const, group_by: 'application,key' }),
  totalUsage: plain({ ...A_DAY, granularity: 'hour' as const, group_by: 'application,key' }),
  keyUses: async ({ application }) => ({ request: { application_id: application.id } }),
  usageProgress: plain({}),
  listRequests: async (_scene, { environment }) => ({ request: { environment } }),
  getRequest: async (scene, { environment }) => ({
    request: { request_id: await findRequestId(scene, environment) },
  }),

  listRecords: plain({}),
  getRecord: async (scene) => ({ request: { record_id: (await findRecord(scene)).id } }),
  proveInclusion: async (scene) => ({
    request: { record_id: (await findRecord(scene, { isUnderHead: true })).id },
  }),
  listHeads: plain({}),
  // The path contains no id: each caller requests the signed tree heads of their own team.
  proveConsistency: async (_scene, { caller }) => {
    await findRecord(caller, { isUnderHead: true });
    return { request: { from_number: 1, to_number: 1 } };
  },
  startVerification: plain({}),
  latestVerification: plain({}),
  getVerification: async ({ team }) => ({
    request: { verification_id: (await team.owner.call(audit.startVerification, {})).id },
  }),
  recordExport: plain({ of: 'usage' as const, environment: null, filters: {} }),
  listPublicKeys: plain({}),
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

function createTestApplication({ team }: Scene) {
  return team.owner.call(applications.createApplication, { name: 'Asked for', scopes: SCOPE_NAMES });
}

/**
 * No server at the URL has a trusted certificate: a delivery is attempted, fails, and stays pending. The port is the
 * other one that live endpoints may have: receivers of other test files listen on 8443.
 */
function newEndpoint(applicationId: string, environment: Environment) {
  return {
    application_id: applicationId,
    environment,
    url: 'https://127.0.0.1/hook',
    event_types: ['payment.created' as const],
  };
}

async function createTestEndpoint(scene: Scene, environment: Environment) {
  const { id } = await createTestApplication(scene);
  return scene.team.owner.call(webhooks.createEndpoint, newEndpoint(id, environment));
}

async function createDelivery(scene: Scene, environment: Environment) {
  const { id } = await createTestEndpoint(scene, environment);
  return scene.team.owner.call(webhooks.sendTestEvent, { endpoint_id: id, event_type: 'payment.created' });
}

async function firstAttempt({ team }: Scene, delivery_id: string): Promise<string> {
  const log = async () => (await team.owner.call(webhooks.getDelivery, { delivery_id })).attempt_log;
  await eventually('an attempt is recorded', async () => (await log()).length > 0);
  return (await log())[0]?.id ?? '';
}

async function createTestKey(scene: Scene, environment: Environment) {
  const { call } = scene.team.owner;
  const { id } = await createTestApplication(scene);
  return call(applications.createKey, { application_id: id, name: 'Asked for', environment });
}

/** Creates a payment that stays pending until a test settles it. */
async function createPayment(
  { platform, application }: Scene,
  environment: Environment,
  currency = 'EUR',
): Promise<string> {
  const api = apiClient(platform.baseUrl[environment], application.keys[environment]);
  const payment = { amount: 100, currency, payment_method: 'pm_hold' };
  const { status, body } = await api.create(payment, randomUUID());
  if (status !== 201) throw new Error(`A payment could not be made: ${JSON.stringify(body)}`);
  return body.id;
}

/** Settlements in a currency that no other request here uses need a second member. */
const APPROVED_BY_TWO = [{ currency: 'JPY', amount: 0 }];

/** A live payment whose settlement a member who calls nothing else has requested. */
async function ofApprovalRequest(scene: Scene) {
  const requester = await scene.team.createMember('admin');
  await requester.call(payments.setApprovalPolicy, { thresholds: APPROVED_BY_TWO });
  const payment_id = await createPayment(scene, 'live', 'JPY');
  const outcome = { status: 'succeeded' as const };
  const { approval_request } = await requester.call(payments.settlePayment, { payment_id, outcome });
  return { request: { approval_request_id: approval_request?.id ?? '' } };
}

async function createCanceledPayment(scene: Scene, environment: Environment): Promise<string> {
  const { platform, application } = scene;
  const paymentId = await createPayment(scene, environment);
  await apiClient(platform.baseUrl[environment], application.keys[environment]).cancel(paymentId);
  return paymentId;
}

/** The team's first record: a verification that runs soon after covers it with a signed tree head. */
async function findRecord({ team }: Pick<Scene, 'team'>, { isUnderHead = false } = {}) {
  const list = async () => (await team.owner.call(audit.listRecords, { action: 'team.created' })).data;
  await eventually('the team has a record', async () => (await list()).length > 0);
  if (isUnderHead) {
    const heads = async () => (await team.owner.call(audit.listHeads, {})).data;
    if ((await heads()).length === 0) await team.owner.call(audit.startVerification, {});
    await eventually('there is a head', async () => (await heads()).length > 0);
  }
  const [record] = await list();
  if (!record) throw new Error('The record has gone.');
  return record;
}

/** A request in the log, which appears there a moment after its response. */
async function findRequestId(scene: Scene, environment: Environment): Promise<string> {
  const paymentId = await createPayment(scene, environment);
  const list = () =>
    scene.team.owner.call(usage.listRequests, { environment, payment_id: paymentId, limit: 1 });
  await eventually('the request is logged', async () => (await list()).data.length > 0, {
    timeoutMs: 30_000,
  });
  return (await list()).data[0]?.id as string;
}
