import type { PasskeyAssertion } from '@tollgate/contracts/accounts/passkey';
import {
  confirmTotp,
  createPasskey,
  setSecondFactorPolicy,
  startPasskey,
  startTotp,
} from '@tollgate/contracts/accounts/rpc';
import type { AdminRoute } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES, STREAM_PATH } from '@tollgate/contracts/admin-api/routes';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '@tollgate/test-kit/software-authenticator';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { logIn } from '../../support/platform/program-login.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember, TestTeam } from '../../support/platform/test-team.ts';
import { totpCode } from '../../support/platform/totp.ts';

let platform: SharedPlatform;
let team: TestTeam;
let member: TestMember;
let device: SoftwareAuthenticator;
let addresses = 0;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
});
afterAll(() => platform?.leave());

async function startMember(): Promise<void> {
  member = await team.createMember('admin');
  device = await addPasskey(member);
}

const anyone = () => platform.admin.as(null);

/** An address of which few others have failed attempts. */
function someAddress() {
  addresses += 1;
  return { headers: { 'x-forwarded-for': `198.18.${100 + (addresses % 7)}.${addresses % 250}` } };
}

async function addPasskey(person: TestMember): Promise<SoftwareAuthenticator> {
  const added = createSoftwareAuthenticator(platform.dashboardUrl);
  const { options } = await person.call(startPasskey, { current_password: person.password });
  await person.call(createPasskey, { name: 'Laptop', credential: added.create(options) });
  return added;
}

async function challenge(): Promise<object> {
  return (await anyone().call(ADMIN_ROUTES.createPasskeyChallenge, {})).body.options;
}

async function codeWith(passkey: PasskeyAssertion): Promise<string> {
  const { problem } = await anyone().call(ADMIN_ROUTES.signInWithPasskey, { passkey }, someAddress());
  return problem?.code ?? 'accepted';
}

async function codeWithPassword(
  { email, password }: TestMember,
  factor: { passkey?: PasskeyAssertion; totp?: string; recovery_code?: string } = {},
): Promise<string> {
  const { problem } = await anyone().call(ADMIN_ROUTES.signIn, { email, password, ...factor }, someAddress());
  return problem?.code ?? 'accepted';
}

describe('someone who intercepted the response of a passkey', () => {
  beforeEach(startMember);

  it('someone who intercepted the response of a passkey cannot use it again, nor as the second step after the password', async () => {
    const assertion = device.sign(await challenge());
    expect(await codeWith(assertion)).toBe('accepted');
    expect(await codeWith(assertion)).toBe('sign-in-failed');
    expect(await codeWithPassword(member, { passkey: assertion })).toBe('sign-in-failed');
  });

  it('someone who intercepted the response of a passkey cannot use it together with the member: of requests that arrive at once, one is accepted', async () => {
    const assertion = device.sign(await challenge());
    const codes = await Promise.all(Array.from({ length: 5 }, () => codeWith(assertion)));
    expect(codes.filter((code) => code === 'accepted')).toHaveLength(1);
  });

  it('someone who intercepted the response of a passkey cannot replace its challenge by a new one', async () => {
    const old = device.sign(await challenge());
    await codeWith(old);
    const fresh = device.sign(await challenge());
    expect(await codeWith({ ...old, client_data: fresh.client_data })).toBe('sign-in-failed');
  });
});

describe('a challenge', () => {
  beforeEach(startMember);

  it('a challenge is used up by a response that was rejected', async () => {
    const options = await challenge();
    expect(await codeWith(device.sign(options, { isUserVerified: false }))).toBe('sign-in-failed');
    expect(await codeWith(device.sign(options))).toBe('sign-in-failed');
  });

  it('a challenge for a new passkey does not sign in, and one that nobody created does not either', async () => {
    const { options } = await member.call(startPasskey, { current_password: member.password });
    const { rp } = options as { rp: { id: string } };
    expect(await codeWith(device.sign({ ...options, rpId: rp.id }))).toBe('sign-in-failed');
    const invented = { ...(await challenge()), challenge: 'A'.repeat(43) };
    expect(await codeWith(device.sign(invented))).toBe('sign-in-failed');
  });
});

describe('a site that imitates the dashboard', () => {
  beforeAll(startMember);

  it.each([
    { what: 'its own origin', ceremony: { origin: 'https://evil.example' } },
    { what: 'another port of the host', ceremony: { origin: 'http://localhost:1' } },
    { what: 'its own host', ceremony: { rpId: 'evil.example' } },
  ])('a site that imitates the dashboard gets no session with a response for $what', async ({ ceremony }) => {
    expect(await codeWith(device.sign(await challenge(), ceremony))).toBe('sign-in-failed');
  });
});

