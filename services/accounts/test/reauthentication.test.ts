import { afterAWhile } from '@tollgate/bus/test/member';
import { rejection } from '@tollgate/bus/test/rejection';
import type { MemberActor } from '@tollgate/contracts/actor';
import { SECOND_MS } from '@tollgate/contracts/durations';
import { RECENT_AUTHENTICATION_MS } from '@tollgate/contracts/recent-authentication';
import * as contract from '@tollgate/contracts/rpc/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  actorOf,
  addMember,
  createTeamWithOwner,
  type Harness,
  invite,
  newEmail,
  ORIGIN,
  PASSWORD,
  type Person,
  setUpFounder,
  signedIn,
  startHarness,
} from './harness.ts';

let harness: Harness;
let owner: Person;

beforeAll(async () => {
  harness = await startHarness();
  await harness.startService();
  owner = await createTeamWithOwner(harness, await setUpFounder(harness));
});
afterAll(() => harness.stop());

const now = () => new Date(harness.clock.now()).toISOString();
const confirm = (actor: MemberActor, password = PASSWORD) =>
  harness.call(actor, contract.reauthenticate, { current_password: password });

describe('the time of the authentication', () => {
  it('is that of the sign-in until the member confirms their identity in the session', async () => {
    const { token, actor } = await signedIn(harness, owner);
    const signedInAt = now();
    harness.clock.advance(RECENT_AUTHENTICATION_MS);
    expect(await actorOf(harness, token)).toMatchObject({ authenticated_at: signedInAt });
    expect(await confirm(actor)).toEqual({ authenticated_at: now() });
    expect(await actorOf(harness, token)).toMatchObject({ authenticated_at: now() });
  });

  it('belongs to one session', async () => {
    const [one, other] = [await signedIn(harness, owner), await signedIn(harness, owner)];
    const signedInAt = now();
    harness.clock.advance(SECOND_MS);
    await confirm(one.actor);
    expect(await actorOf(harness, other.token)).toMatchObject({ authenticated_at: signedInAt });
  });

  it('stays when the password is incorrect', async () => {
    const { token, actor } = await signedIn(harness, owner);
    const signedInAt = now();
    harness.clock.advance(SECOND_MS);
    expect(await rejection(confirm(actor, 'not the password'))).toMatchObject({
      code: 'invalid-request',
      errors: [{ pointer: '/current_password' }],
    });
    expect(await actorOf(harness, token)).toMatchObject({ authenticated_at: signedInAt });
  });

  it('cannot be renewed in a session that has ended', async () => {
    const { actor } = await signedIn(harness, owner);
    await harness.call(actor, contract.revokeSession, { session_id: actor.session_id });
    expect(await rejection(confirm(actor))).toMatchObject({ code: 'invalid-session' });
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
