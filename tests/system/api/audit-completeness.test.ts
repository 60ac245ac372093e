import { parsePublicKey } from '@tollgate/audit-log/keys';
import { splitLines } from '@tollgate/audit-log/split-lines';
import { verifyExport } from '@tollgate/audit-log/verify-export';
import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import type { AdminRoute } from '@tollgate/contracts/admin-api/route';
import {
  ADMIN_ROUTES,
  type AdminRouteName,
  PAYMENTS_CSV_PATH,
  USAGE_CSV_PATH,
} from '@tollgate/contracts/admin-api/routes';
import type { AuditAction, AuditRecord } from '@tollgate/contracts/audit/audit';
import * as audit from '@tollgate/contracts/audit/rpc';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { disableEndpoint } from '@tollgate/contracts/webhooks/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember, TestTeam } from '../../support/platform/test-team.ts';
import type { Scene } from './admin-requests/prepared-request.ts';
import { PREPARE } from './admin-requests/requests.ts';

/**
 * The records that each non-GET route writes into the audit log when it succeeds once. A route fails the test when it
 * is missing here or writes other records, so that every new route requires a decision.
 */
const RECORDS_OF: Record<string, AuditAction[]> = {
  // The platform is already set up.
  setUp: [],
  signIn: ['member.signed_in'],
  // Nobody has signed it.
  createPasskeyChallenge: [],
  signInWithPasskey: ['member.signed_in'],
  // In effect only with the response of the provider.
  startSingleSignOn: [],
  finishSingleSignOn: ['member.joined', 'member.signed_in'],
  // These two read only. They are POSTs so that the token does not appear in an address.
  findInvitation: [],
  findResetLink: [],
  // When the mail is written. The caller proves no identity, so that the actor is the system.
  requestResetLink: ['member.reset_link_created'],
  acceptInvitation: ['member.joined'],
  resetPassword: ['member.password_reset'],
  // The authorization belongs to no team, and takes effect only once a member approves it.
  createDeviceAuthorization: [],
  exchangeDeviceCode: ['token.created'],
  approveDeviceAuthorization: ['login.approved'],
  denyDeviceAuthorization: ['login.denied'],
  revokeSession: ['session.revoked'],
  signOut: ['session.revoked'],
  revokeAllSessions: ['member.sessions_revoked'],
  reauthenticate: ['member.reauthenticated'],
  // Nobody has signed it.
  createReauthenticationChallenge: [],
  updateProfile: ['member.renamed'],
  changeEmail: ['member.email_changed'],
  changePassword: ['member.password_changed'],
  // Not in effect before it is confirmed.
  startTotp: [],
  confirmTotp: ['member.totp_enabled'],
  disableTotp: ['member.totp_disabled'],
  replaceRecoveryCodes: ['member.recovery_codes_replaced'],
  // Not in effect before the new passkey signs the challenge.
  startPasskey: [],
  createPasskey: ['member.passkey_added'],
  renamePasskey: ['member.passkey_renamed'],
  deletePasskey: ['member.passkey_removed'],
  renameTeam: ['team.renamed'],
  // The team has no requirement to end. services/accounts/test/audit.test.ts has one.
  setSecondFactorPolicy: [],
  createTeam: ['invitation.created', 'team.created'],
  changeRole: ['member.role_changed'],
  removeMember: ['member.removed'],
  endMemberSessions: ['member.sessions_revoked'],
  createResetLink: ['member.reset_link_created'],
  createInvitation: ['invitation.created'],
  revealInvitationLink: ['invitation.link_revealed'],
  resendInvitation: ['invitation.resent'],
  revokeInvitation: ['invitation.revoked'],
  setTeamChat: ['team.chat_changed'],
  testTeamChat: ['team.chat_tested'],
  removeTeamChat: ['team.chat_removed'],
  setSingleSignOn: ['team.sso_changed'],
  removeSingleSignOn: ['team.sso_removed'],
  addSingleSignOnDomain: ['team.sso_domain_added'],
  // The domain is verified already. services/accounts/test/audit.test.ts verifies one.
  verifySingleSignOnDomain: [],
  removeSingleSignOnDomain: ['team.sso_domain_removed'],
  createToken: ['token.created'],
  rotateToken: ['token.created', 'token.rotated'],
  revokeToken: ['token.revoked'],
  createApplication: ['application.created'],
  renameApplication: ['application.renamed'],
  setScopes: ['application.scopes_changed'],
  setLimits: ['application.limits_changed'],
  setLabels: ['application.labels_changed'],
  setIdempotencyKeyRequirement: ['application.idempotency_key_requirement_changed'],
  archiveApplication: ['application.archived'],
  restoreApplication: ['application.restored'],
  deleteApplication: ['application.deleted'],
  createKey: ['key.created'],
  updateKey: ['key.updated'],
  rotateKey: ['key.rotated'],
  revokeKey: ['key.revoked'],
  // The key has no leak. tests/system/attacks/secret-scanning.test.ts has one.
  handleLeak: [],
  setLeakedKeyPolicy: ['team.leaked_key_policy_changed'],
  setDataRetention: ['team.data_retention_changed'],
  simulatePayment: ['payment.simulated'],
  settlePayment: ['payment.settled'],
  setApprovalPolicy: ['team.approval_policy_changed'],
  approveSettlement: ['payment.settled', 'payment.settlement_approved'],
  rejectSettlement: ['payment.settlement_rejected'],
  cancelPayment: ['payment.canceled'],
  erasePayment: ['payment.erased'],
  resetSandbox: ['sandbox.reset'],
  resolveDifference: ['payment.difference_resolved'],
  createEndpoint: ['webhook_endpoint.created'],
  updateEndpoint: ['webhook_endpoint.updated'],
  deleteEndpoint: ['webhook_endpoint.deleted'],
  enableEndpoint: ['webhook_endpoint.enabled'],
  disableEndpoint: ['webhook_endpoint.disabled'],
  rotateSecret: ['webhook_endpoint.secret_rotated'],
  revealSecret: ['webhook_endpoint.secret_revealed'],
  // Examines the input and stores nothing.
  checkSignature: [],
  sendTestEvent: ['webhook_endpoint.tested'],
  recoverEndpoint: ['webhook_endpoint.recovered'],
  replayMissing: ['webhook_endpoint.replayed'],
  resendDelivery: ['delivery.resent'],
  resendDeliveries: ['delivery.resent'],
  cancelDelivery: ['delivery.canceled'],
  // Reads the log. The findings are stored separately.
  startVerification: [],
} satisfies Partial<Record<AdminRouteName, AuditAction[]>>;

