import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../src/context.ts';
import { acceptInvitation } from '../src/invitations/accept-invitation.ts';
import { removeMember } from '../src/members/remove-member.ts';
import { reconcile } from '../src/reconcile.ts';
import { serveAccountsRpc } from '../src/rpc.ts';
import {
  ADDRESS,
  addMember,
  createTeamWithOwner,
  type Harness,
  invite,
  newEmail,
  PASSWORD,
  type Person,
  type Service,
  signedIn,
  signIn,
  startHarness,
} from './harness.ts';

let harness: Harness;
/** Serves requests and does nothing by itself: only the test's own call of `reconcile` finishes anything. */
let service: Service;
let serving: { stop(): Promise<void> };
let owner: Person;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService({ isStarted: false });
  const { verifyActor, logger } = harness;
  serving = serveAccountsRpc(service.bus, service.app.context, { verifyActor, logger });
  await service.bus.nats.flush();
  owner = await createTeamWithOwner(harness);
});
afterAll(async () => {
  await serving.stop();
  await harness.stop();
});

class Crash extends Error {}

/** The service's context, in which the process crashes right before the given write. */
function crashingBefore(part: 'teams' | 'members', method: 'updateOne' | 'finishRemoval'): Context {
  const { context } = service.app;
  const crash = () => {
    throw new Crash();
  };
  const model = new Proxy<object>(context[part].model, {
    get: (target, name) => (name === method ? crash : Reflect.get(target, name)),
  });
  const crashing = method === 'updateOne' ? { model } : { [method]: crash };
  return { ...context, [part]: { ...context[part], ...crashing } } as Context;
}

function inviteDeveloper(by: Person, email = newEmail()) {
  return invite(harness, by, { email, role: 'developer' });
}

function acceptRequest(token: string, password = PASSWORD) {
  return { token, name: 'Ada', password, address: ADDRESS, user_agent: null };
}

/** The use case itself, in a context that crashes. */
function acceptUntilCrash(context: Context, token: string, password = PASSWORD) {
  const from = { address: ADDRESS, user_agent: null, request_id: null };
  return acceptInvitation(context, { token, name: 'Ada', password, ...from });
}

async function memberDocuments(email: string) {
  return service.connection.collection('members').find({ email }).toArray();
}

it('an acceptance that a crash interrupts before the team has the member adds no member, and the same link finishes it', async () => {
  const { token, email } = await inviteDeveloper(owner);
  const crash = acceptUntilCrash(crashingBefore('teams', 'updateOne'), token, 'lost password');
  await expect(crash).rejects.toBeInstanceOf(Crash);
  expect(await rejection(signIn(harness, { email, password: 'lost password' }))).toMatchObject({
    code: 'sign-in-failed',
  });
  await service.app.reconcile();

  const member = await harness.callAnonymously(contract.acceptInvitation, acceptRequest(token));
  expect((await signIn(harness, { email, password: PASSWORD })).member.id).toBe(member.id);
  expect(await memberDocuments(email)).toHaveLength(1);
});

it('an acceptance that a crash interrupts before the team has the member releases the email once the invitation is revoked', async () => {
  const { id, token, email } = await inviteDeveloper(owner);
  await expect(acceptUntilCrash(crashingBefore('teams', 'updateOne'), token)).rejects.toBeInstanceOf(Crash);
  await harness.call(owner.actor, contract.revokeInvitation, { invitation_id: id });
  expect(await memberDocuments(email)).toHaveLength(1);
  await service.app.reconcile();
  expect(await memberDocuments(email)).toEqual([]);
  const other = await createTeamWithOwner(harness);
  await harness.callAnonymously(
    contract.acceptInvitation,
    acceptRequest((await inviteDeveloper(other, email)).token),
  );
});

it('an acceptance that a crash interrupts before the team has the member releases the email after the invitation has expired', async () => {
  const { token, email } = await inviteDeveloper(owner);
  await expect(acceptUntilCrash(crashingBefore('teams', 'updateOne'), token)).rejects.toBeInstanceOf(Crash);
  harness.clock.advance(7 * DAY_MS);
  // Another instance, whose clock is behind, may still accept it.
  await service.app.reconcile();
  expect(await memberDocuments(email)).toHaveLength(1);
  harness.clock.advance(HOUR_MS);
  await service.app.reconcile();
  expect(await memberDocuments(email)).toEqual([]);
});

