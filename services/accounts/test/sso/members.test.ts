import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { startIdentityProvider } from '@tollgate/test-kit/identity-provider/identity-provider';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  acceptWithEmail,
  actorOf,
  addMember,
  createResetLink,
  invite,
  ORIGIN,
  PASSWORD,
  signedIn,
  signIn,
} from '../harness.ts';
import {
  configure,
  createSsoTeam,
  finish,
  redirectUriOf,
  type SsoHarness,
  type SsoTeam,
  signInAs,
  startAndReturn,
  startSsoHarness,
  verifyDomain,
} from './scene.ts';

let harness: SsoHarness;
const teams: SsoTeam[] = [];

beforeAll(async () => {
  harness = await startSsoHarness();
});
afterAll(async () => {
  for (const { provider } of teams) await provider.stop();
  await harness.stop();
});

async function aTeam(settings: Parameters<typeof createSsoTeam>[1] = {}): Promise<SsoTeam> {
  const team = await createSsoTeam(harness, settings);
  teams.push(team);
  return team;
}

const membersOf = async ({ owner }: SsoTeam) =>
  (await harness.call(owner.actor, contract.listMembers, {})).data;

/** A member with a password, whose email has the domain of the team. */
async function aMember(team: SsoTeam, name: string, role: 'viewer' | 'owner' = 'viewer') {
  return acceptWithEmail(harness, team.owner, { email: `${name}@${team.domain}`, role });
}

