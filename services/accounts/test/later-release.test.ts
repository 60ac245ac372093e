import * as contract from '@tollgate/contracts/accounts/rpc';
import { createSoftwareAuthenticator } from '@tollgate/test-kit/software-authenticator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addMember,
  createTeamWithOwner,
  currentTotp,
  type Harness,
  newEmail,
  PASSWORD,
  type Person,
  type Service,
  signedIn,
  startHarness,
} from './harness.ts';

let harness: Harness;
let service: Service;
let owner: Person;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
  owner = await createTeamWithOwner(harness);
});
afterAll(() => harness.stop());

interface StoredTeam {
  _id: string;
  members: object[];
  invitations: object[];
}

const teams = () => service.connection.collection<StoredTeam>('teams');
const members = () => service.connection.collection<{ _id: string }>('members');

it('fields that only a later release knows stay in a team, its memberships, and its invitations when the team changes', async () => {
  const viewer = await addMember(harness, owner, 'viewer');
  const open = await harness.call(owner.actor, contract.createInvitation, {
    email: newEmail(),
    role: 'viewer',
  });
  const { team_id } = owner.actor;
  await teams().updateOne(
    { _id: team_id },
    { $set: { plan: 'new', 'members.1.notify': true, 'invitations.0.message': 'Welcome' } },
  );

  await harness.call(owner.actor, contract.changeRole, { member_id: viewer.id, role: 'developer' });
  await harness.call(owner.actor, contract.renameTeam, { team_id, name: 'Renamed' });
  await harness.call(owner.actor, contract.createInvitation, { email: newEmail(), role: 'viewer' });

  const stored = await teams().findOne({ _id: team_id });
  expect(stored).toMatchObject({ name: 'Renamed', plan: 'new' });
  expect(stored?.members).toContainEqual({ member_id: viewer.id, role: 'developer', notify: true });
  expect(stored?.invitations[0]).toMatchObject({ id: open.id, message: 'Welcome' });
  expect(stored?.invitations[1]).not.toHaveProperty('message');
});

it('fields that only a later release knows stay in a passkey when it is renamed', async () => {
  const member = await signedIn(harness, await addMember(harness, owner, 'viewer'));
  const password = { current_password: PASSWORD };
  const { options } = await harness.call(member.actor, contract.startPasskey, password);
  const credential = createSoftwareAuthenticator('http://localhost:3000').create(options);
  const { passkey } = await harness.call(member.actor, contract.createPasskey, { name: 'Key', credential });
  await members().updateOne({ _id: member.id }, { $set: { 'passkeys.0.icon': 'key' } });

  await harness.call(member.actor, contract.renamePasskey, { passkey_id: passkey.id, name: 'Renamed' });

  expect(await members().findOne({ _id: member.id })).toMatchObject({
    passkeys: [{ name: 'Renamed', icon: 'key' }],
  });
});

it('fields that only a later release knows stay in a member and its authenticator app when the member changes', async () => {
  const member = await signedIn(harness, await addMember(harness, owner, 'viewer'));
  const { secret } = await harness.call(member.actor, contract.startTotp, { current_password: PASSWORD });
  await harness.call(member.actor, contract.confirmTotp, { totp: currentTotp(harness, secret) });
  await members().updateOne({ _id: member.id }, { $set: { theme: 'dark', 'totp.label': 'phone' } });

  await harness.call(member.actor, contract.updateProfile, { name: 'Ada' });

  expect(await members().findOne({ _id: member.id })).toMatchObject({
    name: 'Ada',
    theme: 'dark',
    totp: { label: 'phone' },
  });
});
