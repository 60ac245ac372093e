import { rejection } from '@tollgate/bus/test/rejection';
import type { Actor, TokenActor } from '@tollgate/contracts/accounts/actor';
import type { CreatedApiToken } from '@tollgate/contracts/accounts/api-token';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { RpcContract } from '@tollgate/contracts/platform/rpc-contract';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { digestApiToken, generateApiToken } from '@tollgate/security/api-token';
import Type, { type Static } from 'typebox';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  ADDRESS,
  addMember,
  createTeamWithOwner,
  FOR_GET_ME,
  GET_ME,
  type Harness,
  ORIGIN,
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

type NewToken = Partial<Static<typeof contract.createToken.request>>;

const create = (fields: NewToken = {}, creator = owner) => createAs(creator.actor, fields);

async function createAs(actor: Actor, fields: NewToken = {}) {
  return withSecret(
    await harness.call(actor, contract.createToken, { name: 'Deployment', role: 'developer', ...fields }),
  );
}

async function rotate(actor: Actor, token_id: string, overlap_s = 60) {
  return withSecret(await harness.call(actor, contract.rotateToken, { token_id, overlap_s }));
}

function withSecret({ secret, ...token }: CreatedApiToken) {
  return { ...token, secret: shownOnce(secret) };
}

/** The token of a login of the person, with the admin role. */
async function logIn(person: Person) {
  const request = { client_name: 'tollgate', ...ORIGIN };
  const { device_code, user_code } = await harness.callAnonymously(
    contract.createDeviceAuthorization,
    request,
  );
  const { actor } = await signedIn(harness, person);
  await harness.call(actor, contract.approveDeviceAuthorization, { user_code, role: 'admin' });
  const exchanged = await harness.callAnonymously(contract.exchangeDeviceCode, { device_code, ...ORIGIN });
  return { id: exchanged.api_token?.id ?? '', secret: exchanged.token ?? '' };
}

function exchange(credential: string, { address = ADDRESS as string | null, isUse = true } = {}) {
  const request = { credential, ...ORIGIN, address, is_use: isUse };
  return harness.callAnonymously(contract.issueTokenActor, request, FOR_GET_ME);
}

async function actorOf(token: { secret: string }): Promise<TokenActor> {
  const { actor_token } = await exchange(token.secret);
  return (await harness.verifyActor(actor_token, GET_ME)) as TokenActor;
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  return (await rejection(call)).code;
}

const find = (id: string) => harness.call(owner.actor, contract.getToken, { token_id: id });
const revoke = (id: string) => harness.call(owner.actor, contract.revokeToken, { token_id: id });

it('an API token revokes itself, and no other token', async () => {
  const [own, other] = [await create({}), await create({})];
  const actor = await actorOf(own as { secret: string });
  await harness.call(actor, contract.signOut, {});
  expect((await find(own.id)).status).toBe('revoked');
  expect((await find(other.id)).status).toBe('active');
});

it('an API token is created with its credential, which is returned only once', async () => {
  const expires_at = new Date(harness.clock.now() + DAY_MS).toISOString();
  const created = await create({ environments: ['sandbox'], allowed_cidrs: ['10.1.2.3/8'], expires_at });
  expect(created.secret).toMatch(new RegExp(`^tg_admin_${created.lookup_id}_[0-9A-Za-z]{38}$`));
  const { secret: _, ...token } = created;
  expect(token).toMatchObject({
    name: 'Deployment',
    role: 'developer',
    environments: ['sandbox'],
    allowed_cidrs: ['10.0.0.0/8'],
    status: 'active',
    created_by: owner.id,
    expires_at,
    last_used_at: null,
    revoked_at: null,
    version: 1,
  });
  expect(await find(created.id)).toEqual(token);
  const { data } = await harness.call(owner.actor, contract.listTokens, { limit: 1 });
  expect(data).toEqual([token]);
});

it('an API token has access to both environments when none or both are named', async () => {
  expect((await create()).environments).toBeNull();
  expect((await create({ environments: null })).environments).toBeNull();
  expect((await create({ environments: ['sandbox', 'live'] })).environments).toBeNull();
});

it('an API token is listed with all others of the team, newest first, page by page', async () => {
  const other = await createTeamWithOwner(harness);
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.unshift((await create({}, other)).id);
  const first = await harness.call(other.actor, contract.listTokens, { limit: 2 });
  const second = await harness.call(other.actor, contract.listTokens, {
    cursor: first.next_cursor as string,
  });
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
  expect(second.next_cursor).toBeNull();
});