describe('a device', () => {
  beforeEach(startMember);

  it('a device that did not verify its user gets no session', async () => {
    expect(await codeWith(device.sign(await challenge(), { isUserVerified: false }))).toBe('sign-in-failed');
  });

  it('a device whose counter goes back is a copy, and gets no session', async () => {
    expect(await codeWith(device.sign(await challenge(), { counter: 10 }))).toBe('accepted');
    expect(await codeWith(device.sign(await challenge(), { counter: 10 }))).toBe('sign-in-failed');
    expect(await codeWith(device.sign(await challenge(), { counter: 9 }))).toBe('sign-in-failed');
    expect(await codeWith(device.sign(await challenge(), { counter: 11 }))).toBe('accepted');
  });

  it('a device of another member is no second step, and cannot take their name', async () => {
    const other = await addPasskey(await team.createMember('viewer'));
    expect(await codeWithPassword(member, { passkey: other.sign(await challenge()) })).toBe('sign-in-failed');
    const handle = device.sign(await challenge()).user_handle;
    const renamed = { ...other.sign(await challenge()), user_handle: handle };
    expect(await codeWith(renamed)).toBe('sign-in-failed');
    const { id } = device.sign(await challenge());
    expect(await codeWith({ ...other.sign(await challenge()), id })).toBe('sign-in-failed');
  });
});

describe('someone who knows the password of a member with a passkey', () => {
  beforeEach(startMember);

  it('someone who knows the password of a member with a passkey gets no session by the password alone, with a code that the member does not have, or on a known device', async () => {
    expect(await codeWithPassword(member)).toBe('second-factor-required');
    expect(await codeWithPassword(member, { totp: '000000' })).toBe('sign-in-failed');
    expect(await codeWithPassword(member, { recovery_code: 'AAAA-AAAA-AAAA-AAAA' })).toBe('sign-in-failed');
    const { body } = await anyone().call(ADMIN_ROUTES.signInWithPasskey, {
      passkey: device.sign(await challenge()),
    });
    const { email, password } = member;
    const known = { email, password, device_token: body.device_token as string };
    expect((await anyone().call(ADMIN_ROUTES.signIn, known)).problem?.code).toBe('second-factor-required');
  });

  it('someone who knows the password of a member with a passkey learns only then which factors the member has', async () => {
    const { email, password } = member;
    const signIn = (given: string) =>
      anyone().call(ADMIN_ROUTES.signIn, { email, password: given }, someAddress());
    expect((await signIn(password)).problem).toMatchObject({ factors: ['passkey', 'recovery_code'] });
    expect((await signIn('a wrong password')).problem).not.toHaveProperty('factors');
  });
});

describe('a member without the second factor that the team requires', () => {
  /** Sign-out and what a setup needs. */
  const ALLOWED = [
    'getMe',
    'startTotp',
    'confirmTotp',
    'startPasskey',
    'createPasskey',
    'revokeSession',
    'signOut',
  ];
  const ROUTES = (Object.entries(ADMIN_ROUTES) as [string, AdminRoute][]).filter(
    ([name, { access }]) => access !== 'public' && !ALLOWED.includes(name),
  );

  async function strictTeam(): Promise<TestTeam> {
    const strict = await platform.createTeam();
    const { owner } = strict;
    const { secret } = await owner.call(startTotp, { current_password: owner.password });
    await owner.call(confirmTotp, { totp: totpCode(secret) });
    return strict;
  }

  async function requireNow({ id, owner }: TestTeam): Promise<void> {
    await owner.call(setSecondFactorPolicy, { team_id: id, grace_period_days: 0 });
  }

  it('a member without the second factor that the team requires reaches no other route, and no stream', async () => {
    const strict = await strictTeam();
    const idle = await strict.createMember('admin');
    await requireNow(strict);
    const caller = platform.admin.as(idle.session);
    const codes = new Set<string | undefined>();
    for (const [, route] of ROUTES) {
      const path = route.path.replaceAll(/:\w+/g, 'x');
      const response = await caller.fetch(path, { method: route.method });
      codes.add(((await response.json()) as { code?: string }).code);
    }
    expect([...codes]).toEqual(['second-factor-setup-required']);
    const stream = await caller.fetch(STREAM_PATH, { headers: { accept: 'text/event-stream' } });
    expect(stream.status).toBe(403);
    expect((await caller.call(ADMIN_ROUTES.getMe, {})).status).toBe(200);
  });

  it('a member without the second factor that the team requires reaches nothing by a login of a program', async () => {
    const strict = await strictTeam();
    const idle = await strict.createMember('developer');
    const { token } = await logIn(platform, idle, { role: 'developer' });
    await requireNow(strict);
    const { problem } = await platform.admin.as(token).call(ADMIN_ROUTES.listApplications, {});
    expect(problem?.code).toBe('second-factor-setup-required');
  });

  it('a member without the second factor that the team requires cannot set one up, and remove it again', async () => {
    const strict = await strictTeam();
    const idle = await strict.createMember('developer');
    await requireNow(strict);
    await addPasskey(idle);
    const caller = platform.admin.as(idle.session);
    const [passkey] = (await caller.call(ADMIN_ROUTES.listPasskeys, {})).body.data;
    const remove = { passkey_id: passkey?.id ?? '', current_password: idle.password };
    expect((await caller.call(ADMIN_ROUTES.deletePasskey, remove)).problem?.code).toBe('conflict');
  });
});

it('a passkey of a removed member opens nothing', async () => {
  await startMember();
  await platform.admin.as(team.owner.session).call(ADMIN_ROUTES.removeMember, { member_id: member.id });
  expect(await codeWith(device.sign(await challenge()))).toBe('sign-in-failed');
});
