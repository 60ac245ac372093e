import { rejection } from '@tollgate/bus/test/rejection';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { type Access, type AdminRoute, roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { newId } from '@tollgate/contracts/platform/ids';
import { ROLES } from '@tollgate/contracts/platform/roles';
import type { RpcContract } from '@tollgate/contracts/platform/rpc-contract';
import {
  type IdentityProvider,
  startIdentityProvider,
} from '@tollgate/test-kit/identity-provider/identity-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addMember,
  createTeamWithOwner,
  type Harness,
  newEmail,
  ORIGIN,
  type Person,
  setUpFounder,
  signedIn,
  startHarness,
} from './harness.ts';

/** The resources of one team that a call may name. */
interface Subject {
  owner: Person;
  member: Person;
  invitationId: string;
  tokenId: string;
  /** The domain for single sign-on. Its DNS record exists. */
  domain: string;
}

type Call = (actor: Actor, subject: Subject) => Promise<unknown>;

/** Nothing listens at these ports. */
const ENV = {
  CHAT_ALLOW_PRIVATE_NETWORKS: 'true',
  SSO_ALLOW_PRIVATE_NETWORKS: 'true',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'tollgate@example.com',
};
const CHAT_URL = 'http://127.0.0.1:9/hooks/secret';

let harness: Harness;
let provider: IdentityProvider;
let founder: Person;
/** TXT records by name. */
const records = new Map<string, string[]>();

beforeAll(async () => {
  harness = await startHarness();
  provider = await startIdentityProvider({ redirectUris: [], claimsInIdToken: true });
  await harness.startService({
    env: ENV,
    deps: {
      domainProofs: {
        lookUpTxt: async (name) => records.get(name) ?? [],
        operatorDomains: new Map(),
      },
    },
  });
  founder = await setUpFounder(harness);
});
afterAll(async () => {
  await harness.stop();
  await provider.stop();
});

const contracts = Object.values(contract) as RpcContract[];
/** `own_token` is for API tokens only. */
const methods = contracts
  .flatMap(({ method, caller }) => (caller === 'service' || method === 'own_token' ? [] : [method]))
  .sort();

/** Calls about the caller's own account: available to every role, and only for that account. */
const OWN_ACCOUNT = [
  'change_email',
  'change_password',
  'confirm_totp',
  'create_passkey',
  'create_reauthentication_challenge',
  'delete_passkey',
  'disable_totp',
  'list_passkeys',
  'list_sessions',
  'me',
  'reauthenticate',
  'rename_passkey',
  'replace_recovery_codes',
  'revoke_all_sessions',
  'revoke_session',
  'sign_out',
  'start_passkey',
  'start_totp',
  'update_profile',
];

const LEAST_ROLE: Record<string, Access> = {
  list_device_authorizations: 'viewer',
  get_device_authorization: 'viewer',
  approve_device_authorization: 'viewer',
  deny_device_authorization: 'viewer',
  get_team: 'viewer',
  list_members: 'viewer',
  list_invitations: 'viewer',
  rename_team: 'admin',
  get_team_chat: { toRead: 'admin' },
  set_team_chat: 'admin',
  remove_team_chat: 'admin',
  test_team_chat: 'admin',
  set_second_factor_policy: 'owner',
  change_role: 'owner',
  remove_member: 'owner',
  end_member_sessions: 'admin',
  create_reset_link: 'owner',
  create_invitation: 'owner',
  reveal_invitation_link: 'owner',
  resend_invitation: 'owner',
  revoke_invitation: 'owner',
  single_sign_on: { toRead: 'owner' },
  set_single_sign_on: 'owner',
  remove_single_sign_on: 'owner',
  add_single_sign_on_domain: 'owner',
  verify_single_sign_on_domain: 'owner',
  remove_single_sign_on_domain: 'owner',
  list_tokens: 'viewer',
  // Tokens of the team. Those of the member's own logins are in logins.test.ts.
  get_token: { toRead: 'admin' },
  create_token: 'admin',
  rotate_token: 'admin',
  revoke_token: 'admin',
  create_team: 'installation-admin',
};

