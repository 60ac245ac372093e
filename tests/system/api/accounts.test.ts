import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';

const OWNER = { email: 'owner@example.com', name: 'Olga', password: 'correct horse battery' };
const GUEST = { email: 'guest@example.com', name: 'Gustav', password: 'staple of the battery' };

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform({ isSetUp: false });
});
afterAll(() => platform.stop());

describe('the accounts of a new installation, through the admin API', () => {
  let ownerSession: string;
  let guestSession: string;
  let guestId: string;

  const as = (session: string | null) => platform.admin.as(session);

  it('the setup requires the setup token', async () => {
    const installation = await as(null).call(ADMIN_ROUTES.getInstallation, {});
    expect(installation.body).toEqual({ is_set_up: false, sends_mail: false });

    const request = { ...OWNER, team_name: 'Acme', token: 'some other token of 24 characters' };
    const rejected = await as(null).call(ADMIN_ROUTES.setUp, request);
    expect(rejected).toMatchObject({ status: 403, problem: { code: 'forbidden' } });
  });

  it('the setup token creates the first team and its owner once', async () => {
    const request = { ...OWNER, team_name: 'Acme', token: platform.setupToken };
    const made = await as(null).call(ADMIN_ROUTES.setUp, request);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ team: { name: 'Acme' }, member: { role: 'owner' } });

    const again = await as(null).call(ADMIN_ROUTES.setUp, { ...request, email: 'second@example.com' });
    expect(again).toMatchObject({ status: 409, problem: { code: 'conflict' } });
    expect((await as(null).call(ADMIN_ROUTES.getInstallation, {})).body).toEqual({
      is_set_up: true,
      sends_mail: false,
    });
  });

  it('a wrong password is rejected, and the right one creates a session that identifies the member', async () => {
    const wrong = await as(null).call(ADMIN_ROUTES.signIn, {
      email: OWNER.email,
      password: 'something else',
    });
    expect(wrong).toMatchObject({ status: 401, problem: { code: 'sign-in-failed' } });

    const { email, password } = OWNER;
    const signedIn = await as(null).call(ADMIN_ROUTES.signIn, { email, password });
    expect(signedIn.status).toBe(201);
    ownerSession = signedIn.body.token;

    const me = await as(ownerSession).call(ADMIN_ROUTES.getMe, {});
    expect(me.body).toMatchObject({
      email: OWNER.email,
      name: OWNER.name,
      role: 'owner',
      is_installation_admin: true,
      team: { name: 'Acme' },
    });
  });

  it('an invitation creates an account with exactly the invited email and role', async () => {
    const invited = await as(ownerSession).call(ADMIN_ROUTES.createInvitation, {
      email: GUEST.email,
      role: 'viewer',
    });
    expect(invited.status).toBe(201);
    const token = shownOnce(invited.body.token);

    const found = await as(null).call(ADMIN_ROUTES.findInvitation, { token });
    expect(found.body).toMatchObject({ team_name: 'Acme', email: GUEST.email, role: 'viewer' });
    const { name, password } = GUEST;
    const accepted = await as(null).call(ADMIN_ROUTES.acceptInvitation, { token, name, password });
    expect(accepted).toMatchObject({ status: 201, body: { email: GUEST.email, role: 'viewer' } });
    guestId = accepted.body.id;

    const again = await as(null).call(ADMIN_ROUTES.acceptInvitation, { token, name, password });
    expect(again.status).toBe(404);
    guestSession = (await as(null).call(ADMIN_ROUTES.signIn, { email: GUEST.email, password })).body.token;
  });

  it('a viewer may not invite, and may as soon as they become an owner, in the same session', async () => {
    const invite = () =>
      as(guestSession).call(ADMIN_ROUTES.createInvitation, { email: 'third@example.com', role: 'viewer' });
    expect(await invite()).toMatchObject({ status: 403, problem: { code: 'forbidden' } });

    const changed = await as(ownerSession).call(ADMIN_ROUTES.changeRole, {
      member_id: guestId,
      role: 'owner',
    });
    expect(changed).toMatchObject({ status: 200, body: { role: 'owner' } });

    expect((await invite()).status).toBe(201);
  });

  it('a session ended from another session is rejected from then on', async () => {
    const { password } = GUEST;
    const other = await as(null).call(ADMIN_ROUTES.signIn, { email: GUEST.email, password });
    const sessions = await as(other.body.token).call(ADMIN_ROUTES.listSessions, {});
    const first = sessions.body.data.find(({ is_current }) => !is_current);

    const ended = await as(other.body.token).call(ADMIN_ROUTES.revokeSession, {
      session_id: first?.id as string,
    });
    expect(ended.status).toBe(204);

    const refused = await as(guestSession).call(ADMIN_ROUTES.getMe, {});
    expect(refused).toMatchObject({ status: 401, problem: { code: 'invalid-session' } });
    expect((await as(other.body.token).call(ADMIN_ROUTES.getMe, {})).status).toBe(200);
  });

  it('signing out ends the session of the request', async () => {
    const out = await as(ownerSession).call(ADMIN_ROUTES.revokeSession, { session_id: 'current' });
    expect(out.status).toBe(204);
    expect((await as(ownerSession).call(ADMIN_ROUTES.getMe, {})).status).toBe(401);
  });

  it('a request without a session gets a 401', async () => {
    const refused = await as(null).call(ADMIN_ROUTES.getMe, {});
    expect(refused).toMatchObject({ status: 401, problem: { code: 'unauthenticated' } });
  });
});
