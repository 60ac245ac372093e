import { callRpc } from '@tollgate/bus/rpc';
import { rejection } from '@tollgate/bus/test/rejection';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import { type RpcContract, rpcSubject } from '@tollgate/contracts/platform/rpc-contract';
import { createActorProver } from '@tollgate/security/actor-proof';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ADDRESS,
  actorOf,
  addMember,
  createTeamWithOwner,
  FOR_GET_ME,
  GET_ME,
  type Harness,
  ORIGIN,
  type Person,
  signedIn,
  signIn,
  startHarness,
  USER_AGENT,
} from './harness.ts';

let harness: Harness;
let owner: Person;

beforeAll(async () => {
  harness = await startHarness();
  await harness.startService();
  owner = await createTeamWithOwner(harness);
});
afterAll(() => harness.stop());

async function isOver(token: string, { isUse = true } = {}): Promise<boolean> {
  const exchange = harness.callAnonymously(contract.issueActorToken, {
    session_token: token,
    address: ADDRESS,
    user_agent: null,
    is_use: isUse,
  });
  try {
    await exchange;
    return false;
  } catch {
    expect(await rejection(exchange)).toMatchObject({ code: 'invalid-session' });
    return true;
  }
}

async function sessionsOf(actor: Actor) {
  return (await harness.call(actor, contract.listSessions, {})).data;
}

it('a session is exchanged for an actor token that is valid only for the RPCs that the exchange names', async () => {
  const { token } = await signIn(harness, owner);
  const session = { session_token: token, ...ORIGIN };
  const bound = await harness.callAnonymously(contract.issueActorToken, session, FOR_GET_ME);
  const unbound = await harness.callAnonymously(contract.issueActorToken, session);
  const withBound = { actorToken: bound.actor_token };
  const withUnbound = { actorToken: unbound.actor_token };
  expect(await callRpc(harness.client, contract.getMe, {}, withBound)).toMatchObject({ id: owner.id });
  const forAnotherCall = callRpc(harness.client, contract.listSessions, {}, withBound);
  expect(await rejection(forAnotherCall)).toMatchObject({ code: 'forbidden' });
  const forNoCall = callRpc(harness.client, contract.getMe, {}, withUnbound);
  expect(await rejection(forNoCall)).toMatchObject({ code: 'forbidden' });
});

it('a session is exchanged for an actor token for all RPCs that the caller proves', async () => {
  const { token } = await signIn(harness, owner);
  const { proofKey, prove } = createActorProver();
  const session = { session_token: token, ...ORIGIN, proof_key: proofKey };
  const exchanged = await harness.callAnonymously(contract.issueActorToken, session, FOR_GET_ME);
  expect(exchanged.requires_proof).toBe(true);
  const proofFor = (method: RpcContract) =>
    prove(exchanged.actor_token, rpcSubject(method), newId('request'));
  const getMe = (actorToken: string) => callRpc(harness.client, contract.getMe, {}, { actorToken });
  const listSessions = (actorToken: string) =>
    callRpc(harness.client, contract.listSessions, {}, { actorToken });
  expect(await getMe(proofFor(contract.getMe))).toMatchObject({ id: owner.id });
  expect((await listSessions(proofFor(contract.listSessions))).data).not.toEqual([]);
  for (const actorToken of [exchanged.actor_token, proofFor(contract.listSessions)]) {
    expect(await rejection(getMe(actorToken))).toMatchObject({ code: 'forbidden' });
  }
});

it('a session is exchanged for an actor token that states member, team, role, and address', async () => {
  const member = await addMember(harness, owner, 'developer');
  const { token } = await signIn(harness, member);
  const session = { session_token: token, address: '203.0.113.9', user_agent: 'Mozilla/5.0 (other)' };
  const exchanged = await harness.callAnonymously(contract.issueActorToken, session, FOR_GET_ME);
  expect(await harness.verifyActor(exchanged.actor_token, GET_ME)).toEqual({
    type: 'member',
    member_id: member.id,
    team_id: owner.actor.team_id,
    role: 'developer',
    authenticated_at: new Date(harness.clock.now()).toISOString(),
    address: '203.0.113.9',
    user_agent: 'Mozilla/5.0 (other)',
    request_id: null,
    name: `Name of ${member.email}`,
    session_id: exchanged.session_id,
  });
  expect(exchanged.member).toMatchObject({ id: member.id, role: 'developer' });
});

it('a session yields actor tokens that live for a minute at most', async () => {
  const { token } = await signIn(harness, owner);
  const { actor_token } = await harness.callAnonymously(
    contract.issueActorToken,
    {
      session_token: token,
      address: ADDRESS,
      user_agent: null,
    },
    FOR_GET_ME,
  );
  await harness.verifyActor(actor_token, GET_ME);
  harness.clock.advance(61 * SECOND_MS);
  await expect(harness.verifyActor(actor_token, GET_ME)).rejects.toMatchObject({
    details: { code: 'forbidden' },
  });
});