it.each<[string, NewToken, string]>([
  ['a blank name', { name: ' ' }, '/name'],
  ['an expiry in the past', { expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
  ['an invalid network', { allowed_cidrs: ['10.0.0.0/8', 'office'] }, '/allowed_cidrs/1'],
  ['the owner role', { role: 'owner' as 'admin' }, '/role'],
  ['an empty list of environments', { environments: [] }, '/environments'],
])('an API token is rejected with %s', async (_, fields, pointer) => {
  const problem = await rejection(create(fields));
  expect(problem.code).toBe('invalid-request');
  expect(problem.errors?.map((error) => error.pointer)).toContain(pointer);
});

it('an API token is one of at most 100 active ones of a team, without those that were rotated', async () => {
  const other = await createTeamWithOwner(harness);
  const [first, second] = await Promise.all(Array.from({ length: 100 }, () => create({}, other)));
  await rotate(other.actor, second?.id as string);
  expect(await codeOf(create({}, other))).toBe('conflict');
  await harness.call(other.actor, contract.revokeToken, { token_id: first?.id as string });
  expect(await create({}, other)).toMatchObject({ status: 'active' });
});

describe('an API token that an admin token creates', () => {
  const NETWORKS = ['198.51.100.0/24', '2001:db8::/32'];
  const inDays = (days: number) => new Date(harness.clock.now() + days * DAY_MS).toISOString();

  it('an API token that an admin token creates names its creators, and has the limits of the creating token where the request states none', async () => {
    const limits = { environments: ['sandbox' as const], allowed_cidrs: NETWORKS, expires_at: inDays(2) };
    const creator = await create({ role: 'admin', ...limits });
    const actor = await actorOf(creator);
    const created = { created_by: owner.id, created_by_token: creator.id, acts_for: null };
    expect(await createAs(actor)).toMatchObject({ ...created, ...limits });
    const nothing = { environments: null, allowed_cidrs: [], expires_at: null };
    expect(await createAs(actor, nothing)).toMatchObject({ ...created, ...limits });
  });

  it('an API token that an admin token creates has narrower limits, and every role', async () => {
    const actor = await actorOf(
      await create({ role: 'admin', allowed_cidrs: NETWORKS, expires_at: inDays(2) }),
    );
    const narrower = {
      role: 'admin' as const,
      environments: ['live' as const],
      allowed_cidrs: ['198.51.100.128/25', '2001:db8:1::/48'],
      expires_at: inDays(1),
    };
    expect(await createAs(actor, narrower)).toMatchObject(narrower);
  });

  it.each<[string, () => NewToken, string]>([
    ['another environment', () => ({ environments: ['live'] }), '/environments'],
    ['both environments', () => ({ environments: ['sandbox', 'live'] }), '/environments'],
    ['a wider network', () => ({ allowed_cidrs: ['198.51.100.0/24', '198.51.100.0/23'] }), '/allowed_cidrs'],
    ['every network', () => ({ allowed_cidrs: ['0.0.0.0/0', '::/0'] }), '/allowed_cidrs'],
    ['a later expiry', () => ({ expires_at: inDays(3) }), '/expires_at'],
  ])('an API token that an admin token creates is rejected with %s', async (_, fields, pointer) => {
    const limits = { environments: ['sandbox' as const], allowed_cidrs: NETWORKS, expires_at: inDays(2) };
    const actor = await actorOf(await create({ role: 'admin', ...limits }));
    const problem = await rejection(createAs(actor, fields()));
    expect(problem).toMatchObject({ code: 'invalid-request', errors: [{ pointer, code: 'invalid' }] });
  });

  it('an API token that an admin token creates is rejected for a token without the admin role', async () => {
    const actor = await actorOf(await create({ role: 'developer' }));
    expect(await codeOf(createAs(actor, { role: 'viewer' }))).toBe('forbidden');
  });

  it('an API token that an admin token creates is rejected for the token of a login', async () => {
    const actor = await actorOf(await logIn(owner));
    expect(await rejection(createAs(actor))).toMatchObject({
      code: 'forbidden',
      detail: expect.stringContaining('The token of a login cannot create or rotate API tokens'),
    });
  });

  it('an API token that an admin token creates is revoked with the token that created it, and so are those that it created', async () => {
    const [creator, other] = [await create({ role: 'admin' }), await create()];
    const child = await createAs(await actorOf(creator), { role: 'admin' });
    const grandchild = await createAs(await actorOf(child));
    const second = await createAs(await actorOf(child), { role: 'admin' });
    await revoke(second.id);
    expect((await find(child.id)).status).toBe('active');
    await revoke(creator.id);
    for (const { id } of [child, grandchild]) expect((await find(id)).status).toBe('revoked');
    expect(await codeOf(exchange(grandchild.secret))).toBe('invalid-api-token');
    expect((await find(other.id)).status).toBe('active');
  });

  it('an API token that an admin token creates is revoked when the creating token revokes itself, and over a creator that has expired', async () => {
    const creator = await create({ role: 'admin' });
    const actor = await actorOf(creator);
    const child = await createAs(actor, { role: 'admin' });
    const grandchild = await createAs(await actorOf(child));
    await rotate(owner.actor, child.id, 0);
    await harness.call(actor, contract.signOut, {});
    expect(await find(child.id)).toMatchObject({ status: 'expired', revoked_at: null });
    expect((await find(grandchild.id)).status).toBe('revoked');
  });

  it('an API token that an admin token creates is revoked when its creation and the revocation of the creating token meet', async () => {
    const creator = await create({ role: 'admin' });
    const actor = await actorOf(creator);
    const { model } = service.app.context.tokens;
    vi.spyOn(model, 'create').mockImplementationOnce(async (...documents) => {
      await revoke(creator.id);
      return model.create(...documents);
    });
    expect(await codeOf(createAs(actor, { name: 'Late' }))).toBe('forbidden');
    const { data } = await harness.call(owner.actor, contract.listTokens, { limit: 1 });
    expect(data).toMatchObject([{ name: 'Late', status: 'revoked' }]);
  });

  it('an API token that an admin token creates is revoked by a repeated revocation if the first one was interrupted', async () => {
    const creator = await create({ role: 'admin' });
    const child = await createAs(await actorOf(creator));
    const { tokens } = service.app.context;
    const { listCreatedByTokens } = tokens;
    tokens.listCreatedByTokens = () => Promise.reject(new Error('crashed'));
    expect(await codeOf(revoke(creator.id))).toBe('internal');
    tokens.listCreatedByTokens = listCreatedByTokens;
    await revoke(creator.id);
    expect((await find(child.id)).status).toBe('revoked');
  });
});

it('the rotation of an API token returns a successor with the same rights, and the old token expires after the overlap', async () => {
  const limits = {
    role: 'developer' as const,
    environments: ['sandbox' as const],
    allowed_cidrs: [`${ADDRESS}/32`],
    expires_at: new Date(harness.clock.now() + 9 * DAY_MS).toISOString(),
  };
  const old = await create(limits);
  const successor = await rotate(owner.actor, old.id, 3600);
  expect(successor).toMatchObject({ name: old.name, ...limits, status: 'active', created_by: owner.id });
  expect(successor.secret).not.toBe(old.secret);
  expect(await find(old.id)).toMatchObject({
    rotated_to: successor.id,
    expires_at: new Date(harness.clock.now() + HOUR_MS).toISOString(),
  });
  harness.clock.advance(HOUR_MS - 1);
  await exchange(old.secret);
  harness.clock.advance(1);
  expect(await codeOf(exchange(old.secret))).toBe('invalid-api-token');
  await exchange(successor.secret);
});

it('the rotation of an API token does not extend the old token beyond its own expiry', async () => {
  const expires_at = new Date(harness.clock.now() + HOUR_MS).toISOString();
  const { id } = await create({ expires_at });
  expect((await rotate(owner.actor, id, 7200)).expires_at).toBe(expires_at);
  expect((await find(id)).expires_at).toBe(expires_at);
});

it('the rotation of an API token of itself is allowed with every role, and the successor is revoked with it', async () => {
  const token = await create({ role: 'viewer' });
  const successor = await rotate(await actorOf(token), token.id);
  expect(successor).toMatchObject({ role: 'viewer', created_by: owner.id, created_by_token: token.id });
  await revoke(token.id);
  expect((await find(successor.id)).status).toBe('revoked');
});

it('the rotation of an API token by a member leaves the successor active when the old token is revoked', async () => {
  const { id } = await create();
  const successor = await rotate(owner.actor, id);
  expect(successor.created_by_token).toBeNull();
  await revoke(id);
  expect((await find(successor.id)).status).toBe('active');
});

it('the rotation of an API token of another token requires the admin role, and rights within those of the rotating token', async () => {
  const [both, sandbox] = [await create(), await create({ environments: ['sandbox'] })];
  const limited = await actorOf(await create({ role: 'admin', environments: ['sandbox'] }));
  expect(await rejection(rotate(limited, both.id))).toMatchObject({
    code: 'forbidden',
    detail: expect.stringContaining('less limited than your own in environments'),
  });
  const inOffice = await create({ role: 'admin', allowed_cidrs: [`${ADDRESS}/32`] });
  expect(await codeOf(rotate(await actorOf(inOffice), both.id))).toBe('forbidden');
  const expiring = { expires_at: new Date(harness.clock.now() + DAY_MS).toISOString() };
  expect(await codeOf(rotate(await actorOf(await create({ role: 'admin', ...expiring })), both.id))).toBe(
    'forbidden',
  );
  expect(await codeOf(rotate(await actorOf(await create()), sandbox.id))).toBe('forbidden');
  expect((await find(both.id)).rotated_to).toBeNull();
  expect((await rotate(limited, sandbox.id)).created_by_token).toBe(limited.token_id);
});

it('the rotation of an API token is rejected for the token of a login, and by it', async () => {
  const login = await logIn(owner);
  expect(await codeOf(rotate(owner.actor, login.id))).toBe('conflict');
  expect(await codeOf(rotate(await actorOf(login), login.id))).toBe('forbidden');
});

it('the rotation of an API token is rejected for a token that is not active, or was rotated', async () => {
  const [revoked, current] = [await create(), await create()];
  await revoke(revoked.id);
  expect(await codeOf(rotate(owner.actor, revoked.id))).toBe('conflict');
  const { id } = await rotate(owner.actor, current.id);
  expect(await rejection(rotate(owner.actor, current.id))).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining(id),
  });
});

