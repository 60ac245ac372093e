import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import type { Collection } from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Argon2Parameters, createPasswordHasher } from '../src/passwords/password.ts';
import { signIn as signInUseCase } from '../src/sign-in/sign-in.ts';
import { ADDRESS_POLICY } from '../src/throttle/throttle.ts';
import {
  ADDRESS,
  addMember,
  createTeamWithOwner,
  type Harness,
  newEmail,
  PASSWORD,
  type Person,
  type Service,
  signIn,
  startHarness,
  TEST_PASSWORD_PARAMETERS,
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

const WRONG = 'a wrong password';

function members(): Collection<{ _id: string; password: Argon2Parameters }> {
  return service.connection.collection('members') as unknown as ReturnType<typeof members>;
}

/** Fails to sign in until attempts are blocked. Returns the length of the block. */
async function failUntilBlocked(email: string, address: string): Promise<number> {
  for (;;) {
    const { code, retryAfterS } = await rejection(signIn(harness, { email, password: WRONG }, { address }));
    if (code === 'too-many-attempts') return retryAfterS as number;
    expect(code).toBe('sign-in-failed');
  }
}

/** Counts failures at an address, until so many more have no wait. */
async function useUpFailures(left: number, addressOf: (failure: number) => string | null): Promise<void> {
  const { throttle } = service.app.context;
  for (let failure = 0; failure < ADDRESS_POLICY.freeFailures - left; failure++)
    await throttle.begin({ kind: 'account', name: newEmail() }, addressOf(failure));
}

it('a sign-in accepts the email as people type it', async () => {
  const member = await addMember(harness, owner, 'viewer');
  const typed = ` ${member.email.toUpperCase()} `;
  expect((await signIn(harness, { email: typed, password: PASSWORD })).member).toMatchObject({
    id: member.id,
    role: 'viewer',
  });
});

it('a sign-in is rejected with the same problem for a wrong email, a wrong password, and a removed member', async () => {
  const [member, removed] = [
    await addMember(harness, owner, 'viewer'),
    await addMember(harness, owner, 'viewer'),
  ];
  await harness.call(owner.actor, contract.removeMember, { member_id: removed.id });
  const responses = [
    await rejection(signIn(harness, { email: member.email, password: WRONG })),
    await rejection(signIn(harness, { email: newEmail(), password: PASSWORD })),
    await rejection(signIn(harness, { email: 'no address at all', password: PASSWORD })),
    await rejection(signIn(harness, removed)),
  ];
  expect(new Set(responses.map((response) => JSON.stringify(response)))).toHaveLength(1);
  expect(responses[0]).toMatchObject({ code: 'sign-in-failed' });
});

it('a sign-in does the same work for an email without an account as for a wrong password', async () => {
  const work: Argon2Parameters[] = [];
  const real = createPasswordHasher({ parameters: TEST_PASSWORD_PARAMETERS });
  const counting = await harness.startService({
    isStarted: false,
    passwords: createPasswordHasher({
      parameters: TEST_PASSWORD_PARAMETERS,
      derive: async (password, _salt, { memoryKib, passes, parallelism }) => {
        work.push({ memoryKib, passes, parallelism });
        return Buffer.from((await real.hash(password, null)).hash, 'base64');
      },
    }),
  });
  const attempt = (email: string) =>
    rejection(
      signInUseCase(counting.app.context, {
        email,
        password: WRONG,
        address: ADDRESS,
        user_agent: null,
        request_id: null,
      }),
    );
  const records = () => service.connection.collection('failed_sign_ins').countDocuments();

  const member = await addMember(harness, owner, 'viewer');
  const before = await records();
  expect(await attempt(member.email)).toEqual(await attempt(newEmail()));
  expect(work).toEqual([TEST_PASSWORD_PARAMETERS, TEST_PASSWORD_PARAMETERS]);
  expect(await records()).toBe(before + 2);
  // Publishing the audit entry before the response would delay it, but only when there is an account.
  await counting.audit.drain();
  const waiting = { 'outbox.target.id': member.id };
  expect(await service.connection.collection('failed_sign_ins').countDocuments(waiting)).toBe(1);
  await counting.stop();
});

it('a sign-in rehashes the password when the parameters have been raised', async () => {
  const member = await addMember(harness, owner, 'viewer');
  const parameters = { ...TEST_PASSWORD_PARAMETERS, passes: 2 };
  await service.stop();
  service = await harness.startService({ passwords: createPasswordHasher({ parameters }) });
  await signIn(harness, member);
  expect((await members().findOne({ _id: member.id }))?.password).toMatchObject({ passes: 2 });
  await signIn(harness, member);
  await service.stop();
  service = await harness.startService();
  await signIn(harness, member);
  expect((await members().findOne({ _id: member.id }))?.password).toMatchObject({ passes: 2 });
});

it('failed sign-ins block the account, longer each time, and a correct password is rejected meanwhile', async () => {
  const member = await addMember(harness, owner, 'viewer');
  const address = '203.0.113.1';
  let expectedS = 1;
  while (expectedS < 900) {
    const waitS = await failUntilBlocked(member.email, address);
    expect(waitS).toBe(expectedS);
    expect(await rejection(signIn(harness, member, { address }))).toMatchObject({
      code: 'too-many-attempts',
    });
    harness.clock.advance(waitS * 1000);
    expectedS = Math.min(900, expectedS * 2);
  }
  expect((await signIn(harness, member, { address })).member.id).toBe(member.id);
});

it('failed sign-ins are reset by a success', async () => {
  const member = await addMember(harness, owner, 'viewer');
  for (let round = 0; round < 3; round++) {
    for (let failure = 0; failure < 4; failure++) {
      const attempt = signIn(harness, { email: member.email, password: WRONG });
      expect(await rejection(attempt)).toMatchObject({ code: 'sign-in-failed' });
    }
    await signIn(harness, member);
  }
});

it('failed sign-ins during a successful sign-in do not leave the account blocked after it', async () => {
  const { throttle } = service.app.context;
  const begin = () => throttle.begin({ kind: 'account', name: 'an account' });
  for (let failure = 0; failure < 5; failure++) await begin();
  const right = await begin();
  for (let repeat = 0; repeat < 2; repeat++) {
    expect(await rejection(begin())).toMatchObject({ code: 'too-many-attempts', retryAfterS: 1 });
  }
  await right.succeeded();
  await begin();
});

it('failed sign-ins on another instance are reset here a second after their success', async () => {
  const other = await harness.startService({ isStarted: false });
  const [here, there] = [service.app.context.throttle, other.app.context.throttle];
  const account = { kind: 'account', name: 'another account' } as const;
  for (let failure = 0; failure < 8; failure++) {
    await there.begin(account);
    harness.clock.advance(4_000);
  }
  const right = await there.begin(account);
  expect(await rejection(here.begin(account))).toMatchObject({ retryAfterS: 8 });
  await right.succeeded();
  harness.clock.advance(1_000);
  await here.begin(account);
  await other.stop();
});

it('failed sign-ins block an email without an account exactly as one with an account', async () => {
  const member = await addMember(harness, owner, 'viewer');
  const waits = [
    await failUntilBlocked(member.email, '203.0.113.2'),
    await failUntilBlocked(newEmail(), '203.0.113.3'),
  ];
  expect(waits).toEqual([1, 1]);
});

it('failed sign-ins of a hundred guesses at one member on two instances allow six guesses, and slow nobody else', async () => {
  const second = await harness.startService();
  const [victim, other] = [
    await addMember(harness, owner, 'viewer'),
    await addMember(harness, owner, 'viewer'),
  ];
  const address = '203.0.113.4';
  const guess = () => rejection(signIn(harness, { email: victim.email, password: WRONG }, { address }));
  const codes: string[] = [];
  for (let wave = 0; wave < 4; wave++) {
    const flood = Promise.all(Array.from({ length: 25 }, guess));
    expect((await signIn(harness, other, { address })).member.id).toBe(other.id);
    codes.push(...(await flood).map(({ code }) => code));
  }
  const guesses = codes.filter((code) => code === 'sign-in-failed').length;
  expect(guesses).toBe(6);
  expect(codes.filter((code) => code === 'too-many-attempts')).toHaveLength(100 - guesses);
  await second.stop();
});

it('failed sign-ins at many accounts block their address, and no other', async () => {
  const address = '203.0.113.5';
  const codes: string[] = [];
  for (let guess = 0; guess < 52; guess++) {
    codes.push((await rejection(signIn(harness, { email: newEmail(), password: WRONG }, { address }))).code);
  }
  expect(codes.slice(0, 51).every((code) => code === 'sign-in-failed')).toBe(true);
  expect(codes[51]).toBe('too-many-attempts');
  const member = await addMember(harness, owner, 'viewer');
  expect(await rejection(signIn(harness, member, { address }))).toMatchObject({
    code: 'too-many-attempts',
  });
  expect((await signIn(harness, member, { address: '203.0.113.6' })).member.id).toBe(member.id);
});

it('failed sign-ins from a blocked address do not block accounts', async () => {
  const address = '203.0.113.8';
  await useUpFailures(0, () => address);
  await rejection(signIn(harness, { email: newEmail(), password: WRONG }, { address }));
  const member = await addMember(harness, owner, 'viewer');
  for (let guess = 0; guess < 10; guess++) {
    const attempt = signIn(harness, { email: member.email, password: WRONG }, { address });
    expect(await rejection(attempt)).toMatchObject({ code: 'too-many-attempts' });
  }
  await signIn(harness, member, { address: '203.0.113.9' });
});

it('failed sign-ins are counted together for the addresses of one IPv6 network', async () => {
  await useUpFailures(0, (failure) => `2001:db8:1:2::${failure.toString(16)}`);
  const codeAt = async (address: string) =>
    (await rejection(signIn(harness, { email: newEmail(), password: WRONG }, { address }))).code;
  expect(await codeAt('2001:db8:1:2::a0')).toBe('sign-in-failed');
  expect(await codeAt('2001:db8:1:2::a1')).toBe('too-many-attempts');
  expect(await codeAt('2001:db8:1:2::a2')).toBe('too-many-attempts');
  expect(await codeAt('2001:db8:1:3::1')).toBe('sign-in-failed');
});

it('failed sign-ins are counted together for all callers whose address is unreadable', async () => {
  await useUpFailures(0, () => null);
  const fail = () => rejection(signIn(harness, { email: newEmail(), password: WRONG }, { address: null }));
  expect((await fail()).code).toBe('sign-in-failed');
  expect((await fail()).code).toBe('too-many-attempts');
});

it.each(['succeeded', 'withdrawn'] as const)(
  'failed sign-ins do not result from attempts that overlap at one address and are reported as %s',
  async (outcome) => {
    const member = await addMember(harness, owner, 'viewer');
    const { throttle } = service.app.context;
    const address = outcome === 'succeeded' ? '203.0.113.14' : '203.0.113.15';
    await useUpFailures(5, () => address);
    for (let pair = 0; pair < 8; pair++) {
      const first = await throttle.begin({ kind: 'account', name: `first of ${pair}` }, address);
      harness.clock.advance(100);
      const second = await throttle.begin({ kind: 'account', name: `second of ${pair}` }, address);
      await Promise.all([first[outcome](), second[outcome]()]);
    }
    expect((await signIn(harness, member, { address })).member.id).toBe(member.id);
  },
);

it('failed sign-ins that overlap with a success at their address stay counted', async () => {
  const { throttle } = service.app.context;
  const address = '203.0.113.16';
  const begin = (name: string) => throttle.begin({ kind: 'account', name }, address);
  await useUpFailures(10, () => address);
  for (let guess = 0; guess < 10; guess++) {
    const success = await begin(`success ${guess}`);
    harness.clock.advance(1);
    await begin(`failure ${guess}`);
    await success.succeeded();
  }
  harness.clock.advance(1_000);
  await begin('the failure after 50 others');
  expect(await rejection(begin('another account'))).toMatchObject({ code: 'too-many-attempts' });
});

it('failed sign-ins do not result from correct passwords, however many share an address', async () => {
  const member = await addMember(harness, owner, 'viewer');
  for (let time = 0; time < 52; time++) await signIn(harness, member, { address: '203.0.113.7' });
});
