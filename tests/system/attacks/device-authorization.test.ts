import {
  approveDeviceAuthorization,
  changeRole,
  createToken,
  removeMember,
} from '@tollgate/contracts/accounts/rpc';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logIn, pollLogin, startLogin } from '../../support/platform/program-login.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember, TestTeam } from '../../support/platform/test-team.ts';
import { lockOut } from './lock-out.ts';

let platform: SharedPlatform;
let team: TestTeam;
let developer: TestMember;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  developer = await team.createMember('developer');
});
afterAll(() => platform?.leave());

const as = (credential: string | null) => platform.admin.as(credential);
const codeOf = async (token: string) =>
  (await as(token).call(ADMIN_ROUTES.listApplications, {})).problem?.code ?? 'accepted';

it('a member who guesses codes is slowed down after a few, for lookups and for approvals', async () => {
  const guesser = await team.createMember('viewer');
  const guess = (user_code: string) =>
    as(guesser.session).call(ADMIN_ROUTES.approveDeviceAuthorization, { user_code, role: 'viewer' });
  const codes = ['BBBB-BBBB', 'BBBB-BBBC', 'BBBB-BBBD', 'BBBB-BBBF', 'BBBB-BBBG', 'BBBB-BBBH'];
  for (const code of codes) expect((await guess(code)).problem?.code).toBe('not-found');
  expect(await lockOut(() => guess('BBBB-BBBJ'), 'not-found')).toBeLessThan(5);
  const { user_code, device_code } = await startLogin(platform);
  expect((await guess(user_code)).problem?.code).toBe('too-many-attempts');
  const read = await as(guesser.session).call(ADMIN_ROUTES.getDeviceAuthorization, { user_code });
  expect(read.problem?.code).toBe('too-many-attempts');
  expect((await pollLogin(platform, device_code)).status).toBe('authorization_pending');
});

it('an approval with a higher role than that of the member is denied', async () => {
  const { user_code, device_code } = await startLogin(platform);
  const approve = (role: 'admin' | 'developer') =>
    as(developer.session).call(ADMIN_ROUTES.approveDeviceAuthorization, { user_code, role });
  expect((await approve('admin')).problem?.code).toBe('forbidden');
  expect((await pollLogin(platform, device_code)).status).toBe('authorization_pending');
  expect((await approve('developer')).status).toBe(204);
});

it('an approval by an API token or the token of another login is denied', async () => {
  const { secret } = await team.owner.call(createToken, { name: 'Deployment', role: 'admin' });
  const { token } = await logIn(platform, team.owner, { role: 'admin' });
  const { user_code, device_code } = await startLogin(platform);
  for (const credential of [shownOnce(secret), token]) {
    const caller = as(credential);
    const { problem } = await caller.call(ADMIN_ROUTES.approveDeviceAuthorization, {
      user_code,
      role: 'viewer',
    });
    expect(problem?.code).toBe('forbidden');
  }
  expect((await pollLogin(platform, device_code)).status).toBe('authorization_pending');
});

it('an approval needs a form of the dashboard: neither a link nor a form of another site suffices', async () => {
  const { user_code, device_code } = await startLogin(platform);
  const cookie = await dashboardCookie(team.owner);
  const url = new URL(`/device?user_code=${user_code}`, platform.dashboardUrl);
  const link = await fetch(url, { headers: { cookie } });
  expect(link.status).toBe(200);
  expect(await link.text()).toContain('Enter the code that your terminal shows.');
  const approve = (origin: string) =>
    fetch(new URL('/device?/approve', platform.dashboardUrl), {
      method: 'POST',
      headers: { cookie, origin },
      body: new URLSearchParams({ user_code, role: 'viewer', environments: 'both' }),
    });
  expect((await approve('https://evil.example')).status).toBe(403);
  expect((await pollLogin(platform, device_code)).status).toBe('authorization_pending');
  const get = await as(team.owner.session).fetch(`/admin/v1/device-authorizations/${user_code}/approve`);
  expect(get.status).toBe(405);
  expect((await approve(new URL(platform.dashboardUrl).origin)).status).toBe(200);
  expect((await pollLogin(platform, device_code)).status).toBe('approved');
});

it('a device code is exchanged once, also by polls that arrive together', async () => {
  const { user_code, device_code } = await startLogin(platform);
  await team.owner.call(approveDeviceAuthorization, { user_code, role: 'viewer' });
  const polls = await Promise.all(Array.from({ length: 5 }, () => pollLogin(platform, device_code)));
  expect(polls.filter(({ token }) => token !== undefined)).toHaveLength(1);
  expect(await pollLogin(platform, device_code)).toEqual({ status: 'expired_token', interval: 5 });
});

it('a device code cannot be replaced by the user code, which is all that a bystander sees', async () => {
  const { user_code } = await startLogin(platform);
  await team.owner.call(approveDeviceAuthorization, { user_code, role: 'viewer' });
  for (const code of [user_code, user_code.replace('-', '')])
    expect(await pollLogin(platform, code)).toEqual({ status: 'expired_token', interval: 5 });
  const read = await as(null).call(ADMIN_ROUTES.getDeviceAuthorization, { user_code });
  expect(read.status).toBe(401);
});

it('what a thief approved in a stolen session is neither exchanged nor accepted after the member signed out everywhere', async () => {
  const member = await team.createMember('developer');
  const [pending, used] = [await startLogin(platform), await startLogin(platform)];
  for (const { user_code } of [pending, used])
    await member.call(approveDeviceAuthorization, { user_code, role: 'developer' });
  const { token } = await pollLogin(platform, used.device_code);
  expect(await codeOf(token ?? '')).toBe('accepted');
  expect((await as(member.session).call(ADMIN_ROUTES.listDeviceAuthorizations, {})).body.data).toHaveLength(
    1,
  );
  expect((await as(member.session).call(ADMIN_ROUTES.revokeAllSessions, {})).status).toBe(204);
  expect((await pollLogin(platform, pending.device_code)).status).toBe('access_denied');
  expect(await codeOf(token ?? '')).toBe('invalid-api-token');
});

it('the token of a login is rejected as soon as its member is removed', async () => {
  const leaver = await team.createMember('developer');
  const { token } = await logIn(platform, leaver, { role: 'developer' });
  expect(await codeOf(token)).toBe('accepted');
  await team.owner.call(removeMember, { member_id: leaver.id });
  expect(await codeOf(token)).toBe('invalid-api-token');
});

it('the token of a login is rejected as soon as its member has a lower role', async () => {
  const member = await team.createMember('developer');
  const { token } = await logIn(platform, member, { role: 'developer' });
  await team.owner.call(changeRole, { member_id: member.id, role: 'viewer' });
  expect(await codeOf(token)).toBe('invalid-api-token');
});

it('the token of a login has its own role, not that of its member', async () => {
  const { token } = await logIn(platform, team.owner, { role: 'viewer' });
  const { problem } = await as(token).call(ADMIN_ROUTES.createApplication, { name: 'No', scopes: [] });
  expect(problem?.code).toBe('forbidden');
});

/** Signs in like a browser. Returns the cookies. */
async function dashboardCookie({ email, password }: TestMember): Promise<string> {
  const response = await fetch(new URL('/sign-in?/password', platform.dashboardUrl), {
    method: 'POST',
    headers: { origin: new URL(platform.dashboardUrl).origin, accept: 'text/html' },
    body: new URLSearchParams({ email, password }),
    redirect: 'manual',
  });
  expect(response.status).toBe(303);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