it('the rotation of an API token creates one successor for concurrent requests', async () => {
  const name = 'Rotated at once';
  const { id } = await create({ name });
  const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => rotate(owner.actor, id)));
  const rotations = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value.id] : []));
  expect(rotations).toEqual([(await find(id)).rotated_to]);
  expect(await service.connection.collection('api_tokens').countDocuments({ name })).toBe(2);
});

it('the rotation of an API token that a crash interrupted between its writes is completed by the next one, with the expiry of the old token', async () => {
  const expires_at = new Date(harness.clock.now() + DAY_MS).toISOString();
  const { id } = await create({ expires_at });
  vi.spyOn(service.app.context.tokens.model, 'create').mockRejectedValueOnce(new Error('crashed'));
  expect(await codeOf(rotate(owner.actor, id))).toBe('internal');
  const limits = {
    role: 'admin' as const,
    expires_at: new Date(harness.clock.now() + HOUR_MS).toISOString(),
  };
  expect(await codeOf(rotate(await actorOf(await create(limits)), id))).toBe('forbidden');
  const successor = await rotate(owner.actor, id);
  expect(successor).toMatchObject({ id: (await find(id)).rotated_to, expires_at });
  await exchange(successor.secret);
});

it('the rotation of an API token requires a recent authentication for live', async () => {
  const [both, sandbox] = [await create(), await create({ environments: ['sandbox'] })];
  const authenticated_at = new Date(harness.clock.now() - HOUR_MS).toISOString();
  const actor = { ...owner.actor, authenticated_at };
  expect(await codeOf(rotate(actor, both.id))).toBe('reauthentication-required');
  await rotate(actor, sandbox.id);
});