const CHANGING = (Object.entries(ADMIN_ROUTES) as [AdminRouteName, AdminRoute][]).filter(
  ([, { method }]) => method !== 'GET',
);

/** The environment of routes that work in only one. */
const ENVIRONMENT: Partial<Record<AdminRouteName, Environment>> = { settlePayment: 'live' };

/** The session token of a member whose team's log is read. */
type Reader = string;

let platform: SharedPlatform;
let team: TestTeam;
let owner: TestMember;
let scene: Scene;
/** The expected records by request id; checked again at the end, to detect late records. */
const expected = new Map<string, { title: string; actions: AuditAction[]; reader: Reader }>();

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  owner = team.owner;
  scene = { platform, team, application: await platform.createApplication(team) };
});
afterAll(() => platform?.leave());

/** Routes about the installation are called by its admin. */
function callerOf(name: AdminRouteName): TestMember {
  return name === 'setUp' || name === 'createTeam' ? platform.installationAdmin : owner;
}

async function recordsOf(requestId: string, reader: Reader): Promise<AuditRecord[]> {
  const { body } = await platform.admin.as(reader).call(ADMIN_ROUTES.listRecords, { search: requestId });
  return body.data;
}

const actionsOf = (records: AuditRecord[]) => records.map(({ action }) => action).toSorted();

/** Notes what a request must record. */
function expectLater(title: string, headers: Headers, actions: AuditAction[], reader: Reader): string {
  const requestId = headers.get('x-request-id') ?? '';
  expect(requestId).toMatch(/^req_/);
  expected.set(requestId, { title, actions, reader });
  return requestId;
}

