import { afterAWhile } from '@tollgate/bus/test/member';
import { rejection } from '@tollgate/bus/test/rejection';
import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { PasskeyAssertion } from '@tollgate/contracts/accounts/passkey';
import { RECENT_AUTHENTICATION_MS } from '@tollgate/contracts/accounts/recent-authentication';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { SoftwareAuthenticator } from '@tollgate/test-kit/software-authenticator';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  actorOf,
  addMember,
  addPasskey,
  createTeamWithOwner,
  type Harness,
  invite,
  newEmail,
  ORIGIN,
  PASSWORD,
  type Person,
  signedIn,
  signInWithPasskey,
  startHarness,
} from './harness.ts';

let harness: Harness;
let owner: Person;

beforeAll(async () => {
  harness = await startHarness();
  await harness.startService();
  owner = await createTeamWithOwner(harness);
});
afterAll(() => harness.stop());

const now = () => new Date(harness.clock.now()).toISOString();
const confirm = (actor: MemberActor, password = PASSWORD) =>
  harness.call(actor, contract.reauthenticate, { current_password: password });

it('the time of the authentication is that of the sign-in until the member confirms their identity in the session', async () => {
  const { token, actor } = await signedIn(harness, owner);
  const signedInAt = now();
  harness.clock.advance(RECENT_AUTHENTICATION_MS);
  expect(await actorOf(harness, token)).toMatchObject({ authenticated_at: signedInAt });
  expect(await confirm(actor)).toEqual({ authenticated_at: now() });
  expect(await actorOf(harness, token)).toMatchObject({ authenticated_at: now() });
});

it('the time of the authentication belongs to one session', async () => {
  const [one, other] = [await signedIn(harness, owner), await signedIn(harness, owner)];
  const signedInAt = now();
  harness.clock.advance(SECOND_MS);
  await confirm(one.actor);
  expect(await actorOf(harness, other.token)).toMatchObject({ authenticated_at: signedInAt });
});

it('the time of the authentication stays when the password is incorrect', async () => {
  const { token, actor } = await signedIn(harness, owner);
  const signedInAt = now();
  harness.clock.advance(SECOND_MS);
  expect(await rejection(confirm(actor, 'not the password'))).toMatchObject({
    code: 'invalid-request',
    errors: [{ pointer: '/current_password' }],
  });
  expect(await actorOf(harness, token)).toMatchObject({ authenticated_at: signedInAt });
});

it('the time of the authentication cannot be renewed in a session that has ended', async () => {
  const { actor } = await signedIn(harness, owner);
  await harness.call(actor, contract.revokeSession, { session_id: actor.session_id });
  expect(await rejection(confirm(actor))).toMatchObject({ code: 'invalid-session' });
});

describe('a passkey', () => {
  let member: Person & { token: string };
  let device: SoftwareAuthenticator;

  beforeEach(async () => {
    member = await signedIn(harness, await addMember(harness, owner, 'developer'));
    ({ device } = await addPasskey(harness, member));
    harness.clock.advance(RECENT_AUTHENTICATION_MS);
  });

  const challengeOf = async ({ actor }: Person) =>
    (await harness.call(actor, contract.createReauthenticationChallenge, {})).options;
  const signInChallenge = async () =>
    (await harness.callAnonymously(contract.createPasskeyChallenge, {})).options;
  const confirmWith = (passkey: PasskeyAssertion, { actor }: Person = member) =>
    harness.call(actor, contract.reauthenticate, { passkey });
  const timeOf = async ({ token } = member) => (await actorOf(harness, token)).authenticated_at;

  /** Expects that the assertion is rejected, and that the member is not authenticated again. */
  async function expectRejected(passkey: PasskeyAssertion): Promise<void> {
    const before = await timeOf();
    expect(await rejection(confirmWith(passkey))).toMatchObject({
      code: 'invalid-request',
      errors: [{ pointer: '/passkey' }],
    });
    expect(await timeOf()).toBe(before);
  }

  it('a passkey confirms the identity of its member, and records the use', async () => {
    expect(await confirmWith(device.sign(await challengeOf(member)))).toEqual({ authenticated_at: now() });
    expect(await timeOf()).toBe(now());
    const { data } = await harness.call(member.actor, contract.listPasskeys, {});
    expect(data).toMatchObject([{ last_used_at: now() }]);
  });

  it('a passkey is asked for by its credential, with verification of the user', async () => {
    const { id } = device.sign(await signInChallenge());
    expect(await challengeOf(member)).toMatchObject({
      allowCredentials: [{ id }],
      userVerification: 'required',
    });
  });

  it('a passkey does not confirm it twice with one response', async () => {
    const assertion = device.sign(await challengeOf(member));
    await confirmWith(assertion);
    harness.clock.advance(SECOND_MS);
    await expectRejected(assertion);
  });

  it('a passkey of another member does not confirm it', async () => {
    const other = await signedIn(harness, await addMember(harness, owner, 'developer'));
    const { device: foreign } = await addPasskey(harness, other);
    await expectRejected(foreign.sign(await challengeOf(member)));
    await expectRejected({ ...foreign.sign(await challengeOf(member)), user_handle: null });
    await expectRejected(device.sign(await challengeOf(other)));
  });

  it('a passkey does not confirm it with the challenge of a sign-in, nor sign in with the challenge of a confirmation', async () => {
    await expectRejected(device.sign(await signInChallenge()));
    const signIn = harness.callAnonymously(contract.signInWithPasskey, {
      passkey: device.sign(await challengeOf(member)),
      ...ORIGIN,
    });
    expect(await rejection(signIn)).toMatchObject({ code: 'sign-in-failed' });
    const secondStep = harness.callAnonymously(contract.signIn, {
      email: member.email,
      password: member.password,
      passkey: device.sign(await challengeOf(member)),
      ...ORIGIN,
    });
    expect(await rejection(secondStep)).toMatchObject({ code: 'sign-in-failed' });
  });

  it('a passkey does not confirm it with the challenge of a new passkey', async () => {
    const { options } = await harness.call(member.actor, contract.startPasskey, {
      current_password: PASSWORD,
    });
    await expectRejected(device.sign({ ...options, rpId: 'localhost' }));
  });

  it.each([
    { what: 'whose device did not verify its user', ceremony: { isUserVerified: false } },
    { what: 'on another site', ceremony: { origin: 'https://evil.example' } },
    { what: 'for another host', ceremony: { rpId: 'evil.example' } },
    { what: 'whose counter goes back', ceremony: { counter: 0 } },
  ])('$what does not confirm it', async ({ ceremony }) => {
    await signInWithPasskey(harness, device);
    await expectRejected(device.sign(await challengeOf(member), ceremony));
  });

  it('a passkey does not confirm it later than five minutes after the challenge', async () => {
    const assertion = device.sign(await challengeOf(member));
    harness.clock.advance(5 * MINUTE_MS);
    await expectRejected(assertion);
  });

  it('a passkey is throttled together with the password', async () => {
    const forged = { ...device.sign(await challengeOf(member)), signature: 'AAAA' };
    const codes: string[] = [];
    while (codes.at(-1) !== 'too-many-attempts' && codes.length < 10)
      codes.push((await rejection(confirmWith(forged))).code);
    expect(codes.at(-1)).toBe('too-many-attempts');
    expect(await rejection(confirm(member.actor))).toMatchObject({ code: 'too-many-attempts' });
  });

  it('a passkey is not asked for where the member has none, and the password still confirms', async () => {
    const without = await signedIn(harness, await addMember(harness, owner, 'developer'));
    expect(await rejection(challengeOf(without))).toMatchObject({ code: 'conflict' });
    expect(await confirm(without.actor)).toEqual({ authenticated_at: now() });
  });

  it('a passkey or the password is required, and not both', async () => {
    const passkey = device.sign(await challengeOf(member));
    for (const proof of [{}, { passkey, current_password: PASSWORD }]) {
      const attempt = harness.call(member.actor, contract.reauthenticate, proof);
      expect(await rejection(attempt)).toMatchObject({ code: 'invalid-request' });
    }
    await confirmWith(passkey);
  });
});

