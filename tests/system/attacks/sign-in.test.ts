import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInBrowser, openVisitor, signIn as signInWithForm } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember } from '../../support/platform/test-team.ts';
import { totpCode } from '../../support/platform/totp.ts';
import { lockOut } from './lock-out.ts';

const WRONG = 'a wrong password';
/** The limit of an address. */
const GUESSES_PER_ADDRESS = 51;

let platform: SharedPlatform;
let addresses = 0;

beforeAll(async () => {
  platform = await joinSharedPlatform();
});
afterAll(() => platform?.leave());

async function aMember(): Promise<TestMember> {
  return (await platform.createTeam()).owner;
}

/** Signs in from an address of which few others have failed attempts. */
function signIn({ email, password }: { email: string; password: string }, device_token?: string) {
  addresses += 1;
  const headers = { 'x-forwarded-for': `198.18.${addresses % 7}.${addresses % 250}` };
  const request = { email, password, ...(device_token !== undefined && { device_token }) };
  return platform.admin.as(null).call(ADMIN_ROUTES.signIn, request, { headers });
}

async function deviceOf(member: TestMember): Promise<string> {
  const { body } = await signIn(member);
  return body.device_token as string;
}

/** Guesses the member's password until the platform makes the attacker wait. */
function lockOutOf({ email }: TestMember, deviceToken?: string): Promise<number> {
  return lockOut(() => signIn({ email, password: WRONG }, deviceToken), 'sign-in-failed');
}

describe('guessing the password of a member from many addresses', () => {
  let member: TestMember;
  let knownDevice: string;

  beforeAll(async () => {
    member = await aMember();
    knownDevice = await deviceOf(member);
    await lockOutOf(member);
  }, 30_000);

  it('guessing the password of a member from many addresses makes unknown devices wait', async () => {
    expect((await signIn(member)).problem).toMatchObject({ code: 'too-many-attempts', status: 429 });
  });

  it('guessing the password of a member from many addresses does not delay a device on which the member signed in before', async () => {
    expect((await signIn(member, knownDevice)).status).toBe(201);
  });

  it('guessing the password of a member from many addresses gains nothing from the token of another member, or from an altered one', async () => {
    const altered = `${knownDevice.slice(0, -4)}AAAA`;
    for (const deviceToken of [await deviceOf(await aMember()), altered, 'x']) {
      expect((await signIn(member, deviceToken)).problem).toMatchObject({
        code: 'too-many-attempts',
      });
    }
  });
});

it.each([
  ['with a port', (index: number) => `203.0.113.7:${50_000 + index}`],
  ['in brackets with a port', (index: number) => `[2001:db8::${index}]:443`],
])('guessing the passwords of many members from one address %s is limited', async (_what, addressOf) => {
  const codes: unknown[] = [];
  for (let index = 1; index <= GUESSES_PER_ADDRESS + 1; index += 1) {
    const credentials = { email: `nobody-${index}@example.com`, password: WRONG };
    const headers = { 'x-forwarded-for': addressOf(index) };
    const { problem } = await platform.admin.as(null).call(ADMIN_ROUTES.signIn, credentials, { headers });
    codes.push(problem?.code);
  }
  expect(codes).toContain('too-many-attempts');
});

it('guessing with the stolen token of a device is limited, and delays no other device of the member', async () => {
  const member = await aMember();
  const [stolen, other] = [await deviceOf(member), await deviceOf(member)];
  expect(await lockOutOf(member, stolen)).toBeLessThan(10);
  expect((await signIn(member, other)).status).toBe(201);
  expect((await signIn(member)).status).toBe(201);
}, 30_000);

it('a stolen token of a device is worthless after a new password', async () => {
  const member = await aMember();
  const stolen = await deviceOf(member);
  const changed = { current_password: member.password, new_password: 'another long password' };
  expect((await platform.admin.as(member.session).call(ADMIN_ROUTES.changePassword, changed)).status).toBe(
    204,
  );
  await lockOutOf(member);
  const credentials = { email: member.email, password: changed.new_password };
  expect((await signIn(credentials, stolen)).problem).toMatchObject({ code: 'too-many-attempts' });
}, 30_000);

it('the codes of an authenticator app that is being set up cannot be guessed', async () => {
  const { session, password } = await aMember();
  const member = platform.admin.as(session);
  const { body } = await member.call(ADMIN_ROUTES.startTotp, { current_password: password });
  const guess = () => member.call(ADMIN_ROUTES.confirmTotp, { totp: '000000' });
  expect(await lockOut(guess, 'invalid-request')).toBeLessThan(11);
  const correct = await member.call(ADMIN_ROUTES.confirmTotp, { totp: totpCode(body.secret) });
  expect(correct.problem).toMatchObject({ code: 'too-many-attempts' });
}, 30_000);

describeInBrowser('a browser in which a member signed in before', () => {
  it('a browser in which a member signed in before signs in again while others guess the password, and a browser that is new does not', async () => {
    const member = await aMember();
    const visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member });
    await visitor.context.clearCookies({ name: /session/ });
    await lockOutOf(member);

    const stranger = await openVisitor({ dashboardUrl: platform.dashboardUrl });
    await stranger.page.goto('/sign-in');
    await stranger.page.getByLabel('Email').fill(member.email);
    await stranger.page.getByLabel('Password', { exact: true }).fill(member.password);
    await stranger.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await stranger.page.getByText('Too many attempts').waitFor();

    await signInWithForm(visitor.page, member);
    await Promise.all([visitor.close(), stranger.close()]);
  }, 60_000);
});