/** One valid call of every method that concerns the team. Called in this order, each finds the resource that it needs. */
const CALLS: Record<string, Call> = {
  list_device_authorizations: (actor) => harness.call(actor, contract.listDeviceAuthorizations, {}),
  get_device_authorization: async (actor) =>
    harness.call(actor, contract.getDeviceAuthorization, { user_code: await newUserCode() }),
  approve_device_authorization: async (actor) =>
    harness.call(actor, contract.approveDeviceAuthorization, {
      user_code: await newUserCode(),
      role: 'viewer',
    }),
  deny_device_authorization: async (actor) =>
    harness.call(actor, contract.denyDeviceAuthorization, { user_code: await newUserCode() }),
  get_team: (actor, { owner }) => harness.call(actor, contract.getTeam, { team_id: owner.actor.team_id }),
  list_members: (actor) => harness.call(actor, contract.listMembers, {}),
  list_invitations: (actor) => harness.call(actor, contract.listInvitations, {}),
  rename_team: (actor, { owner }) =>
    harness.call(actor, contract.renameTeam, { team_id: owner.actor.team_id, name: 'Another name' }),
  get_team_chat: (actor) => harness.call(actor, contract.getTeamChat, {}),
  set_team_chat: (actor) => harness.call(actor, contract.setTeamChat, { url: CHAT_URL }),
  test_team_chat: (actor) => harness.call(actor, contract.testTeamChat, {}),
  remove_team_chat: (actor) => harness.call(actor, contract.removeTeamChat, {}),
  set_second_factor_policy: (actor, { owner }) =>
    harness.call(actor, contract.setSecondFactorPolicy, {
      team_id: owner.actor.team_id,
      grace_period_days: null,
    }),
  change_role: (actor, { member }) =>
    harness.call(actor, contract.changeRole, { member_id: member.id, role: 'admin' }),
  end_member_sessions: (actor, { member }) =>
    harness.call(actor, contract.endMemberSessions, { member_id: member.id }),
  create_reset_link: (actor, { member }) =>
    harness.call(actor, contract.createResetLink, { member_id: member.id }),
  remove_member: (actor, { member }) => harness.call(actor, contract.removeMember, { member_id: member.id }),
  create_invitation: (actor) =>
    harness.call(actor, contract.createInvitation, { email: newEmail(), role: 'viewer' }),
  reveal_invitation_link: (actor, { invitationId }) =>
    harness.call(actor, contract.revealInvitationLink, { invitation_id: invitationId }),
  resend_invitation: (actor, { invitationId }) =>
    harness.call(actor, contract.resendInvitation, { invitation_id: invitationId }),
  revoke_invitation: (actor, { invitationId }) =>
    harness.call(actor, contract.revokeInvitation, { invitation_id: invitationId }),
  single_sign_on: (actor) => harness.call(actor, contract.getSingleSignOn, {}),
  set_single_sign_on: (actor) =>
    harness.call(actor, contract.setSingleSignOn, {
      issuer: provider.issuer,
      client_id: 'tollgate',
      client_secret: 'secret',
      role_claim: null,
      role_rules: [],
      default_role: null,
      is_required: false,
    }),
  add_single_sign_on_domain: (actor) =>
    harness.call(actor, contract.addSingleSignOnDomain, { domain: 'added.example' }),
  verify_single_sign_on_domain: (actor, { domain }) =>
    harness.call(actor, contract.verifySingleSignOnDomain, { domain }),
  remove_single_sign_on_domain: (actor, { domain }) =>
    harness.call(actor, contract.removeSingleSignOnDomain, { domain }),
  remove_single_sign_on: (actor) => harness.call(actor, contract.removeSingleSignOn, {}),
  list_tokens: (actor) => harness.call(actor, contract.listTokens, {}),
  get_token: (actor, { tokenId }) => harness.call(actor, contract.getToken, { token_id: tokenId }),
  create_token: (actor) =>
    harness.call(actor, contract.createToken, { name: 'Deployment', role: 'developer' }),
  rotate_token: (actor, { tokenId }) =>
    harness.call(actor, contract.rotateToken, { token_id: tokenId, overlap_s: 60 }),
  revoke_token: (actor, { tokenId }) => harness.call(actor, contract.revokeToken, { token_id: tokenId }),
  create_team: (actor) => harness.call(actor, contract.createTeam, { name: 'Shop', owner_email: newEmail() }),
};

