import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { withClaims } from '@tollgate/test-kit/identity-provider/with-claims';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { CLOCK_TOLERANCE_S } from '../../src/sso/provider/openid-connect.ts';
import { acceptWithEmail, actorOf, addPasskey, PASSWORD, signedIn } from '../harness.ts';
import {
  configure,
  createSsoTeam,
  finish,
  type SsoHarness,
  type SsoTeam,
  signInAs,
  start,
  startSsoHarness,
} from './scene.ts';

const EPOCH = new Date(0).toISOString();

let harness: SsoHarness;
let team: SsoTeam;
/** The cookies of a browser in which ada has signed in at the provider. */
let cookies: Map<string, string>;

beforeAll(async () => {
  harness = await startSsoHarness();
  team = await createSsoTeam(harness, { default_role: 'admin' });
  team.provider.addPerson({ sub: 'ada', email: emailOf('ada'), email_verified: true, name: 'Ada' });
});
beforeEach(async () => {
  team.provider.rewriteIdTokens(null);
  cookies = new Map();
  await signInAgain({ mustAuthenticateAgain: false });
});
afterAll(async () => {
  await team?.provider.stop();
  await harness.stop();
});

const emailOf = (sub: string) => `${sub}@${team.domain}`;
const nowS = () => Math.floor(Date.now() / 1000);

/** Signs in in the browser that is signed in at the provider. */
async function signInAgain({ mustAuthenticateAgain = true } = {}): Promise<{ token: string }> {
  harness.clock.set(Date.now());
  const started = await start(harness, emailOf('ada'), { mustAuthenticateAgain });
  const callback = await team.provider.signIn(started.authorization_url, 'ada', cookies);
  return finish(harness, team.teamId, started.browser_token, callback);
}

const withAuthTime = (authTimeS: number | undefined) => withClaims({ auth_time: authTimeS });
const timeOf = async ({ token }: { token: string }) => (await actorOf(harness, token)).authenticated_at;

/** Whether the session can do what needs a recent authentication. */
async function canCreateLiveToken({ token }: { token: string }): Promise<boolean> {
  const request = { name: 'Deployment', role: 'viewer' as const, environments: ['live' as const] };
  const attempt = harness.call(await actorOf(harness, token), contract.createToken, request);
  return attempt.then(
    () => true,
    (problem) => {
      expect(problem).toMatchObject({ details: { code: 'reauthentication-required' } });
      return false;
    },
  );
}

it('a confirmation with single sign-on asks the provider for a new authentication, which a sign-in does not', async () => {
  const maxAge = async (mustAuthenticateAgain: boolean) => {
    const { authorization_url } = await start(harness, emailOf('ada'), { mustAuthenticateAgain });
    return new URL(authorization_url).searchParams.get('max_age');
  };
  expect(await maxAge(true)).toBe('0');
  expect(await maxAge(false)).toBeNull();
});

it('a confirmation with single sign-on shows the sign-in page of a provider at which the person is signed in', async () => {
  const before = team.provider.submittedSignIns();
  await signInAgain({ mustAuthenticateAgain: false });
  expect(team.provider.submittedSignIns()).toBe(before);
  await signInAgain();
  expect(team.provider.submittedSignIns()).toBe(before + 1);
});

it('a confirmation with single sign-on creates a session that is authenticated at the time that the provider states', async () => {
  const confirmed = await signInAgain();
  const time = Date.parse((await timeOf(confirmed)) as string);
  expect(Math.abs(time - Date.now())).toBeLessThan(CLOCK_TOLERANCE_S * 1000);
  expect(await canCreateLiveToken(confirmed)).toBe(true);
});

it('a confirmation with single sign-on is rejected when the provider did not ask the person again, and says what to do', async () => {
  team.provider.rewriteIdTokens(withAuthTime(nowS() - CLOCK_TOLERANCE_S - 30));
  expect(await rejection(signInAgain())).toMatchObject({
    code: 'sso-failed',
    detail: expect.stringContaining('Sign out at the provider'),
  });
});

it('a confirmation with single sign-on is rejected when the provider does not say when the person signed in, and says what to do', async () => {
  for (const authTimeS of [undefined, nowS() + 10 * CLOCK_TOLERANCE_S]) {
    team.provider.rewriteIdTokens(withAuthTime(authTimeS));
    expect(await rejection(signInAgain())).toMatchObject({
      code: 'sso-failed',
      detail: expect.stringContaining('claim auth_time'),
    });
  }
});

it('a confirmation with single sign-on accepts a provider whose clock is a little behind or ahead', async () => {
  for (const differenceS of [20 - CLOCK_TOLERANCE_S, CLOCK_TOLERANCE_S - 20]) {
    team.provider.rewriteIdTokens(withAuthTime(nowS() + differenceS));
    const confirmed = await signInAgain();
    expect(Date.parse((await timeOf(confirmed)) as string)).toBeLessThanOrEqual(harness.clock.now());
  }
});

it('a sign-in in a browser that is signed in at the provider is as recent as the person authenticated there', async () => {
  const hourAgo = nowS() - 3_600;
  team.provider.rewriteIdTokens(withAuthTime(hourAgo));
  const silent = await signInAgain({ mustAuthenticateAgain: false });
  expect(await timeOf(silent)).toBe(new Date(hourAgo * 1000).toISOString());
  expect(await canCreateLiveToken(silent)).toBe(false);
});

it('a sign-in in a browser that is signed in at the provider is not recent when the provider does not say', async () => {
  team.provider.rewriteIdTokens(withAuthTime(undefined));
  const silent = await signInAgain({ mustAuthenticateAgain: false });
  expect(await timeOf(silent)).toBe(EPOCH);
  expect(await canCreateLiveToken(silent)).toBe(false);
});

it('a member whose team requires single sign-on confirms their identity neither with a password nor with a passkey', async () => {
  const strict = await createSsoTeam(harness);
  await signInAs(harness, strict, 'grace');
  const request = { email: `linus@${strict.domain}`, role: 'developer' as const };
  const member = await signedIn(harness, await acceptWithEmail(harness, strict.owner, request));
  const { device } = await addPasskey(harness, member);
  const { options } = await harness.call(member.actor, contract.createReauthenticationChallenge, {});
  await configure(harness, strict, { is_required: true });
  for (const proof of [{ current_password: PASSWORD }, { passkey: device.sign(options) }]) {
    const attempt = harness.call(member.actor, contract.reauthenticate, proof);
    expect(await rejection(attempt)).toMatchObject({ code: 'sso-required' });
  }
  const challenge = harness.call(member.actor, contract.createReauthenticationChallenge, {});
  expect(await rejection(challenge)).toMatchObject({ code: 'sso-required' });
  await strict.provider.stop();
});
