import type { CreatedInvitation } from '@tollgate/contracts/accounts/account';
import type { CreatedApiToken } from '@tollgate/contracts/accounts/api-token';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { describeIdempotency } from '@tollgate/service/test/idempotency';
import type { Static } from 'typebox';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  addMember,
  createTeamWithOwner,
  type Harness,
  newEmail,
  ORIGIN,
  PASSWORD,
  type Person,
  type Service,
  setUpFounder,
  startHarness,
} from './harness.ts';

let harness: Harness;
let service: Service;
let founder: Person;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
  founder = await setUpFounder(harness);
});
afterAll(() => harness.stop());

const WITH_KEY = { idempotencyKey: 'k' };
const common = () => ({ harness, idempotency: service.app.context.idempotency });

describeIdempotency<CreatedInvitation>('creating an invitation', async () => {
  const { actor } = await createTeamWithOwner(harness);
  const email = newEmail();
  return {
    ...common(),
    actor,
    method: contract.createInvitation,
    request: { email, role: 'developer' },
    other: { email, role: 'viewer' },
    newId: () => newId('invitation'),
    idOf: ({ id }) => id,
    replayOf: (invitation) => ({ ...invitation, token: null }),
  };
});

describeIdempotency<CreatedApiToken>('creating an API token', async () => {
  const { actor } = await createTeamWithOwner(harness);
  return {
    ...common(),
    actor,
    method: contract.createToken,
    request: { name: 'Deployment', role: 'developer' },
    other: { name: 'Deployment', role: 'viewer' },
    newId: () => newId('apiToken'),
    idOf: ({ id }) => id,
    replayOf: (token) => ({ ...token, secret: null }),
  };
});

describeIdempotency<CreatedApiToken>('rotating an API token', async () => {
  const { actor } = await createTeamWithOwner(harness);
  const token = { name: 'Deployment', role: 'developer' as const };
  const { id: token_id } = await harness.call(actor, contract.createToken, token);
  return {
    ...common(),
    actor,
    method: contract.rotateToken,
    request: { token_id, overlap_s: 60 },
    other: { token_id, overlap_s: 0 },
    newId: () => newId('apiToken'),
    idOf: ({ id }) => id,
    replayOf: (token) => ({ ...token, secret: null }),
  };
});

type CreatedTeam = Static<typeof contract.createTeam.reply>;
describeIdempotency<CreatedTeam>('creating a team', async () => {
  await service.connection.collection('idempotency_keys').deleteMany({});
  const request = { name: 'Shop', owner_email: newEmail() };
  return {
    ...common(),
    actor: founder.actor,
    method: contract.createTeam,
    request,
    other: { ...request, name: 'Store' },
    newId: () => newId('team'),
    idOf: ({ team }) => team.id,
    replayOf: ({ team, invitation }) => ({ team, invitation: invitation && { ...invitation, token: null } }),
  };
});

it('a reset link with an idempotency key is created once, and is not replaced by its replay', async () => {
  const owner = await createTeamWithOwner(harness);
  const member = await addMember(harness, owner, 'viewer');
  const create = (key: string) =>
    harness.call(owner.actor, contract.createResetLink, { member_id: member.id }, { idempotencyKey: key });
  const replies = await Promise.all(Array.from({ length: 8 }, () => create('k')));
  const [token, ...others] = replies.flatMap((reply) => reply.token ?? []) as [string];
  expect(others).toEqual([]);
  expect(await create('k')).toEqual({ token: null, expires_at: replies[0]?.expires_at });
  const request = { token, password: 'another long password', ...ORIGIN };
  await harness.callAnonymously(contract.resetPassword, request);
  await expect(create('k')).rejects.toThrow('no longer exists');
  expect((await create('other')).token).not.toBeNull();
});

it('a reset link is created by the repetition of a request that crashed after it had reserved the key', async () => {
  const owner = await createTeamWithOwner(harness);
  const member = await addMember(harness, owner, 'viewer');
  const { members } = service.app.context;
  vi.spyOn(members.model, 'updateOne').mockImplementationOnce(() => {
    throw new Error('crashed');
  });
  const create = () =>
    harness.call(owner.actor, contract.createResetLink, { member_id: member.id }, WITH_KEY);
  await expect(create()).rejects.toThrow('internal');
  expect((await create()).token).not.toBeNull();
  expect((await create()).token).toBeNull();
});

it('an accepted invitation is not created again', async () => {
  const owner = await createTeamWithOwner(harness);
  const request = { email: newEmail(), role: 'viewer' as const };
  const invite = () => harness.call(owner.actor, contract.createInvitation, request, WITH_KEY);
  const { token } = await invite();
  const acceptance = { token: token ?? '', name: 'Ada', password: PASSWORD, ...ORIGIN };
  await harness.callAnonymously(contract.acceptInvitation, acceptance);
  await expect(invite()).rejects.toThrow('no longer exists');
});

it('a replay returns the team without its invitation once that is accepted', async () => {
  const request = { name: 'Shop', owner_email: newEmail() };
  const create = () => harness.call(founder.actor, contract.createTeam, request, { idempotencyKey: 'team' });
  const { team, invitation } = await create();
  const acceptance = { token: invitation?.token ?? '', name: 'Ada', password: PASSWORD, ...ORIGIN };
  await harness.callAnonymously(contract.acceptInvitation, acceptance);
  expect(await create()).toEqual({ team: expect.objectContaining({ id: team.id }), invitation: null });
});
