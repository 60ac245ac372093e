import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import type { RewriteIdToken } from '@tollgate/test-kit/identity-provider/identity-provider';
import { withClaims } from '@tollgate/test-kit/identity-provider/with-claims';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CLOCK_TOLERANCE_S } from '../../src/sso/provider/openid-connect.ts';
import { actorOf } from '../harness.ts';
import {
  createSsoTeam,
  finish,
  type SsoHarness,
  type SsoTeam,
  signInAs,
  start,
  startAndReturn,
  startSsoHarness,
} from './scene.ts';

let harness: SsoHarness;
let team: SsoTeam;
let other: SsoTeam;

beforeAll(async () => {
  harness = await startSsoHarness();
  team = await createSsoTeam(harness);
  other = await createSsoTeam(harness);
});
beforeEach(() => team.provider.rewriteIdTokens(null));
afterAll(async () => {
  await team?.provider.stop();
  await other?.provider.stop();
  await harness.stop();
});

const minutes = (count: number) => count * 60_000;

it('a sign-in with single sign-on creates a session for the identity, and each sign-in creates another session', async () => {
  const first = await signInAs(harness, team, 'ada');
  const second = await signInAs(harness, team, 'ada');
  expect(second.member).toMatchObject({
    id: first.member.id,
    email: `ada@${team.domain}`,
    name: 'Name of ada',
  });
  expect(second.token).not.toBe(first.token);
  expect(await actorOf(harness, second.token)).toMatchObject({
    member_id: first.member.id,
    team_id: team.teamId,
    role: 'viewer',
  });
});

it('a sign-in with single sign-on sends PKCE with S256, a state, and a nonce, and asks for the email of the person', async () => {
  const { authorization_url } = await start(harness, `ada@${team.domain}`);
  const url = new URL(authorization_url);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    scope: 'openid email profile',
    login_hint: `ada@${team.domain}`,
  });
});

it('a sign-in with single sign-on starts in the same way for an email with an account and one without', async () => {
  const [known, unknown] = [`ada@${team.domain}`, `nobody@${team.domain}`];
  const replies = [await start(harness, known), await start(harness, unknown)];
  const shapes = replies.map(({ authorization_url }) => {
    const url = new URL(authorization_url);
    return [url.origin, url.pathname, [...url.searchParams.keys()]];
  });
  expect(shapes[0]).toEqual(shapes[1]);
});

it('a sign-in with single sign-on is not found for a domain that no team has verified', async () => {
  await harness.call(team.owner.actor, contract.addSingleSignOnDomain, { domain: 'unverified.example' });
  for (const email of ['ada@unverified.example', 'ada@unknown.example', 'no address'])
    expect(await rejection(start(harness, email))).toMatchObject({ code: 'not-found' });
  await harness.call(team.owner.actor, contract.removeSingleSignOnDomain, { domain: 'unverified.example' });
});

it('a sign-in with single sign-on reads claims from the UserInfo endpoint when the ID token lacks them', async () => {
  const small = await createSsoTeam(harness, { claimsInIdToken: false });
  const { member } = await signInAs(harness, small, 'grace');
  expect(member).toMatchObject({ email: `grace@${small.domain}`, role: 'viewer' });
  await small.provider.stop();
});

it('a sign-in with single sign-on stores neither the token of the browser nor the verifier of the code', async () => {
  const { authorization_url, browser_token } = await start(harness, `ada@${team.domain}`);
  const state = new URL(authorization_url).searchParams.get('state') as string;
  const stored = await harness.service.connection.collection('sso_authorizations').find().toArray();
  expect(stored.length).toBeGreaterThan(0);
  for (const secret of [browser_token, state]) expect(JSON.stringify(stored)).not.toContain(secret);
});

it('a response is accepted once', async () => {
  const { browserToken, callback } = await startAndReturn(harness, team, 'ada', `ada@${team.domain}`);
  await finish(harness, team.teamId, browserToken, callback);
  const replayed = rejection(finish(harness, team.teamId, browserToken, callback));
  expect(await replayed).toMatchObject({
    code: 'sso-failed',
    detail: expect.stringContaining('already used'),
  });
});

