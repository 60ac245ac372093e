import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import {
  type IdentityProvider,
  startIdentityProvider,
} from '@tollgate/test-kit/identity-provider/identity-provider';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { addMember, createTeamWithOwner, type Person } from '../harness.ts';
import { newDomain, redirectUriOf, type SsoHarness, startSsoHarness, verifyDomain } from './scene.ts';

let harness: SsoHarness;
let owner: Person;
let other: Person;
let provider: IdentityProvider;
let otherProvider: IdentityProvider;

beforeAll(async () => {
  const operatorDomains = new Map<string, string>();
  harness = await startSsoHarness();
  harness.app.context.domainProofs.operatorDomains = operatorDomains;
  owner = await createTeamWithOwner(harness);
  other = await createTeamWithOwner(harness);
  provider = await startIdentityProvider({ redirectUris: [], claimsInIdToken: true });
  otherProvider = await startIdentityProvider({ redirectUris: [], claimsInIdToken: true });
  settings.issuer = provider.issuer;
});
afterAll(async () => {
  await harness.stop();
  await Promise.all([provider.stop(), otherProvider.stop()]);
});

const settings = {
  issuer: '',
  client_id: 'tollgate',
  client_secret: 'the secret of the client',
  role_claim: 'groups',
  role_rules: [{ value: 'ops', role: 'admin' as const }],
  default_role: null,
  is_required: false,
};

const set = (person: Person, change: object = {}) =>
  harness.call(person.actor, contract.setSingleSignOn, { ...settings, ...change });
const read = (person: Person) => harness.call(person.actor, contract.getSingleSignOn, {});
const add = (person: Person, domain: string) =>
  harness.call(person.actor, contract.addSingleSignOnDomain, { domain });
const verify = (person: Person, domain: string) =>
  harness.call(person.actor, contract.verifySingleSignOnDomain, { domain });

it('the settings are empty at first, and name the redirect URI of the team', async () => {
  expect(await read(owner)).toEqual({
    redirect_uri: redirectUriOf(owner.actor.team_id),
    provider: null,
    domains: [],
    role_claim: null,
    role_rules: [],
    default_role: null,
    is_required: false,
    last_sign_in_at: null,
    version: 1,
  });
});

it('the settings never return or store the client secret in plain text', async () => {
  const saved = await set(owner);
  expect(saved).toMatchObject({
    provider: { issuer: settings.issuer, client_id: 'tollgate' },
    role_claim: 'groups',
    role_rules: settings.role_rules,
  });
  const stored = await harness.service.connection.collection('sso_settings').find().toArray();
  for (const text of [JSON.stringify(saved), JSON.stringify(stored), ...harness.logLines])
    expect(text).not.toContain(settings.client_secret);
});

it('the settings keep the secret when it is not sent, and require it with another issuer or client', async () => {
  const { client_secret: _, ...unchanged } = settings;
  const call = (change: object) =>
    harness.call(owner.actor, contract.setSingleSignOn, { ...unchanged, ...change });
  await call({ default_role: 'viewer' });
  for (const change of [{ issuer: 'https://evil.example.com' }, { client_id: 'another' }]) {
    expect(await rejection(call(change))).toMatchObject({
      code: 'invalid-request',
      errors: [expect.objectContaining({ pointer: '/client_secret' })],
    });
  }
});

it('the settings of another provider have no sign-in, also when a member signs in with the earlier one meanwhile', async () => {
  const person = await createTeamWithOwner(harness);
  const { ssoSettings } = harness.app.context;
  await set(person);
  const update = ssoSettings.model.updateOne.bind(ssoSettings.model);
  const afterSignIn = async (...change: Parameters<typeof update>) => {
    const read = await ssoSettings.find(person.actor.team_id);
    await ssoSettings.recordSignIn(read, new Date(harness.clock.now()));
    return update(...change);
  };
  vi.spyOn(ssoSettings.model, 'updateOne').mockImplementationOnce(afterSignIn as unknown as typeof update);
  const changed = await set(person, { issuer: otherProvider.issuer });
  expect(changed.last_sign_in_at).toBeNull();
  expect(await read(person)).toEqual(changed);
});

it('the settings are rejected with a version that is not current', async () => {
  const { version } = await set(owner, { default_role: 'developer' });
  expect(await rejection(set(owner, { default_role: 'viewer', if_version: version - 1 }))).toMatchObject({
    code: 'precondition-failed',
  });
  expect(await set(owner, { default_role: 'viewer', if_version: version })).toMatchObject({
    version: version + 1,
  });
});

it.each([
  'http://login.example.com',
  'http://localhost.example.com',
  'ftp://login.example.com',
  'login.example.com',
  'https://user:password@login.example.com',
  'https://login.example.com?tenant=1',
  'https://login.example.com/#fragment',
  'https://login.example.com/.well-known/openid-configuration',
])('the settings reject the issuer %s', async (issuer) => {
  expect(await rejection(set(owner, { issuer }))).toMatchObject({
    code: 'invalid-request',
    errors: [expect.objectContaining({ pointer: '/issuer' })],
  });
});