describe('an identity', () => {
  it('an identity without an account gets one with the default role and no password', async () => {
    const team = await aTeam({ default_role: 'developer' });
    const { member, token } = await signInAs(harness, team, 'ada');
    expect(member).toMatchObject({ role: 'developer', totp_enabled: false });
    const me = await harness.call(await actorOf(harness, token), contract.getMe, {});
    expect(me).toMatchObject({ has_password: false, sso_required: false });
    expect(await rejection(signIn(harness, { email: member.email, password: PASSWORD }))).toMatchObject({
      code: 'sign-in-failed',
    });
  });

  it('an identity without an account is denied when new members have no access, unless it is invited', async () => {
    const team = await aTeam({ default_role: null });
    expect(await rejection(signInAs(harness, team, 'ada'))).toMatchObject({
      code: 'sso-failed',
      detail: expect.stringContaining('invitation'),
    });
    expect(await membersOf(team)).toHaveLength(1);
    await invite(harness, team.owner, { email: `ada@${team.domain}`, role: 'admin' });
    expect((await signInAs(harness, team, 'ada')).member).toMatchObject({ role: 'admin' });
    expect((await harness.call(team.owner.actor, contract.listInvitations, {})).data).toEqual([]);
  });

  it('an identity gets one account when its first sign-ins arrive at the same moment', async () => {
    const team = await aTeam();
    const attempts = await Promise.allSettled([1, 2, 3].map(() => signInAs(harness, team, 'ada')));
    expect(attempts.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await membersOf(team)).toHaveLength(2);
  });

  it('an identity whose creation a crash interrupted is completed by the next sign-in', async () => {
    const team = await aTeam();
    const { teams } = harness.app.context;
    vi.spyOn(teams.model, 'updateOne').mockImplementationOnce(() => {
      throw new Error('the process dies here');
    });
    expect(await rejection(signInAs(harness, team, 'ada'))).toMatchObject({ code: 'internal' });
    await harness.app.reconcile();
    expect((await signInAs(harness, team, 'ada')).member).toMatchObject({ role: 'viewer' });
    expect(await membersOf(team)).toHaveLength(2);
  });

  it('an identity is linked once to the member with its email, and found by its subject afterwards', async () => {
    const team = await aTeam();
    const member = await aMember(team, 'ada');
    expect((await signInAs(harness, team, 'ada')).member.id).toBe(member.id);
    await verifyDomain(harness, team.owner, `new-${team.domain}`);
    const renamed = { email: `lovelace@new-${team.domain}` };
    expect((await signInAs(harness, team, 'ada', renamed)).member.id).toBe(member.id);
    expect(await membersOf(team)).toHaveLength(2);
  });

  it('an identity that takes over an account ends the password, the second factor, and the sessions that it had', async () => {
    const team = await aTeam();
    const hijacker = await signedIn(harness, await aMember(team, 'ceo'));
    await signInAs(harness, team, 'ceo');
    expect(await rejection(signIn(harness, hijacker))).toMatchObject({ code: 'sign-in-failed' });
    const session = { session_token: hijacker.token, ...ORIGIN };
    expect(
      await rejection(
        harness.callAnonymously(contract.issueActorToken, session, { actorFor: [contract.getMe] }),
      ),
    ).toMatchObject({ code: 'invalid-session' });
  });

  it('an identity of an owner keeps the password, so that the team is never locked out', async () => {
    const team = await aTeam();
    const owner = await aMember(team, 'boss', 'owner');
    await signInAs(harness, team, 'boss');
    await signIn(harness, owner);
  });

  it('an identity whose email is missing, malformed, or not stated to be verified is neither linked nor created', async () => {
    const team = await aTeam();
    await aMember(team, 'ceo');
    const unproven = [
      { email_verified: false },
      { email_verified: undefined },
      { email_verified: 'true' },
      { email: undefined },
      { email: 'ceo' },
    ];
    for (const claims of unproven)
      expect(await rejection(signInAs(harness, team, 'ceo', claims))).toMatchObject({ code: 'sso-failed' });
    expect(await membersOf(team)).toHaveLength(2);
  });

  it('an identity with an email of a domain that another team verified is rejected', async () => {
    const [team, victim] = [await aTeam(), await aTeam()];
    const claims = { email: `ceo@${victim.domain}` };
    expect(await rejection(signInAs(harness, team, 'ceo', claims))).toMatchObject({
      code: 'sso-failed',
      detail: expect.stringContaining('domain'),
    });
  });

  it('an identity with the email of a linked member and another subject is rejected', async () => {
    const team = await aTeam();
    await signInAs(harness, team, 'ada');
    expect(
      await rejection(signInAs(harness, team, 'successor', { email: `ada@${team.domain}` })),
    ).toMatchObject({
      code: 'sso-failed',
      detail: expect.stringContaining('Another identity'),
    });
  });

  it('an identity of a removed member is not created again, until an owner invites the member', async () => {
    const team = await aTeam();
    const { member } = await signInAs(harness, team, 'ada');
    await harness.call(team.owner.actor, contract.removeMember, { member_id: member.id });
    expect(await rejection(signInAs(harness, team, 'ada'))).toMatchObject({
      code: 'sso-failed',
      detail: expect.stringContaining('removed'),
    });
    const again = await aMember(team, 'ada');
    expect((await signInAs(harness, team, 'ada')).member.id).toBe(again.id);
  });

  describe('whose member changes between the search and the link', () => {
    /** Signs in as the person. The change happens once the sign-in has found the member by the email. */
    async function signInWhile(team: SsoTeam, sub: string, email: string, change: () => Promise<unknown>) {
      const { members } = harness.app.context;
      team.provider.addPerson({ sub, email, email_verified: true });
      const { browserToken, callback } = await startAndReturn(harness, team, sub, email);
      const { listByEmail } = members;
      members.listByEmail = async (searched) => {
        members.listByEmail = listByEmail;
        const found = await listByEmail(searched);
        await change();
        return found;
      };
      return finish(harness, team.teamId, browserToken, callback);
    }

    it('an identity whose member changes between the search and the link is not linked to a member who has another email by then', async () => {
      const team = await aTeam();
      const member = await aMember(team, 'ada');
      const email = `grace@${team.domain}`;
      const signingIn = signInWhile(team, 'ada', member.email, () =>
        harness.call(member.actor, contract.changeEmail, { current_password: PASSWORD, email }),
      );
      expect(await rejection(signingIn)).toMatchObject({
        code: 'sso-failed',
        detail: expect.stringContaining('changed during the sign-in'),
      });
      await signIn(harness, { ...member, email });
    });

    it('an identity whose member changes between the search and the link is not linked to a removed member, so that the member can be invited again', async () => {
      const team = await aTeam();
      const member = await aMember(team, 'ada');
      const signingIn = signInWhile(team, 'ada', member.email, () =>
        harness.call(team.owner.actor, contract.removeMember, { member_id: member.id }),
      );
      expect(await rejection(signingIn)).toMatchObject({
        code: 'sso-failed',
        detail: expect.stringContaining('removed'),
      });
      const again = await aMember(team, 'ada');
      expect((await signInAs(harness, team, 'ada')).member.id).toBe(again.id);
    });

    it('an identity whose member changes between the search and the link does not replace another identity that is linked by then', async () => {
      const team = await aTeam();
      const member = await aMember(team, 'ada');
      const signingIn = signInWhile(team, 'successor', member.email, () => signInAs(harness, team, 'ada'));
      expect(await rejection(signingIn)).toMatchObject({
        code: 'sso-failed',
        detail: expect.stringContaining('Another identity'),
      });
      expect((await signInAs(harness, team, 'ada')).member.id).toBe(member.id);
    });
  });

  it('an identity never signs in as an admin of the installation', async () => {
    const { founder } = harness;
    const teamId = founder.actor.team_id;
    const provider = await startIdentityProvider({
      redirectUris: [redirectUriOf(teamId)],
      claimsInIdToken: true,
    });
    const domain = 'founders.example';
    await configure(harness, { owner: founder, provider });
    await verifyDomain(harness, founder, domain);
    await harness.call(founder.actor, contract.changeEmail, {
      current_password: PASSWORD,
      email: `founder@${domain}`,
    });
    const founders = { owner: founder, teamId, provider, domain };
    teams.push(founders);
    expect(await rejection(signInAs(harness, founders, 'founder'))).toMatchObject({
      code: 'sso-failed',
      detail: expect.stringContaining('Admins of the installation'),
    });
  });
});