it('a response is accepted once when it arrives several times at the same moment', async () => {
  const { browserToken, callback } = await startAndReturn(harness, team, 'ada', `ada@${team.domain}`);
  const attempts = await Promise.allSettled(
    Array.from({ length: 5 }, () => finish(harness, team.teamId, browserToken, callback)),
  );
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it('a response expires after ten minutes', async () => {
  const { browserToken, callback } = await startAndReturn(harness, team, 'ada', `ada@${team.domain}`);
  harness.clock.advance(minutes(10));
  expect(await rejection(finish(harness, team.teamId, browserToken, callback))).toMatchObject({
    code: 'sso-failed',
  });
});

it('a response is rejected in another browser, and stays valid in its own', async () => {
  const [one, another] = [
    await startAndReturn(harness, team, 'ada', `ada@${team.domain}`),
    await startAndReturn(harness, team, 'ada', `ada@${team.domain}`),
  ];
  expect(await rejection(finish(harness, team.teamId, another.browserToken, one.callback))).toMatchObject({
    code: 'sso-failed',
  });
  await finish(harness, team.teamId, one.browserToken, one.callback);
});

it('a response with the state of another authorization is rejected', async () => {
  const [one, another] = [
    await startAndReturn(harness, team, 'ada', `ada@${team.domain}`),
    await startAndReturn(harness, team, 'ada', `ada@${team.domain}`),
  ];
  const mixed = new URL(one.callback);
  mixed.searchParams.set('code', another.callback.searchParams.get('code') as string);
  // The code was issued for another PKCE challenge.
  expect(await rejection(finish(harness, team.teamId, one.browserToken, mixed))).toMatchObject({
    code: 'sso-failed',
  });
});

it('a response of one provider is never sent to another, with or without an iss parameter', async () => {
  for (const keepsIssuer of [true, false]) {
    // The browser was sent to the provider of the other team, and comes back from this one.
    const { browser_token, authorization_url } = await start(harness, `eve@${other.domain}`);
    const { callback } = await startAndReturn(harness, team, 'ada', `ada@${team.domain}`);
    callback.searchParams.set('state', new URL(authorization_url).searchParams.get('state') as string);
    if (!keepsIssuer) callback.searchParams.delete('iss');
    const before = other.provider.tokenRequests();
    // The path of the redirect URI is that of the team whose provider responded.
    expect(await rejection(finish(harness, team.teamId, browser_token, callback))).toMatchObject({
      code: 'sso-failed',
    });
    // Even if the caller names the other team, the issuer does not match.
    expect(await rejection(finish(harness, other.teamId, browser_token, callback))).toMatchObject({
      code: 'sso-failed',
    });
    expect(other.provider.tokenRequests()).toBe(before);
  }
});

it('a response with an error of the provider shows its code, and no text of others', async () => {
  for (const [error, shown] of [
    ['access_denied', 'access_denied'],
    ['Call 555-0100 now', 'unknown error'],
  ] as const) {
    const { callback, browserToken } = await startAndReturn(harness, team, 'ada', `ada@${team.domain}`);
    callback.searchParams.delete('code');
    callback.searchParams.set('error', error);
    callback.searchParams.set('error_description', 'Call 555-0100 now');
    const { detail } = await rejection(finish(harness, team.teamId, browserToken, callback));
    expect(detail).toContain(`(${shown})`);
    expect(detail).not.toContain('555');
  }
});

it('a response is rejected when an owner changed the client meanwhile', async () => {
  const changing = await createSsoTeam(harness);
  changing.provider.addPerson({ sub: 'x', email: `x@${changing.domain}`, email_verified: true });
  const { browserToken, callback } = await startAndReturn(harness, changing, 'x', `x@${changing.domain}`);
  await harness.call(changing.owner.actor, contract.setSingleSignOn, {
    issuer: changing.provider.issuer,
    client_id: 'another',
    client_secret: 'another secret',
    role_claim: null,
    role_rules: [],
    default_role: null,
    is_required: false,
  });
  expect(await rejection(finish(harness, changing.teamId, browserToken, callback))).toMatchObject({
    code: 'sso-failed',
    detail: expect.stringContaining('changed the identity provider'),
  });
  await changing.provider.stop();
});

describe('an ID token', () => {
  it('signed again with the key of the provider is accepted', async () => {
    team.provider.rewriteIdTokens(withClaims({}));
    await signInAs(harness, team, 'ada');
  });

  it.each([
    ['for another client', { aud: 'another client' }],
    ['for several clients, without an authorized party', { aud: ['tollgate', 'another client'] }],
    ['of another issuer', { iss: 'https://another.example' }],
    ['with the nonce of another sign-in', { nonce: 'another nonce' }],
    ['that has expired', { exp: Math.floor(Date.now() / 1000) - 3_600 }],
    ['that was issued long before', { iat: Math.floor(Date.now() / 1000) - 3_600 }],
    ['that is issued in the future', { iat: Math.floor(Date.now() / 1000) + 3_600 }],
  ])('%s is rejected', async (_what, change) => {
    team.provider.rewriteIdTokens(withClaims(change));
    expect(await rejection(signInAs(harness, team, 'ada'))).toMatchObject({ code: 'sso-failed' });
  });

  it('an ID token without a signature is rejected', async () => {
    team.provider.rewriteIdTokens((idToken) => new UnsecuredJWT(decodeJwt(idToken)).encode());
    expect(await rejection(signInAs(harness, team, 'ada'))).toMatchObject({ code: 'sso-failed' });
  });

  it('signed with the client secret instead of the key of the provider is rejected', async () => {
    team.provider.rewriteIdTokens((idToken) =>
      new SignJWT(decodeJwt(idToken))
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(team.provider.clientSecret)),
    );
    expect(await rejection(signInAs(harness, team, 'ada'))).toMatchObject({ code: 'sso-failed' });
  });

  it('an ID token with a changed claim and the old signature is rejected', async () => {
    team.provider.rewriteIdTokens((idToken) => {
      const [header, , signature] = idToken.split('.');
      const claims = { ...decodeJwt(idToken), email: `owner@${team.domain}` };
      return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
    });
    expect(await rejection(signInAs(harness, team, 'ada'))).toMatchObject({ code: 'sso-failed' });
  });

  it('an ID token is accepted at once after the provider rotated its key, and one with the withdrawn key is rejected', async () => {
    let withdrawn: Parameters<RewriteIdToken>[1] | undefined;
    team.provider.rewriteIdTokens((idToken, key) => {
      withdrawn = key;
      return idToken;
    });
    await signInAs(harness, team, 'ada');
    await team.provider.rotateKeys();
    team.provider.rewriteIdTokens(null);
    await signInAs(harness, team, 'ada');
    team.provider.rewriteIdTokens((idToken) =>
      withClaims({})(idToken, withdrawn as Parameters<RewriteIdToken>[1]),
    );
    expect(await rejection(signInAs(harness, team, 'ada'))).toMatchObject({ code: 'sso-failed' });
  });

  it.each([
    ['ahead', 1],
    ['behind', -1],
  ])(
    'an ID token is accepted from a clock that is a little %s, and rejected from one that is far',
    async (_where, sign) => {
      const attempt = async (differenceS: number) => {
        const email = `ada@${team.domain}`;
        harness.clock.set(Date.now() - sign * differenceS * 1000);
        const { authorization_url, browser_token } = await start(harness, email);
        const callback = await team.provider.signIn(authorization_url, 'ada');
        return finish(harness, team.teamId, browser_token, callback);
      };
      await attempt(CLOCK_TOLERANCE_S - 20);
      expect(await rejection(attempt(5 * CLOCK_TOLERANCE_S))).toMatchObject({
        code: 'sso-failed',
        detail: expect.stringContaining('clock'),
      });
    },
  );
});

it('a provider that is down is reported as such, and one that names another issuer too', async () => {
  const down = await createSsoTeam(harness);
  await down.provider.stop();
  expect(await rejection(start(harness, `ada@${down.domain}`))).toMatchObject({
    code: 'sso-failed',
    detail: expect.stringContaining('could not be reached'),
  });
  const misnamed = await createSsoTeam(harness);
  const issuer = misnamed.provider.issuer.replace('127.0.0.1', 'localhost');
  await harness.service.connection
    .collection<{ _id: string }>('sso_settings')
    .updateOne({ _id: misnamed.teamId }, { $set: { 'provider.issuer': issuer } });
  expect(await rejection(start(harness, `ada@${misnamed.domain}`))).toMatchObject({ code: 'sso-failed' });
  await misnamed.provider.stop();
});

it('a provider with a wrong client secret is reported with what an owner must check', async () => {
  const wrong = await createSsoTeam(harness, { client_secret: 'wrong' });
  expect(await rejection(signInAs(harness, wrong, 'ada'))).toMatchObject({
    code: 'sso-failed',
    detail: expect.stringContaining('invalid_client'),
  });
  await wrong.provider.stop();
});