it('the exchange of an API token returns an actor token that states token, team, role, environments, and origin', async () => {
  const created = await create({ environments: ['sandbox'] });
  const exchanged = await exchange(created.secret, { address: '203.0.113.9' });
  expect(await harness.verifyActor(exchanged.actor_token, GET_ME)).toEqual({
    type: 'token',
    token_id: created.id,
    team_id: owner.actor.team_id,
    role: 'developer',
    environments: ['sandbox'],
    address: '203.0.113.9',
    name: 'Deployment',
    user_agent: ORIGIN.user_agent,
    request_id: null,
  });
  expect(exchanged).toMatchObject({ team_id: owner.actor.team_id, token: { id: created.id } });
  harness.clock.advance(61 * SECOND_MS);
  await expect(harness.verifyActor(exchanged.actor_token, GET_ME)).rejects.toMatchObject({
    details: { code: 'forbidden' },
  });
});

it('the exchange of an API token rejects a credential with another secret like an unknown one', async () => {
  const { lookup_id, secret } = await create();
  const { credential: unknown, lookupId } = generateApiToken();
  // A well-formed credential with the lookup id of another token.
  await service.connection
    .collection('api_tokens')
    .updateOne({ lookup_id }, { $set: { lookup_id: lookupId } });
  const [wrongSecret, missing] = [
    await rejection(exchange(unknown)),
    await rejection(exchange(generateApiToken().credential)),
  ];
  expect(wrongSecret).toMatchObject({ code: 'invalid-api-token' });
  expect(wrongSecret).toEqual(missing);
  for (const mistyped of [`${secret}x`, secret.slice(0, -1), 'tg_admin_', 'x'])
    expect(await codeOf(exchange(mistyped))).toBe('invalid-api-token');
});