describe('a role mapping', () => {
  const rules = [
    { value: 'staff', role: 'developer' as const },
    { value: 'ops', role: 'admin' as const },
    { value: 'leads', role: 'owner' as const },
  ];

  it('a role mapping gives the highest matching role at each sign-in, and the default without a match', async () => {
    const team = await aTeam({ role_claim: 'groups', role_rules: rules, default_role: 'viewer' });
    const roleWith = async (groups: unknown) =>
      (await signInAs(harness, team, 'ada', { groups })).member.role;
    expect(await roleWith(['staff', 'ops', 'chess'])).toBe('admin');
    expect(await roleWith('staff')).toBe('developer');
    expect(await roleWith(['chess'])).toBe('viewer');
    expect(await roleWith({ ops: true })).toBe('viewer');
    expect(await roleWith(undefined)).toBe('viewer');
  });

  it('a role mapping denies the sign-in without a match when there is no default', async () => {
    const team = await aTeam({ role_claim: 'groups', role_rules: rules, default_role: null });
    expect(await rejection(signInAs(harness, team, 'ada', { groups: ['chess'] }))).toMatchObject({
      code: 'sso-failed',
      detail: expect.stringContaining('groups'),
    });
    expect((await signInAs(harness, team, 'ada', { groups: ['ops'] })).member.role).toBe('admin');
    expect(await rejection(signInAs(harness, team, 'ada', { groups: [] }))).toMatchObject({
      code: 'sso-failed',
    });
  });

  it('a role mapping never demotes the last owner', async () => {
    const team = await aTeam({ role_claim: 'groups', role_rules: rules, default_role: 'viewer' });
    await harness.call(team.owner.actor, contract.changeEmail, {
      current_password: PASSWORD,
      email: `boss@${team.domain}`,
    });
    expect((await signInAs(harness, team, 'boss', { groups: ['staff'] })).member).toMatchObject({
      id: team.owner.id,
      role: 'owner',
    });
    await signInAs(harness, team, 'lead', { groups: ['leads'] });
    expect((await signInAs(harness, team, 'boss', { groups: ['staff'] })).member.role).toBe('developer');
  });

  it('a role mapping is absent: owners manage the roles', async () => {
    const team = await aTeam({ default_role: 'viewer' });
    const { member } = await signInAs(harness, team, 'ada', { groups: ['leads'] });
    await harness.call(team.owner.actor, contract.changeRole, { member_id: member.id, role: 'admin' });
    expect((await signInAs(harness, team, 'ada')).member.role).toBe('admin');
  });
});

