import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { newMember } from '../src/members/member.ts';
import { newTeam } from '../src/teams/team.ts';
import { type Harness, type Service, setUpFounder, setupRequest, signIn, startHarness } from './harness.ts';

let harness: Harness;
let service: Service;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
});
afterEach(async () => {
  for (const name of ['installation', 'teams', 'members', 'attempts'])
    await harness.database.collection(name).deleteMany({});
});
afterAll(() => harness.stop());

it('the setup creates the first team and its owner, who can sign in', async () => {
  expect(await harness.callAnonymously(contract.getInstallation, {})).toEqual({
    is_set_up: false,
    sends_mail: false,
  });
  const founder = await setUpFounder(harness);
  expect(await harness.callAnonymously(contract.getInstallation, {})).toEqual({
    is_set_up: true,
    sends_mail: false,
  });
  const { member } = await signIn(harness, founder);
  expect(member).toMatchObject({ id: founder.id, role: 'owner', email: 'founder@example.com' });
  expect(await harness.call(founder.actor, contract.getMe, {})).toMatchObject({
    is_installation_admin: true,
    team: { name: 'Founders' },
  });
});

it('the setup is rejected with another token, and creates nothing', async () => {
  for (const token of ['x', `${harness.setupToken}x`, harness.setupToken.slice(0, -1)]) {
    const attempt = harness.callAnonymously(contract.setUp, setupRequest(harness, { token }));
    expect(await rejection(attempt)).toMatchObject({ code: 'forbidden' });
  }
  expect(await harness.callAnonymously(contract.getInstallation, {})).toEqual({
    is_set_up: false,
    sends_mail: false,
  });
});

it('the setup succeeds once, however many requests compete on two instances', async () => {
  const other = await harness.startService();
  const tries = Array.from({ length: 12 }, (_, index) =>
    harness.callAnonymously(contract.setUp, setupRequest(harness, { email: `founder-${index}@example.com` })),
  );
  const outcomes = await Promise.allSettled(tries);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason.details).toMatchObject({ code: 'conflict' });
  }
  expect(await service.connection.collection('teams').countDocuments()).toBe(1);
  expect(await service.connection.collection('members').countDocuments()).toBe(1);
  await other.stop();
});

it('the setup cannot be repeated, with or without the correct token', async () => {
  await setUpFounder(harness);
  const again = harness.callAnonymously(contract.setUp, setupRequest(harness, { email: 'x@example.com' }));
  expect(await rejection(again)).toMatchObject({ code: 'conflict' });
});

it.each(['nothing', 'the owner', 'both'])(
  'the setup is finished after a crash that followed the claim, with %s written',
  async (written) => {
    const { context } = service.app;
    const now = new Date(harness.clock.now());
    const password = await context.passwords.hash('correct horse battery', null);
    const team = newTeam({ name: 'Founders', members: [], invitations: [] }, now);
    const account = { _id: 'mem_00000000000000000000000001', team_id: team._id, email: 'f@example.com' };
    const owner = newMember(
      { ...account, name: 'F', password, status: 'active', is_installation_admin: true },
      now,
    );
    const founded = { ...team, members: [{ member_id: owner._id, role: 'owner' as const }] };
    expect(await context.installation.claim({ team: founded, owner }, now)).toBe(true);
    if (written !== 'nothing') await context.members.insert(owner);
    if (written === 'both') await context.teams.insertOnce(founded);

    await service.app.reconcile();
    await service.app.reconcile();
    const { member } = await signIn(harness, { email: 'f@example.com', password: 'correct horse battery' });
    expect(member).toMatchObject({ id: owner._id, role: 'owner' });
  },
);