async function createSubject(): Promise<Subject> {
  const owner = await createTeamWithOwner(harness);
  const member = await addMember(harness, owner, 'developer');
  const { id } = await harness.call(owner.actor, contract.createInvitation, {
    email: newEmail(),
    role: 'viewer',
  });
  await harness.call(owner.actor, contract.setTeamChat, { url: CHAT_URL });
  const token = await harness.call(owner.actor, contract.createToken, { name: 'Backup', role: 'viewer' });
  const domain = `${owner.id.replace('_', '-')}.example`;
  const { domains } = await harness.call(owner.actor, contract.addSingleSignOnDomain, { domain });
  records.set(`_tollgate.${domain}`, [domains[0]?.record_value ?? '']);
  return { owner, member, invitationId: id, tokenId: token.id, domain };
}

/** The user code of a login that is neither approved nor denied. */
async function newUserCode(): Promise<string> {
  const request = { client_name: 'tollgate', ...ORIGIN };
  return (await harness.callAnonymously(contract.createDeviceAuthorization, request)).user_code;
}

/** The codes of the rejections of these methods, for a comparison with `each`. */
async function rejectionsOf(methods: readonly string[], actor: Actor, subject: Subject) {
  const codes: Record<string, string> = {};
  for (const method of methods)
    codes[method] = (await rejection((CALLS[method] as Call)(actor, subject))).code;
  return codes;
}

const each = (methods: readonly string[], code: string) =>
  Object.fromEntries(methods.map((method) => [method, code]));

async function stateOf({ owner }: Subject): Promise<unknown> {
  const invitations = await harness.call(owner.actor, contract.listInvitations, {});
  return [
    await harness.call(owner.actor, contract.getTeam, { team_id: owner.actor.team_id }),
    await harness.call(owner.actor, contract.listMembers, {}),
    // Attempts to send the mail go on.
    invitations.data.map(({ mail: _, ...invitation }) => invitation),
    await harness.call(owner.actor, contract.listTokens, {}),
    await harness.call(owner.actor, contract.getTeamChat, {}),
    await harness.call(owner.actor, contract.getSingleSignOn, {}),
  ];
}

it('roles are checked here for every method that a member calls', () => {
  expect([...OWN_ACCOUNT, ...Object.keys(LEAST_ROLE)].sort()).toEqual(methods);
  expect(Object.keys(CALLS).sort()).toEqual(Object.keys(LEAST_ROLE).sort());
});

it('roles match those in the published table of routes', () => {
  const access = Object.values<AdminRoute>(ADMIN_ROUTES)
    .filter(({ rpc }) => rpc.service === 'accounts')
    .map(({ rpc, access }) => [rpc.method, access]);
  const entry = contracts.flatMap(({ method, caller }) => (caller === 'service' ? [method] : []));
  const expected = {
    ...Object.fromEntries(entry.map((method) => [method, 'public'])),
    ...Object.fromEntries(OWN_ACCOUNT.map((method) => [method, 'viewer'])),
    ...LEAST_ROLE,
    get_token: 'viewer',
    revoke_token: 'viewer',
  };
  const {
    actor_token: _1,
    issue_token_actor: _2,
    report_leaked_token: _3,
    reset_owner: _4,
    notify_of_tampering: _5,
    ...routes
  } = expected as Record<string, Access>;
  expect(Object.fromEntries(access)).toEqual(routes);
});

it.each(ROLES)('roles let a %s call the methods of that role and no other', async (role) => {
  const subject = await createSubject();
  const { actor } = await addMember(harness, subject.owner, role);
  const isAllowed = (method: string) => roleAllows(LEAST_ROLE[method] as Access, role, 'live');
  const denied = Object.keys(CALLS).filter((method) => !isAllowed(method));
  const before = await stateOf(subject);
  expect(await rejectionsOf(denied, actor, subject)).toEqual(each(denied, 'forbidden'));
  expect(await stateOf(subject)).toEqual(before);
  for (const [method, call] of Object.entries(CALLS)) if (isAllowed(method)) await call(actor, subject);
});