/** A server that returns this for every path. */
async function serve(respond: (issuer: string) => { status: number; body: string }): Promise<Server> {
  const server = createServer((_request, response) => {
    const { status, body } = respond(issuerAt(server));
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
const issuerAt = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

it.each<[string, string, (issuer: string) => { status: number; body: string }]>([
  ['is no provider', 'not-an-issuer', () => ({ status: 404, body: '{}' })],
  ['returns no JSON', 'not-an-issuer', () => ({ status: 200, body: '<html>' })],
  [
    'names another issuer',
    'issuer-mismatch',
    () => ({ status: 200, body: '{"issuer":"https://other.example.com"}' }),
  ],
  [
    'lacks an endpoint',
    'missing-endpoint',
    (issuer) => ({
      status: 200,
      body: JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize` }),
    }),
  ],
])('the settings reject an issuer that %s, and keep what they had', async (_what, code, respond) => {
  const person = await createTeamWithOwner(harness);
  const server = await serve(respond);
  const rejected = await rejection(set(person, { issuer: issuerAt(server) }));
  server.close();
  expect(rejected).toMatchObject({ code: 'invalid-request', errors: [{ pointer: '/issuer', code }] });
  expect(await read(person)).toMatchObject({ provider: null, version: 1 });
});

it('the settings reject an issuer that cannot be reached, and save other changes while it is down', async () => {
  const person = await createTeamWithOwner(harness);
  const down = await startIdentityProvider({ redirectUris: [], claimsInIdToken: true });
  await set(person, { issuer: down.issuer });
  await down.stop();
  expect(await set(person, { issuer: down.issuer, default_role: 'auditor' })).toMatchObject({
    default_role: 'auditor',
  });
  const closed = await serve(() => ({ status: 200, body: '{}' }));
  const issuer = issuerAt(closed);
  closed.close();
  expect(await rejection(set(person, { issuer }))).toMatchObject({
    code: 'invalid-request',
    errors: [{ pointer: '/issuer', code: 'unreachable' }],
  });
});

it('only an owner can make the service test an issuer', async () => {
  const { actor } = await addMember(harness, owner, 'auditor');
  expect(
    await rejection(
      harness.call(actor, contract.setSingleSignOn, { ...settings, issuer: 'http://127.0.0.1:9' }),
    ),
  ).toMatchObject({ code: 'forbidden' });
});

it('the settings are removed as a whole, and a version from before never matches again', async () => {
  const before = await set(other);
  const domain = newDomain();
  await verifyDomain(harness, other, domain);
  await harness.call(other.actor, contract.removeSingleSignOn, {});
  expect(await read(other)).toMatchObject({ provider: null, domains: [], role_claim: null });
  expect(await rejection(set(other, { if_version: before.version }))).toMatchObject({
    code: 'precondition-failed',
  });
  await verifyDomain(harness, owner, domain);
});

it('a domain is verified by the DNS record with the value of the team, and by no other', async () => {
  const domain = newDomain();
  const [ours, theirs] = [await add(owner, domain), await add(other, domain)];
  const record = ours.domains.find((each) => each.domain === domain);
  const foreign = theirs.domains.find((each) => each.domain === domain);
  expect(record).toMatchObject({ record_name: `_tollgate.${domain}`, verified_by: null });
  expect(foreign?.record_value).not.toBe(record?.record_value);
  expect(await rejection(verify(owner, domain))).toMatchObject({ code: 'conflict' });
  harness.records.set(`_tollgate.${domain}`, [foreign?.record_value ?? '']);
  expect(await rejection(verify(owner, domain))).toMatchObject({ code: 'conflict' });
  harness.records.set(`_tollgate.${domain}`, [record?.record_value ?? '']);
  expect((await verify(owner, domain)).domains.find((each) => each.domain === domain)).toMatchObject({
    verified_by: 'dns',
  });
});

it('a domain is verified by one team only', async () => {
  const domain = newDomain();
  await verifyDomain(harness, owner, domain);
  const { domains } = await add(other, domain);
  harness.records.set(`_tollgate.${domain}`, [domains.at(-1)?.record_value ?? '']);
  expect(await rejection(verify(other, domain))).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('Another team'),
  });
  await harness.call(owner.actor, contract.removeSingleSignOnDomain, { domain });
  expect((await verify(other, domain)).domains.at(-1)).toMatchObject({ domain, verified_by: 'dns' });
});

it('a domain that the operator verified for a team needs no record, and cannot be verified by another team', async () => {
  const domain = newDomain();
  harness.app.context.domainProofs.operatorDomains = new Map([[domain, owner.actor.team_id]]);
  await add(owner, domain);
  const { domains } = await add(other, domain);
  harness.records.set(`_tollgate.${domain}`, [domains.at(-1)?.record_value ?? '']);
  expect(await rejection(verify(other, domain))).toMatchObject({ code: 'conflict' });
  expect((await verify(owner, domain)).domains.at(-1)).toMatchObject({ domain, verified_by: 'operator' });
});

it('a domain is stored in lower case and ASCII, once', async () => {
  await add(owner, ' Bücher.Example ');
  const { domains } = await add(owner, 'xn--bcher-kva.example');
  expect(domains.filter(({ domain }) => domain.startsWith('xn--'))).toHaveLength(1);
});

it.each([
  'com',
  '127.0.0.1',
  'a_b.example',
  '-a.example',
  'a..example',
  'ada@example.com',
  'https://example.com',
  '*.example.com',
])('a domain is rejected when it is %s', async (domain) => {
  expect(await rejection(add(owner, domain))).toMatchObject({ code: 'invalid-request' });
});

it('a domain is looked up a few times only while its record is missing', async () => {
  const domain = newDomain();
  await add(owner, domain);
  const codes: string[] = [];
  for (let attempt = 0; attempt < 8; attempt++) codes.push((await rejection(verify(owner, domain))).code);
  expect(codes).toContain('too-many-attempts');
});