it('the exchange of an API token rejects a token that has expired', async () => {
  const { id, secret } = await create({
    expires_at: new Date(harness.clock.now() + DAY_MS).toISOString(),
  });
  harness.clock.advance(DAY_MS - 1);
  await exchange(secret);
  harness.clock.advance(1);
  expect(await codeOf(exchange(secret))).toBe('invalid-api-token');
  expect(await find(id)).toMatchObject({ status: 'expired', version: 1 });
});

it('the exchange of an API token rejects a token as soon as it is revoked; a second revocation changes nothing', async () => {
  const { id, secret } = await create();
  await exchange(secret);
  const revoked = await revoke(id);
  expect(revoked).toMatchObject({ status: 'revoked', version: 2 });
  expect(await codeOf(exchange(secret))).toBe('invalid-api-token');
  harness.clock.advance(MINUTE_MS);
  expect(await revoke(id)).toEqual(revoked);
});

it('the exchange of an API token rejects addresses outside the allowed networks, and requests without an address', async () => {
  const { secret } = await create({ allowed_cidrs: ['203.0.113.0/24', '2001:db8::/32'] });
  for (const address of ['203.0.113.7', '2001:db8::7', '::ffff:203.0.113.7'])
    await exchange(secret, { address });
  for (const address of ['203.0.114.7', '2001:db9::7', null])
    expect(await codeOf(exchange(secret, { address }))).toBe('ip-not-allowed');
});

it('the exchange of an API token records the last use, accurate to a minute, but not that of an open stream', async () => {
  const { id, secret } = await create();
  await exchange(secret, { isUse: false });
  expect((await find(id)).last_used_at).toBeNull();
  const firstUse = new Date(harness.clock.now()).toISOString();
  await exchange(secret);
  harness.clock.advance(MINUTE_MS - 1);
  await exchange(secret);
  expect((await find(id)).last_used_at).toBe(firstUse);
  harness.clock.advance(1);
  await exchange(secret);
  expect((await find(id)).last_used_at).toBe(new Date(harness.clock.now()).toISOString());
});

it('the exchange of an API token leaves no secret in the log, also when it fails', async () => {
  const { secret, lookup_id } = await create();
  await exchange(secret);
  const tokens = service.connection.collection('api_tokens');
  await tokens.updateOne({ lookup_id }, { $unset: { digest: '' } });
  await rejection(exchange(secret));
  await rejection(harness.callAnonymously(contract.issueTokenActor, { credential: secret } as never));
  await rejection(create({ name: secret, role: secret as 'admin' }));
  expect(harness.logLines.join('')).not.toContain(secret.slice(-38));
});

it('the exchange of an API token still succeeds when the creator of the token has left the team', async () => {
  const creator = await addMember(harness, owner, 'admin');
  const { secret } = await create({}, creator);
  await harness.call(owner.actor, contract.removeMember, { member_id: creator.id });
  expect((await exchange(secret)).token).toMatchObject({ created_by: creator.id, status: 'active' });
});