describe('required single sign-on', () => {
  const required = { is_required: true };

  it('required single sign-on can be turned on only after a sign-in with the current provider', async () => {
    const team = await aTeam();
    expect(await rejection(configure(harness, team, required))).toMatchObject({ code: 'conflict' });
    await signInAs(harness, team, 'ada');
    expect(await configure(harness, team, required)).toMatchObject({ is_required: true });
    const change = { ...required, client_id: 'another' };
    expect(await rejection(configure(harness, team, change))).toMatchObject({ code: 'conflict' });
  });

  it('required single sign-on rejects the password of a member, only when it is correct, and accepts that of an owner', async () => {
    const team = await aTeam();
    await signInAs(harness, team, 'ada');
    const member = await addMember(harness, team.owner, 'admin');
    await configure(harness, team, required);
    expect(await rejection(signIn(harness, member))).toMatchObject({ code: 'sso-required' });
    expect(await rejection(signIn(harness, { ...member, password: 'a wrong password' }))).toMatchObject({
      code: 'sign-in-failed',
    });
    await signIn(harness, team.owner);
  });

  it('required single sign-on rejects changes and resets of passwords, except of owners', async () => {
    const team = await aTeam();
    await signInAs(harness, team, 'ada');
    const [member, owner] = [
      await signedIn(harness, await addMember(harness, team.owner, 'admin')),
      await addMember(harness, team.owner, 'owner'),
    ];
    const early = await createResetLink(harness, team.owner, member.id);
    await configure(harness, team, required);
    const change = { current_password: PASSWORD, new_password: 'another long password' };
    const attempts = [
      () => harness.call(member.actor, contract.changePassword, change),
      () => harness.call(team.owner.actor, contract.createResetLink, { member_id: member.id }),
      () =>
        harness.callAnonymously(contract.resetPassword, {
          token: early,
          password: 'another long password',
          ...ORIGIN,
        }),
    ];
    for (const attempt of attempts)
      expect(await rejection(attempt())).toMatchObject({ code: 'sso-required' });
    const link = await createResetLink(harness, team.owner, owner.id);
    await harness.callAnonymously(contract.resetPassword, {
      token: link,
      password: 'another long password',
      ...ORIGIN,
    });
    expect(await harness.call(member.actor, contract.getMe, {})).toMatchObject({ sso_required: true });
  });
});

it('a member without a password gets a conflict where the current password is required, and no attempt is counted', async () => {
  const team = await aTeam();
  const { token, member } = await signInAs(harness, team, 'ada');
  const actor = await actorOf(harness, token);
  const given = { current_password: 'a guess' };
  const next = 'another long password';
  const calls = [
    () => harness.call(actor, contract.changePassword, { ...given, new_password: next }),
    () => harness.call(actor, contract.changeEmail, { ...given, email: 'ada@elsewhere.example' }),
    () => harness.call(actor, contract.startTotp, given),
    () => harness.call(actor, contract.disableTotp, given),
    () => harness.call(actor, contract.startPasskey, given),
    () => harness.call(actor, contract.reauthenticate, given),
  ];
  // More than the attempts without a wait.
  for (const call of [...calls, ...calls]) {
    expect(await rejection(call())).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('You have no password.'),
    });
  }
  const link = await createResetLink(harness, team.owner, member.id);
  await harness.callAnonymously(contract.resetPassword, { token: link, password: next, ...ORIGIN });
  const ada = { email: member.email, password: next };
  const { actor: withPassword } = await signedIn(harness, { id: member.id, ...ada, actor });
  await harness.call(withPassword, contract.startTotp, { current_password: next });
});