it('an acceptance that a crash interrupts before the team has the member is finished by a link that replaced the first', async () => {
  const { token, email } = await inviteDeveloper(owner);
  await expect(acceptUntilCrash(crashingBefore('teams', 'updateOne'), token)).rejects.toBeInstanceOf(Crash);
  const { token: newToken } = await inviteDeveloper(owner, email);
  await harness.callAnonymously(contract.acceptInvitation, acceptRequest(newToken));
  await signIn(harness, { email, password: PASSWORD });
});

it('an acceptance that a crash interrupts after the team has the member has added the member, and is finished', async () => {
  const { token, email } = await inviteDeveloper(owner);
  await expect(acceptUntilCrash(crashingBefore('members', 'updateOne'), token)).rejects.toBeInstanceOf(Crash);
  expect((await signIn(harness, { email, password: PASSWORD })).member).toMatchObject({
    role: 'developer',
  });
  expect(await memberDocuments(email)).toMatchObject([{ status: 'joining' }]);
  await service.app.reconcile();
  expect(await memberDocuments(email)).toMatchObject([{ status: 'active' }]);
  await signIn(harness, { email, password: PASSWORD });
});

describe('a removal that a crash interrupts', () => {
  it.each([
    ['before the account is emptied', 'members', 'updateOne'],
    ['after the account is emptied', 'teams', 'finishRemoval'],
  ] as const)('%s has ended all access, and is finished', async (_when, part, method) => {
    const member = await signedIn(harness, await addMember(harness, owner, 'admin'));
    const crash = removeMember(crashingBefore(part, method), owner.actor, { member_id: member.id });
    await expect(crash).rejects.toBeInstanceOf(Crash);

    expect(await rejection(signIn(harness, member))).toMatchObject({ code: 'sign-in-failed' });
    const exchange = harness.callAnonymously(contract.issueActorToken, {
      session_token: member.token,
      address: ADDRESS,
      user_agent: null,
    });
    expect(await rejection(exchange)).toMatchObject({ code: 'invalid-session' });
    expect(await rejection(harness.call(member.actor, contract.getMe, {}))).toMatchObject({
      code: 'forbidden',
    });

    await service.app.reconcile();
    await service.app.reconcile();
    expect(await memberDocuments(member.email)).toEqual([]);
    expect(
      await service.connection.collection('teams').countDocuments({ 'leaving.0': { $exists: true } }),
    ).toBe(0);
    const again = await inviteDeveloper(owner, member.email);
    await harness.callAnonymously(contract.acceptInvitation, acceptRequest(again.token));
  });
});

it('one removal that keeps failing does not prevent others and acceptances from being finished', async () => {
  const [stuck, other] = [
    await signedIn(harness, await addMember(harness, owner, 'admin')),
    await signedIn(harness, await addMember(harness, owner, 'admin')),
  ];
  for (const { id } of [stuck, other]) {
    const crash = removeMember(crashingBefore('members', 'updateOne'), owner.actor, { member_id: id });
    await expect(crash).rejects.toBeInstanceOf(Crash);
  }
  const { context } = service.app;
  const { model } = context.members;
  const findOne = (filter: { _id: string }) => {
    if (filter._id === stuck.id) throw new Crash();
    return model.findOne(filter);
  };
  const failingModel = new Proxy<object>(model, {
    get: (target, name) => (name === 'findOne' ? findOne : Reflect.get(target, name)),
  });
  const failing = { ...context.members, model: failingModel };
  await expect(reconcile({ ...context, members: failing } as Context)).rejects.toMatchObject({
    errors: [expect.any(Crash)],
  });
  expect(await memberDocuments(other.email)).toEqual([]);
  await service.app.reconcile();
  expect(await memberDocuments(stuck.email)).toEqual([]);
});

it('the purge of expired records deletes sessions past their end, old failures, and old attempts, and nothing else', async () => {
  const member = await addMember(harness, owner, 'viewer');
  await signIn(harness, member);
  await rejection(signIn(harness, { email: newEmail(), password: 'wrong' }));
  const count = async (name: string) => service.connection.collection(name).countDocuments();
  harness.clock.advance(7 * DAY_MS);
  const { token } = await signIn(harness, member);
  await rejection(signIn(harness, { email: newEmail(), password: 'wrong' }));
  await service.audit.sweep();
  await service.audit.drain();
  harness.clock.advance(1);
  await service.app.forgetExpired();
  expect([await count('sessions'), await count('failed_sign_ins')]).toEqual([1, 1]);
  // The failure's account and address, and the successful sign-in's address.
  expect(await count('attempts')).toBeLessThanOrEqual(3);
  await harness.callAnonymously(contract.issueActorToken, {
    session_token: token,
    address: null,
    user_agent: null,
  });
});