it('a session is found only by its token', async () => {
  const { token } = await signIn(harness, owner);
  for (const wrong of ['x', `${token}x`, token.slice(0, -1), token.toUpperCase()]) {
    expect(await isOver(wrong)).toBe(true);
  }
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

it('a session ends after twelve hours without use', async () => {
  const { token } = await signIn(harness, owner);
  harness.clock.advance(12 * HOUR_MS - 1);
  expect(await isOver(token)).toBe(false);
  harness.clock.advance(12 * HOUR_MS - 1);
  expect(await isOver(token)).toBe(false);
  harness.clock.advance(12 * HOUR_MS);
  expect(await isOver(token)).toBe(true);
});

it('a session ends after twelve hours without use, however often it is listed', async () => {
  const { token } = await signIn(harness, owner);
  for (let hour = 1; hour < 12; hour += 1) {
    harness.clock.advance(HOUR_MS);
    expect(await isOver(token, { isUse: false })).toBe(false);
  }
  harness.clock.advance(HOUR_MS);
  expect(await isOver(token, { isUse: false })).toBe(true);
});

it('a session ends after seven days, however often it is used', async () => {
  const { token, expires_at } = await signIn(harness, owner);
  const end = Date.parse(expires_at);
  expect(end - harness.clock.now()).toBe(7 * 24 * HOUR_MS);
  while (harness.clock.now() + 6 * HOUR_MS < end) {
    expect(await isOver(token)).toBe(false);
    harness.clock.advance(6 * HOUR_MS);
  }
  harness.clock.set(end - 1);
  expect(await isOver(token)).toBe(false);
  harness.clock.set(end);
  expect(await isOver(token)).toBe(true);
});

it('a session is listed with address, user agent, and last use, which is accurate to a minute', async () => {
  const member = await signedIn(harness, await addMember(harness, owner, 'viewer'));
  const madeAt = new Date(harness.clock.now()).toISOString();
  const use = (address: string) =>
    harness.callAnonymously(contract.issueActorToken, {
      session_token: member.token,
      address,
      user_agent: null,
    });
  harness.clock.advance(MINUTE_MS - 1);
  await use('203.0.113.10');
  expect(await sessionsOf(member.actor)).toEqual([
    {
      id: member.actor.session_id,
      address: ADDRESS,
      user_agent: USER_AGENT,
      created_at: madeAt,
      last_used_at: madeAt,
      expires_at: new Date(Date.parse(madeAt) + 7 * 24 * HOUR_MS).toISOString(),
      is_current: true,
    },
  ]);
  harness.clock.advance(1);
  await use('203.0.113.10');
  const [session] = await sessionsOf(member.actor);
  expect(session).toMatchObject({
    address: '203.0.113.10',
    last_used_at: new Date(harness.clock.now()).toISOString(),
  });
});

it('a session ends when it is revoked; the others continue', async () => {
  const member = await addMember(harness, owner, 'viewer');
  const [one, other] = [await signedIn(harness, member), await signedIn(harness, member)];
  const sessionId = other.actor.session_id as string;
  for (let time = 0; time < 2; time++) {
    await harness.call(one.actor, contract.revokeSession, { session_id: sessionId });
  }
  expect([await isOver(one.token), await isOver(other.token)]).toEqual([false, true]);
  expect((await sessionsOf(one.actor)).map(({ id }) => id)).toEqual([one.actor.session_id]);
});

it('a session ends when an admin ends those of the member; those of an owner end only when an owner does', async () => {
  const admin = await addMember(harness, owner, 'admin');
  const member = await signedIn(harness, await addMember(harness, owner, 'developer'));
  const otherOwner = await signedIn(harness, await addMember(harness, owner, 'owner'));
  const end = (actor: Person, { id }: Person) =>
    harness.call(actor.actor, contract.endMemberSessions, { member_id: id });
  await end(admin, member);
  expect(await isOver(member.token)).toBe(true);
  expect(await rejection(end(admin, otherOwner))).toMatchObject({ code: 'forbidden' });
  expect(await isOver(otherOwner.token)).toBe(false);
  await end(owner, otherOwner);
  expect(await isOver(otherOwner.token)).toBe(true);
});

it('a session ends with all others when all are revoked, and a new one works', async () => {
  const member = await addMember(harness, owner, 'viewer');
  const [one, other] = [await signedIn(harness, member), await signedIn(harness, member)];
  await harness.call(one.actor, contract.revokeAllSessions, {});
  expect([await isOver(one.token), await isOver(other.token)]).toEqual([true, true]);
  const { token } = await signIn(harness, member);
  expect(await isOver(token)).toBe(false);
  expect(await sessionsOf(await actorOf(harness, token))).toHaveLength(1);
});

it('a session ends immediately with the membership, and reflects a changed role immediately', async () => {
  const member = await signedIn(harness, await addMember(harness, owner, 'viewer'));
  await harness.call(owner.actor, contract.changeRole, { member_id: member.id, role: 'admin' });
  expect(await actorOf(harness, member.token)).toMatchObject({ role: 'admin' });
  await harness.call(owner.actor, contract.removeMember, { member_id: member.id });
  expect(await isOver(member.token)).toBe(true);
});
