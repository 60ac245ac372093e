import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { totpCode, totpStep } from '../src/second-factor/totp.ts';
import {
  actorOf,
  addMember,
  createTeamWithOwner,
  decodeBase32,
  type Harness,
  ORIGIN,
  type Person,
  setUpFounder,
  signedIn,
  signIn,
  startHarness,
} from './harness.ts';

const NEW_PASSWORD = 'another long password';

let harness: Harness;
let founder: Person;

beforeAll(async () => {
  harness = await startHarness();
  await harness.startService();
  founder = await setUpFounder(harness);
});
afterAll(() => harness.stop());

const resetOwner = (email: string, more: { team_id?: string; removes_totp?: boolean } = {}) =>
  harness.callAnonymously(contract.resetOwner, { email, team_id: null, removes_totp: false, ...more });
const useLink = (token: string) =>
  harness.callAnonymously(contract.resetPassword, { token, password: NEW_PASSWORD, ...ORIGIN });

async function enableTotp(person: Person): Promise<void> {
  const password = { current_password: person.password };
  const { secret } = await harness.call(person.actor, contract.startTotp, password);
  const totp = totpCode(decodeBase32(secret), totpStep(harness.clock.now()));
  await harness.call(person.actor, contract.confirmTotp, { totp });
}

it('the operator creates a link with which the only owner of a team sets a password', async () => {
  const owner = await signedIn(harness, await createTeamWithOwner(harness));
  const { token, team_name, totp_enabled } = await resetOwner(owner.email.toUpperCase());
  expect({ team_name, totp_enabled }).toEqual({ team_name: 'Shop', totp_enabled: false });
  await actorOf(harness, owner.token);

  await useLink(token);
  expect(await rejection(actorOf(harness, owner.token))).toMatchObject({ code: 'invalid-session' });
  await signIn(harness, { ...owner, password: NEW_PASSWORD });
  expect(await rejection(useLink(token))).toMatchObject({ code: 'not-found' });
});

it('the operator keeps two-factor authentication, unless told to remove it', async () => {
  const owner = await signedIn(harness, await createTeamWithOwner(harness));
  await enableTotp(owner);
  const { token, totp_enabled } = await resetOwner(owner.email);
  expect(totp_enabled).toBe(true);
  await useLink(token);
  const changed = { ...owner, password: NEW_PASSWORD };
  expect(await rejection(signIn(harness, changed))).toMatchObject({ code: 'second-factor-required' });

  const removing = await resetOwner(owner.email, { removes_totp: true });
  expect(await rejection(signIn(harness, changed))).toMatchObject({ code: 'second-factor-required' });
  await useLink(removing.token);
  expect((await signIn(harness, changed)).member.totp_enabled).toBe(false);
});

it('the operator resets owners only: they reset the other members', async () => {
  const owner = await createTeamWithOwner(harness);
  const admin = await addMember(harness, owner, 'admin');
  expect(await rejection(resetOwner(admin.email))).toMatchObject({ code: 'not-found' });
});

it('the operator names the team when owners of several teams have the email', async () => {
  const owner = await createTeamWithOwner(harness);
  const { team, invitation } = await harness.call(founder.actor, contract.createTeam, {
    name: 'Second shop',
    owner_email: owner.email,
  });
  await harness.callAnonymously(contract.acceptInvitation, {
    token: invitation?.token ?? '',
    name: 'Ada',
    password: owner.password,
    ...ORIGIN,
  });
  const { code, detail } = await rejection(resetOwner(owner.email));
  expect(code).toBe('conflict');
  expect(detail).toContain(`${team.id} (Second shop)`);
  expect((await resetOwner(owner.email, { team_id: team.id })).team_name).toBe('Second shop');
});
