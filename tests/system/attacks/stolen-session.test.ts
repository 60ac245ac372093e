import {
  createPasskey,
  getMe,
  listTokens,
  reauthenticate,
  startPasskey,
} from '@tollgate/contracts/accounts/rpc';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { listKeys } from '@tollgate/contracts/applications/rpc';
import { createSoftwareAuthenticator } from '@tollgate/test-kit/software-authenticator';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { forgetAuthentication } from '../../support/platform/forget-authentication.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestMember } from '../../support/platform/test-team.ts';

let platform: SharedPlatform;
let owner: TestMember;
let viewer: TestMember;
let application: TestApplication;

beforeAll(async () => {
  platform = await joinSharedPlatform();
});
beforeEach(async () => {
  const team = await platform.createTeam();
  owner = team.owner;
  viewer = await team.createMember('viewer');
  application = await platform.createApplication(team);
  await forgetAuthentication(platform, owner.id);
});
afterAll(() => platform?.leave());

const thief = () => platform.admin.as(owner.session);

it('someone who steals the session of an owner that signed in an hour ago gets no live key, no secret, no API token for live, and no role', async () => {
  const ref = { application_id: application.id };
  const attempts = [
    thief().call(ADMIN_ROUTES.createKey, { ...ref, name: 'Mine', environment: 'live' }),
    thief().call(ADMIN_ROUTES.rotateKey, { key_id: application.keyIds.live, overlap_s: 0 }),
    thief().call(ADMIN_ROUTES.createToken, { name: 'Mine', role: 'admin' }),
    thief().call(ADMIN_ROUTES.changeRole, { member_id: viewer.id, role: 'owner' }),
    thief().call(ADMIN_ROUTES.createInvitation, { email: 'thief@example.com', role: 'owner' }),
    thief().call(ADMIN_ROUTES.createResetLink, { member_id: viewer.id }),
  ];
  for (const attempt of attempts) {
    expect((await attempt).problem).toMatchObject({ status: 403, code: 'reauthentication-required' });
  }
  expect((await owner.call(listKeys, ref)).data).toHaveLength(2);
  expect((await owner.call(listTokens, {})).data).toEqual([]);
  expect(await viewer.call(getMe, {})).toMatchObject({ role: 'viewer' });
});

it('someone who steals the session of an owner that signed in an hour ago gains nothing from a wrong password', async () => {
  const { problem } = await thief().call(ADMIN_ROUTES.reauthenticate, {
    current_password: 'a wrong password',
  });
  expect(problem).toMatchObject({ code: 'invalid-request', errors: [{ pointer: '/current_password' }] });
  const { problem: stillOld } = await thief().call(ADMIN_ROUTES.createToken, {
    name: 'Mine',
    role: 'admin',
  });
  expect(stillOld).toMatchObject({ code: 'reauthentication-required' });
});

it('someone who steals the session of an owner that signed in an hour ago gains nothing from passkeys other than those of the owner', async () => {
  const own = createSoftwareAuthenticator(platform.dashboardUrl);
  const { options } = await viewer.call(startPasskey, { current_password: viewer.password });
  await viewer.call(createPasskey, { name: 'Mine', credential: own.create(options) });
  const without = await thief().call(ADMIN_ROUTES.createReauthenticationChallenge, {});
  expect(without.problem).toMatchObject({ code: 'conflict' });

  const device = createSoftwareAuthenticator(platform.dashboardUrl);
  const started = await owner.call(startPasskey, { current_password: owner.password });
  await owner.call(createPasskey, { name: 'Laptop', credential: device.create(started.options) });
  const { body } = await thief().call(ADMIN_ROUTES.createReauthenticationChallenge, {});
  const { problem } = await thief().call(ADMIN_ROUTES.reauthenticate, { passkey: own.sign(body.options) });
  expect(problem).toMatchObject({ code: 'invalid-request', errors: [{ pointer: '/passkey' }] });
});

it('someone who steals the session of an owner that signed in an hour ago cannot use a response of the owner for a sign-in, nor one that the owner has used', async () => {
  const device = createSoftwareAuthenticator(platform.dashboardUrl);
  const started = await owner.call(startPasskey, { current_password: owner.password });
  await owner.call(createPasskey, { name: 'Laptop', credential: device.create(started.options) });
  const signIn = await platform.admin.as(null).call(ADMIN_ROUTES.createPasskeyChallenge, {});
  const { body } = await thief().call(ADMIN_ROUTES.createReauthenticationChallenge, {});
  const used = device.sign(body.options);
  await owner.call(reauthenticate, { passkey: used });
  await forgetAuthentication(platform, owner.id);
  for (const passkey of [device.sign(signIn.body.options), used]) {
    const { problem } = await thief().call(ADMIN_ROUTES.reauthenticate, { passkey });
    expect(problem).toMatchObject({ code: 'invalid-request', errors: [{ pointer: '/passkey' }] });
  }
  const { problem } = await thief().call(ADMIN_ROUTES.createToken, { name: 'Mine', role: 'admin' });
  expect(problem).toMatchObject({ code: 'reauthentication-required' });
});

it('someone who steals the session of an owner that signed in an hour ago is slowed down when guessing the password, like at the sign-in', async () => {
  const guess = () => thief().call(ADMIN_ROUTES.reauthenticate, { current_password: 'a wrong password' });
  const codes: (string | undefined)[] = [];
  while (codes.at(-1) !== 'too-many-attempts' && codes.length < 20) codes.push((await guess()).problem?.code);
  expect(codes.at(-1)).toBe('too-many-attempts');
});