/** Expects exactly these records of the request. */
async function expectRecords(
  title: string,
  headers: Headers,
  actions: AuditAction[],
): Promise<AuditRecord[]> {
  const reader = owner.session;
  const requestId = expectLater(title, headers, actions, reader);
  await eventually(
    `${title} is recorded`,
    async () => (await recordsOf(requestId, reader)).length >= actions.length,
    { timeoutMs: 20_000 },
  ).catch(() => undefined);
  const records = await recordsOf(requestId, reader);
  expect({ title, actions: actionsOf(records) }).toEqual({ title, actions: actions.toSorted() });
  return records;
}

const pageOfRecords = async (more: { cursor?: string }) =>
  (await platform.admin.as(owner.session).call(ADMIN_ROUTES.listRecords, { limit: 100, ...more })).body;

/** The records of the owner's team, by the request that caused them. */
async function ownRecords(): Promise<Map<string | null, AuditRecord[]>> {
  let page = await pageOfRecords({});
  const records = [...page.data];
  while (page.next_cursor !== null) {
    page = await pageOfRecords({ cursor: page.next_cursor });
    records.push(...page.data);
  }
  return Map.groupBy(records, ({ context }) => context.request_id);
}

/** Expects exactly the records of every request so far, and returns them by request. */
async function expectAllRecords(): Promise<Map<string | null, AuditRecord[]>> {
  const wanted = [...expected].filter(([, { reader }]) => reader === owner.session);
  const actionsIn = (records: Map<string | null, AuditRecord[]>) =>
    Object.fromEntries(wanted.map(([id, { title }]) => [title, actionsOf(records.get(id) ?? [])]));
  const declared = Object.fromEntries(wanted.map(([, { title, actions }]) => [title, actions.toSorted()]));
  await expect.poll(async () => actionsIn(await ownRecords()), { timeout: 20_000 }).toEqual(declared);
  const records = await ownRecords();
  for (const [id, { title, actions, reader }] of expected) {
    if (reader === owner.session) continue;
    const recorded = async () => ({ title, actions: actionsOf(await recordsOf(id, reader)) });
    await expect.poll(recorded).toEqual({ title, actions: actions.toSorted() });
    records.set(id, await recordsOf(id, reader));
  }
  return records;
}

describe('every non-GET route', () => {
  it('every non-GET route declares its audit records', () => {
    expect(Object.keys(RECORDS_OF).toSorted()).toEqual(CHANGING.map(([name]) => name).toSorted());
  });

  it.each(CHANGING.map(([name, route]) => ({ name, route })))('$name succeeds', async ({ name, route }) => {
    const environment = ENVIRONMENT[name] ?? 'sandbox';
    const caller = { team, member: owner };
    const { request, session } = await PREPARE[name](scene, { environment, caller });
    if (name === 'enableEndpoint') {
      const { endpoint_id } = request as { endpoint_id: string };
      await owner.call(disableEndpoint, { endpoint_id, reason: 'To be enabled' });
    }
    const ifMatch = route.ifMatch === 'required' ? { ifMatch: '*' as const } : {};
    const own = session ?? callerOf(name).session;
    const response = await platform.admin.as(own).call(route, request as never, ifMatch);
    expect({ name, status: response.status, problem: response.problem?.detail }).toMatchObject({
      status: name === 'setUp' ? 409 : route.status,
    });
    const reader = name === 'createTeam' ? await joinTeam(response.body as never) : callerOf(name).session;
    expectLater(name, response.headers, RECORDS_OF[name] ?? [], reader);
  });

  it('every non-GET route writes exactly its declared records, with the address and the member', async () => {
    const records = await expectAllRecords();
    for (const [name, { access }] of CHANGING) {
      const [id] = [...expected].find(([, { title }]) => title === name) as [string, unknown];
      for (const { actor, context } of records.get(id) ?? []) {
        expect(context.ip, name).not.toBeNull();
        if (access !== 'public') expect(actor.type, name).toBe('member');
      }
    }
  });
});

