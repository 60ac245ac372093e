import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { rpcSubject } from '@tollgate/contracts/platform/rpc-contract';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { createActorProver } from '@tollgate/security/actor-proof';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  actorOf,
  addMember,
  addPasskey,
  createTeamWithOwner,
  currentTotp,
  FOR_GET_ME,
  GET_ME,
  type Harness,
  ORIGIN,
  PASSWORD,
  type Person,
  signedIn,
  startHarness,
} from './harness.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const password = { current_password: PASSWORD };

let harness: Harness;
let owner: Person & { token: string };
let member: Person & { token: string };

beforeAll(async () => {
  harness = await startHarness();
  await harness.startService();
});
beforeEach(async () => {
  owner = await signedIn(harness, await createTeamWithOwner(harness));
  member = await signedIn(harness, await addMember(harness, owner, 'admin'));
});
afterAll(() => harness.stop());

async function addTotp(person: Person): Promise<void> {
  const { secret } = await harness.call(person.actor, contract.startTotp, password);
  await harness.call(person.actor, contract.confirmTotp, { totp: currentTotp(harness, secret) });
}

function setPolicy(person: Person, grace_period_days: 0 | 7 | 14 | 30 | null, if_version?: number) {
  return harness.call(person.actor, contract.setSecondFactorPolicy, {
    team_id: person.actor.team_id,
    grace_period_days,
    ...(if_version !== undefined && { if_version }),
  });
}

/** Requires a second factor of all members but the owner, who has one. */
async function require(days: 0 | 7 = 0): Promise<void> {
  await addTotp(owner);
  await setPolicy(owner, days);
}

type Methods = readonly (typeof contract)[keyof typeof contract][];

/** Requests an actor token for these methods, like the gateway for a route. */
function actorTokenFor(actorFor: Methods) {
  const session = { session_token: member.token, ...ORIGIN };
  return harness.callAnonymously(contract.issueActorToken, session, { actorFor: actorFor as never });
}

const codeFor = async (actorFor: Methods) => (await rejection(actorTokenFor(actorFor))).code;

it('the requirement of a second factor is set by an owner who has a second factor, for a date after the grace period', async () => {
  expect(await rejection(setPolicy(owner, 7))).toMatchObject({ code: 'conflict' });
  await addTotp(owner);
  const team = await setPolicy(owner, 7);
  const from = new Date(harness.clock.now() + 7 * DAY_MS).toISOString();
  expect(team.second_factor_required_from).toBe(from);
  const { team: seen } = await harness.call(member.actor, contract.getMe, {});
  expect(seen.second_factor_required_from).toBe(from);
  expect((await setPolicy(owner, null)).second_factor_required_from).toBeNull();
});

it('the requirement of a second factor is not changed over a version that the owner has not read', async () => {
  await addTotp(owner);
  expect(await rejection(setPolicy(owner, 7, 99))).toMatchObject({ code: 'precondition-failed' });
});

it('the requirement of a second factor is changed only after a recent authentication', async () => {
  await addTotp(owner);
  harness.clock.advance(HOUR_MS);
  expect(await rejection(setPolicy(owner, 7))).toMatchObject({ code: 'reauthentication-required' });
  await harness.call(owner.actor, contract.reauthenticate, password);
  owner = { ...owner, actor: await actorOf(harness, owner.token) };
  await setPolicy(owner, 7);
});

it('the requirement of a second factor does not affect sessions during the grace period', async () => {
  await require(7);
  harness.clock.advance(6 * DAY_MS);
  member = await signedIn(harness, member);
  await actorTokenFor([contract.listMembers]);
});

it('the requirement of a second factor limits a member without a second factor to its setup', async () => {
  await require();
  expect(await codeFor([contract.listMembers])).toBe('second-factor-setup-required');
  // One method of a route is enough to deny it.
  expect(await codeFor([contract.getMe, contract.getTeam])).toBe('second-factor-setup-required');
  for (const method of [
    contract.getMe,
    contract.startTotp,
    contract.confirmTotp,
    contract.startPasskey,
    contract.createPasskey,
    contract.revokeSession,
    contract.signOut,
  ]) {
    await actorTokenFor([method]);
  }
});

it('the requirement of a second factor limits a member to its setup even if the caller proves its RPCs', async () => {
  const { proofKey, prove } = createActorProver();
  const exchange = (actorFor: Methods) => {
    const session = { session_token: member.token, ...ORIGIN, proof_key: proofKey };
    return harness.callAnonymously(contract.issueActorToken, session, { actorFor: actorFor as never });
  };
  await require();
  expect((await rejection(exchange([contract.listMembers]))).code).toBe('second-factor-setup-required');
  const { actor_token, requires_proof } = await exchange([contract.getMe]);
  expect(requires_proof).toBe(false);
  await harness.verifyActor(actor_token, GET_ME);
  const subject = rpcSubject(contract.listMembers);
  const proven = prove(actor_token, subject, newId('request'));
  await expect(harness.verifyActor(proven, subject)).rejects.toMatchObject({
    details: { code: 'forbidden' },
  });
});

it('the requirement of a second factor denies an exchange that names no methods', async () => {
  await require();
  const session = { session_token: member.token, ...ORIGIN };
  const exchange = harness.callAnonymously(contract.issueActorToken, session);
  expect(await rejection(exchange)).toMatchObject({ code: 'second-factor-setup-required' });
});

it.each([
  { factor: 'a passkey', add: (person: Person) => addPasskey(harness, person) },
  { factor: 'an authenticator app', add: addTotp },
])('the requirement of a second factor is met by $factor, at once', async ({ add }) => {
  await require();
  await add(member);
  await actorTokenFor([contract.listMembers]);
});

it('the requirement of a second factor does not let a member remove the last second factor', async () => {
  await require(7);
  const { id: passkey_id } = await addPasskey(harness, member);
  const remove = () => harness.call(member.actor, contract.deletePasskey, { passkey_id, ...password });
  expect(await rejection(remove())).toMatchObject({ code: 'conflict' });
  await addTotp(member);
  await remove();
  const disable = harness.call(member.actor, contract.disableTotp, password);
  expect(await rejection(disable)).toMatchObject({ code: 'conflict' });
});

it('the requirement of a second factor denies logins of programs that act for a member without a second factor, and no tokens of the team', async () => {
  const started = await harness.callAnonymously(contract.createDeviceAuthorization, {
    client_name: 'tollgate',
    ...ORIGIN,
  });
  await harness.call(member.actor, contract.approveDeviceAuthorization, {
    user_code: started.user_code,
    role: 'admin',
  });
  const { device_code } = started;
  const login = await harness.callAnonymously(contract.exchangeDeviceCode, { device_code, ...ORIGIN });
  const { secret } = await harness.call(owner.actor, contract.createToken, {
    name: 'Build',
    role: 'admin',
  });
  const exchange = (credential: string) =>
    harness.callAnonymously(contract.issueTokenActor, { credential, ...ORIGIN }, FOR_GET_ME);
  await exchange(login.token as string);
  await require();
  expect(await rejection(exchange(login.token as string))).toMatchObject({
    code: 'second-factor-setup-required',
  });
  await exchange(shownOnce(secret));
});