describe('an actor that is an API token', () => {
  it('an actor that is an API token reads itself and its team', async () => {
    const { secret, ...token } = await create({ role: 'viewer', environments: ['sandbox'] });
    const actor = await actorOf({ secret });
    expect(await harness.call(actor, contract.getOwnToken, {})).toEqual({
      api_token: await find(token.id),
      team: await harness.call(owner.actor, contract.getTeam, { team_id: actor.team_id }),
    });
    await revoke(token.id);
    expect(await codeOf(harness.call(actor, contract.getOwnToken, {}))).toBe('forbidden');
    expect(await codeOf(harness.call(owner.actor, contract.getOwnToken, {}))).toBe('forbidden');
  });

  it('an actor that is an API token reads the team, its members, and its invitations', async () => {
    const actor = await actorOf(await create({ role: 'viewer', environments: ['sandbox'] }));
    const { team_id } = actor;
    expect(await harness.call(actor, contract.getTeam, { team_id })).toMatchObject({ id: team_id });
    const { data } = await harness.call(actor, contract.listMembers, {});
    expect(data.map(({ id }) => id)).toContain(owner.id);
    await harness.call(actor, contract.listInvitations, {});
  });

  it('an actor that is an API token renames the team with the admin role and access to both environments', async () => {
    const rename = async (fields: NewToken) => {
      const actor = await actorOf(await create(fields));
      return harness.call(actor, contract.renameTeam, { team_id: actor.team_id, name: 'Renamed' });
    };
    expect(await rename({ role: 'admin' })).toMatchObject({ name: 'Renamed' });
    expect(await codeOf(rename({ role: 'developer' }))).toBe('forbidden');
    expect(await codeOf(rename({ role: 'admin', environments: ['live'] }))).toBe('forbidden');
  });

  it('an actor that is an API token has no access to another team', async () => {
    const other = await createTeamWithOwner(harness);
    const actor = await actorOf(await create({ role: 'admin' }));
    const { team_id } = other.actor;
    expect(await codeOf(harness.call(actor, contract.getTeam, { team_id }))).toBe('not-found');
  });

  it('an actor that is an API token loses its access with the revocation, although its actor token is valid for a minute', async () => {
    const token = await create({ role: 'admin' });
    const actor = await actorOf(token);
    await revoke(token.id);
    expect(await codeOf(harness.call(actor, contract.listMembers, {}))).toBe('forbidden');
  });

  const forMembers = (Object.values(contract) as RpcContract[]).filter(({ caller }) => caller === 'member');

  it.each(forMembers)(
    'an actor that is an API token is rejected by $method, which is about a person or API tokens',
    async (method) => {
      const actor = await actorOf(await create({ role: 'admin' }));
      const withAnyRequest = { ...method, request: Type.Unknown() } as RpcContract<'member'>;
      expect(await rejection(harness.call(actor, withAnyRequest, {}))).toMatchObject({
        code: 'forbidden',
        detail: expect.stringContaining('API tokens cannot do this'),
      });
    },
  );
});

describe('a leaked API token', () => {
  const report = (token: { lookup_id: string }, digest: string) =>
    harness.callAnonymously(contract.reportLeakedToken, {
      lookup_id: token.lookup_id,
      digest,
      url: 'https://example.com/leak',
      source: 'commit',
    });
  const digestOf = (credential: string) => digestApiToken(credential).toString('hex');

  it('a leaked API token is revoked once, and shows where it was found', async () => {
    const token = await create();
    for (let time = 0; time < 2; time++)
      expect(await report(token, digestOf(token.secret))).toEqual({ is_known: true });
    expect(await codeOf(exchange(token.secret))).toBe('invalid-api-token');
    const leaked = { url: 'https://example.com/leak', source: 'commit', at: expect.any(String) };
    expect(await find(token.id)).toMatchObject({ status: 'revoked', leaked, version: 2 });
  });

  it('a leaked API token is revoked with the tokens that it created', async () => {
    const token = await create({ role: 'admin' });
    const child = await createAs(await actorOf(token));
    await report(token, digestOf(token.secret));
    expect(await find(child.id)).toMatchObject({ status: 'revoked', leaked: null });
  });

  it('a leaked API token keeps the time of an earlier revocation', async () => {
    const token = await create();
    const { revoked_at } = await revoke(token.id);
    harness.clock.advance(MINUTE_MS);
    await report(token, digestOf(token.secret));
    expect(await find(token.id)).toMatchObject({ revoked_at, leaked: { source: 'commit' } });
  });

  it.each([digestOf(generateApiToken().credential), 'ab', ''])(
    'a leaked API token is unknown to a report with the digest "%s"',
    async (digest) => {
      const token = await create();
      expect(await report(token, digest)).toEqual({ is_known: false });
      expect(await find(token.id)).toMatchObject({ status: 'active', leaked: null });
    },
  );
});
