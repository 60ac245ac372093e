import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { acceptWithEmail, actorOf, addPasskey, type Person, signInWithPasskey } from '../harness.ts';
import {
  configure,
  createSsoTeam,
  type SsoHarness,
  type SsoTeam,
  signInAs,
  startSsoHarness,
} from './scene.ts';

let harness: SsoHarness;
let team: SsoTeam;
const teams: SsoTeam[] = [];

beforeAll(async () => {
  harness = await startSsoHarness();
});
beforeEach(async () => {
  team = await createSsoTeam(harness);
  teams.push(team);
});
afterAll(async () => {
  for (const { provider } of teams) await provider.stop();
  await harness.stop();
});

const aMember = (name: string): Promise<Person> =>
  acceptWithEmail(harness, team.owner, { email: `${name}@${team.domain}`, role: 'viewer' });

it('a passkey signs in an owner, and no other member, while the team requires single sign-on', async () => {
  const [ofMember, ofOwner] = [
    await addPasskey(harness, await aMember('grace')),
    await addPasskey(harness, team.owner),
  ];
  await signInAs(harness, team, 'ada');
  await configure(harness, team, { is_required: true });
  expect(await rejection(signInWithPasskey(harness, ofMember.device))).toMatchObject({
    code: 'sso-required',
  });
  await signInWithPasskey(harness, ofOwner.device);
});

it('a passkey ends when a person with the same email signs in with the provider', async () => {
  const { device } = await addPasskey(harness, await aMember('grace'));
  await signInAs(harness, team, 'grace');
  expect(await rejection(signInWithPasskey(harness, device))).toMatchObject({ code: 'sign-in-failed' });
});

it('a required second factor is that of the provider for a member without a password', async () => {
  const { token } = await signInAs(harness, team, 'ada');
  await addPasskey(harness, team.owner);
  await harness.call(team.owner.actor, contract.setSecondFactorPolicy, {
    team_id: team.teamId,
    grace_period_days: 0,
  });
  expect(await actorOf(harness, token)).toMatchObject({ role: 'viewer' });
});