it('roles let an installation admin create teams, without access to them', async () => {
  const { owner } = await createSubject();
  const inTheirTeam = { ...founder.actor, team_id: owner.actor.team_id };
  expect(await rejection(harness.call(inTheirTeam, contract.listMembers, {}))).toMatchObject({
    code: 'forbidden',
  });
});

it('roles apply as stored: a token that still states owner does not help a demoted member', async () => {
  const subject = await createSubject();
  const other = await addMember(harness, subject.owner, 'owner');
  await harness.call(subject.owner.actor, contract.changeRole, { member_id: other.id, role: 'viewer' });
  const ofOwners = ['change_role', 'create_reset_link', 'remove_member', 'create_invitation'];
  expect(await rejectionsOf(ofOwners, other.actor, subject)).toEqual(each(ofOwners, 'forbidden'));
});

it('roles do not let a removed member call any method', async () => {
  const subject = await createSubject();
  const other = await addMember(harness, subject.owner, 'owner');
  await harness.call(subject.owner.actor, contract.removeMember, { member_id: other.id });
  const all = Object.keys(CALLS);
  expect(await rejectionsOf(all, other.actor, subject)).toEqual(each(all, 'forbidden'));
});

describe('tenancy', () => {
  let theirs: Subject;
  let ours: Subject;

  beforeAll(async () => {
    [theirs, ours] = [await createSubject(), await createSubject()];
  });

  const aboutSomething = [
    'get_team',
    'rename_team',
    'set_second_factor_policy',
    'change_role',
    'remove_member',
    'end_member_sessions',
    'create_reset_link',
    'reveal_invitation_link',
    'resend_invitation',
    'revoke_invitation',
    'get_token',
    'rotate_token',
    'revoke_token',
    'verify_single_sign_on_domain',
    'remove_single_sign_on_domain',
  ];

  it('tenancy is tested for every method that names a team or a resource of one', () => {
    const naming = contracts.filter(({ caller, method, request }) => {
      const { properties } = request as unknown as { properties: object };
      const names = ['team_id', 'member_id', 'invitation_id', 'token_id', 'domain'];
      return (
        caller !== 'service' &&
        method !== 'add_single_sign_on_domain' &&
        names.some((name) => name in properties)
      );
    });
    expect(naming.map(({ method }) => method).sort()).toEqual([...aboutSomething].sort());
  });

  it.each(ROLES)(
    "tenancy returns not-found to a %s for another team's resource, and changes nothing",
    async (role) => {
      const { actor } = await addMember(harness, await createTeamWithOwner(harness), role);
      const before = await stateOf(theirs);
      expect(await rejectionsOf(aboutSomething, actor, theirs)).toEqual(each(aboutSomething, 'not-found'));
      expect(await stateOf(theirs)).toEqual(before);
    },
  );

  it('tenancy gives the same result for an unknown member and a member of another team', async () => {
    const remove = (id: string) => harness.call(ours.owner.actor, contract.removeMember, { member_id: id });
    const missingId = newId('member');
    const [foreign, missing] = [
      await rejection(remove(theirs.member.id)),
      await rejection(remove(missingId)),
    ];
    expect(JSON.stringify(foreign).replaceAll(theirs.member.id, '')).toBe(
      JSON.stringify(missing).replaceAll(missingId, ''),
    );
  });

  it('tenancy lists no members or invitations of another team', async () => {
    const members = await harness.call(ours.owner.actor, contract.listMembers, {});
    expect(members.data.map(({ id }) => id)).toEqual([ours.owner.id, ours.member.id]);
    const invitations = await harness.call(ours.owner.actor, contract.listInvitations, {});
    expect(invitations.data.map(({ id }) => id)).toEqual([ours.invitationId]);
    expect(invitations.data.map(({ id }) => id)).not.toContain(theirs.invitationId);
  });

  it("tenancy returns not-found for another member's session, even in the same team", async () => {
    const { actor } = await signedIn(harness, ours.member);
    const sessionId = actor.session_id as string;
    const revoke = harness.call(ours.owner.actor, contract.revokeSession, { session_id: sessionId });
    expect(await rejection(revoke)).toMatchObject({ code: 'not-found' });
    expect((await harness.call(actor, contract.listSessions, {})).data).toHaveLength(1);
  });
});