/** Joins a new team, because only its own members can read its records. */
async function joinTeam({ invitation }: { invitation: { token: string; email: string } }): Promise<Reader> {
  const { token, email } = invitation;
  const password = 'correct horse battery';
  const { status } = await platform.admin
    .as(null)
    .call(ADMIN_ROUTES.acceptInvitation, { token, name: 'First owner', password });
  expect(status).toBe(ADMIN_ROUTES.acceptInvitation.status);
  return platform.signIn(email, password);
}

it('actions of applications record created and canceled payments with the API key and the address of the client, and no replays', async () => {
  const api = apiClient(platform.baseUrl.sandbox, scene.application.keys.sandbox);
  const created = await api.create({ amount: 100, currency: 'EUR', payment_method: 'pm_hold' });
  const [record] = await expectRecords('create', created.headers, ['payment.created']);
  const keyId = record?.actor.id;
  expect(record).toMatchObject({
    environment: 'sandbox',
    actor: { type: 'key', id: expect.stringMatching(/./) },
    target: { type: 'payment', id: created.body.id },
    application_id: scene.application.id,
    context: { ip: '127.0.0.1' },
  });
  const canceled = await api.cancel(created.body.id);
  const [cancellation] = await expectRecords('cancel', canceled.headers, ['payment.canceled']);
  expect(cancellation).toMatchObject({
    actor: { type: 'key', id: keyId },
    target: { id: created.body.id },
    context: { ip: '127.0.0.1' },
  });
  const again = await api.cancel(created.body.id);
  await expectRecords('cancel once more', again.headers, []);
});

it('exports and rejections record exports of payments, of usage, and of the log itself', async () => {
  const ownerApi = platform.admin.as(owner.session);
  const csv = await ownerApi.fetch(`${PAYMENTS_CSV_PATH}?environment=sandbox`);
  await csv.text();
  await expectRecords('payments.csv', csv.headers, ['payments.exported']);
  const day = 'from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&granularity=day';
  const usage = await ownerApi.fetch(`${USAGE_CSV_PATH}?${day}`);
  await usage.text();
  await expectRecords('usage.csv', usage.headers, ['usage.exported']);
  const log = await ownerApi.fetch(`${AUDIT_EXPORT_PATH}?from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z`);
  const { body } = await platform.admin.as(null).call(ADMIN_ROUTES.listPublicKeys, {});
  const publicKeys = body.data.map(({ public_key, version }) => parsePublicKey(public_key, version));
  const result = await verifyExport(splitLines(log.body as AsyncIterable<Uint8Array>), { publicKeys });
  expect(result).toMatchObject({ isIntact: true, findings: [] });
  expect(result.records).toBeGreaterThan(CHANGING.length);
  await expectRecords('audit export', log.headers, ['audit_records.exported']);
});

it('exports and rejections record a failed sign-in as an action of an unauthenticated actor', async () => {
  const { email, id } = await team.createMember('viewer');
  const { status, headers } = await platform.admin
    .as(null)
    .call(ADMIN_ROUTES.signIn, { email, password: 'a wrong password' });
  expect(status).toBe(401);
  const [record] = await expectRecords('failed sign-in', headers, ['member.sign_in_failed']);
  expect(record).toMatchObject({ actor: { type: 'system', id: null }, target: { type: 'member', id } });
});

it('exports and rejections record no request that was denied', async () => {
  const viewer = await team.createMember('viewer');
  const { status, headers } = await platform.admin
    .as(viewer.session)
    .call(ADMIN_ROUTES.createApplication, { name: 'No', scopes: [] });
  expect(status).toBe(403);
  await expectRecords('refused', headers, []);
});

describe('after all requests', () => {
  it('there is exactly one record per action, and the log is intact', async () => {
    await expectAllRecords();
    const { id } = await owner.call(audit.startVerification, {});
    const get = () => owner.call(audit.getVerification, { verification_id: id });
    await eventually('the check has ended', async () => (await get()).status !== 'running');
    expect(await get()).toMatchObject({ status: 'intact', findings: [] });
  });
});