describe('without a recent authentication', () => {
  const changes: [string, (actor: MemberActor) => Promise<unknown>][] = [
    [
      'create an admin',
      async (actor) => changeRole(actor, (await addMember(harness, owner, 'viewer')).id, 'admin'),
    ],
    [
      'demote an owner',
      async (actor) => changeRole(actor, (await addMember(harness, owner, 'owner')).id, 'viewer'),
    ],
    [
      'remove an admin',
      async (actor) =>
        harness.call(actor, contract.removeMember, {
          member_id: (await addMember(harness, owner, 'admin')).id,
        }),
    ],
    ['invite an owner', (actor) => createInvitation(actor, 'owner')],
    [
      'read the link of an invitation',
      async (actor) => {
        const { id } = await invite(harness, owner, { email: newEmail(), role: 'viewer' });
        return harness.call(actor, contract.revealInvitationLink, { invitation_id: id });
      },
    ],
    [
      'reset the password of a member',
      async (actor) =>
        harness.call(actor, contract.createResetLink, {
          member_id: (await addMember(harness, owner, 'viewer')).id,
        }),
    ],
    ['create an API token for both environments', (actor) => createToken(actor, null)],
    ['create an API token for live', (actor) => createToken(actor, ['live'])],
    ['approve a login for live', (actor) => approveLogin(actor, ['live'])],
  ];

  it.each(changes)('a member cannot %s, and can once they confirmed their identity', async (_, change) => {
    expect(await rejection(change(afterAWhile(owner.actor, harness.clock.now())))).toMatchObject({
      code: 'reauthentication-required',
    });
    const { token, actor } = await signedIn(harness, owner);
    harness.clock.advance(RECENT_AUTHENTICATION_MS + SECOND_MS);
    await confirm(actor);
    await change(await actorOf(harness, token));
  });

  it.each<[string, (actor: MemberActor) => Promise<unknown>]>([
    [
      'create a developer',
      async (actor) => changeRole(actor, (await addMember(harness, owner, 'viewer')).id, 'developer'),
    ],
    ['invite a developer', (actor) => createInvitation(actor, 'developer')],
    ['create an API token for the sandbox', (actor) => createToken(actor, ['sandbox'])],
    ['approve a login for the sandbox', (actor) => approveLogin(actor, ['sandbox'])],
  ])('a member can %s', async (_, change) => {
    await change(afterAWhile(owner.actor, harness.clock.now()));
  });

  function changeRole(actor: MemberActor, memberId: string, role: 'viewer' | 'developer' | 'admin') {
    return harness.call(actor, contract.changeRole, { member_id: memberId, role });
  }

  function createInvitation(actor: MemberActor, role: 'developer' | 'owner') {
    return harness.call(actor, contract.createInvitation, { email: newEmail(), role });
  }

  function createToken(actor: MemberActor, environments: ('live' | 'sandbox')[] | null) {
    return harness.call(actor, contract.createToken, { name: 'Deployment', role: 'viewer', environments });
  }

  async function approveLogin(actor: MemberActor, environments: ('live' | 'sandbox')[]) {
    const { user_code } = await harness.callAnonymously(contract.createDeviceAuthorization, {
      client_name: 'tollgate',
      ...ORIGIN,
    });
    return harness.call(actor, contract.approveDeviceAuthorization, {
      user_code,
      role: 'viewer',
      environments,
    });
  }
});
