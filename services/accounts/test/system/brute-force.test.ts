import { rejection } from '@tollgate/bus/test/rejection';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  acceptWithEmail,
  createTeamWithOwner,
  type Harness,
  newEmail,
  type Person,
  signIn,
  startHarness,
} from '../harness.ts';

const MAIN = new URL('../../src/main.ts', import.meta.url);
const WRONG = 'a wrong password';
/** Hashing is slow on a busy machine. */
const TIMEOUT_MS = 180_000;
const ACCOUNTS = 12;
/** Fewer than those that block an account. */
const FAILURES = 4;
const SIGN_INS = 15;
/** An equal share of them runs during each sign-in of another member. */
const GUESSES = 40 * SIGN_INS;

let harness: Harness;
let running: ReturnType<typeof startProcessUnderTest>;
let owner: Person;

/** As in production: a separate process, with passwords hashed at the full cost. */
beforeAll(async () => {
  harness = await startHarness();
  harness.clock.set(Date.now());
  running = startProcessUnderTest(MAIN, harness.processEnv);
  await running.ready();
  owner = await createTeamWithOwner(harness);
});
afterAll(async () => {
  await running.end('SIGTERM');
  await harness.stop();
});

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A member with a password that the process hashed. It judges the age of the token of the owner by the clock of the system. */
function newMember(): Promise<Person> {
  harness.clock.set(Date.now());
  return acceptWithEmail(harness, owner, { email: newEmail(), role: 'viewer' });
}

let addresses = 0;

function newAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

async function timeMs(action: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await action();
  return performance.now() - startedAt;
}

/** Duration of a failing sign-in. */
function failureMs(email: string): Promise<number> {
  const address = newAddress();
  return timeMs(async () => {
    const { code } = await rejection(signIn(harness, { email, password: WRONG }, { address }));
    expect(code).toBe('sign-in-failed');
  });
}

function median(samples: number[]): number {
  return [...samples].sort((a, b) => a - b)[Math.floor(samples.length / 2)] as number;
}

/** Standard error of a median, from the median absolute deviation, as for normally distributed samples. */
function standardError(samples: number[]): number {
  const middle = median(samples);
  const deviation = 1.4826 * median(samples.map((sample) => Math.abs(sample - middle)));
  return (deviation * Math.sqrt(Math.PI / 2)) / Math.sqrt(samples.length);
}

describe('the time of a rejection', { timeout: TIMEOUT_MS }, () => {
  it('the time of a rejection does not reveal whether an account exists', async () => {
    const pairs: { existing: number; missing: number }[] = [];
    for (let warmUp = 0; warmUp < 10; warmUp++) await failureMs(newEmail());
    for (let account = 0; account < ACCOUNTS; account++) {
      const [{ email: existingEmail }, missingEmail] = [await newMember(), newEmail()];
      for (let failure = 0; failure < FAILURES; failure++) {
        // One after the other, so that other load on the machine affects both, and in alternating order, because one goes first.
        const emails = [existingEmail, missingEmail];
        const first = await failureMs(emails[failure % 2] as string);
        const second = await failureMs(emails[1 - (failure % 2)] as string);
        const [existing, missing] = failure % 2 ? [second, first] : [first, second];
        pairs.push({ existing, missing });
      }
    }
    const existing = pairs.map((pair) => pair.existing);
    const missing = pairs.map((pair) => pair.missing);
    const differences = pairs.map((pair) => pair.existing - pair.missing);
    const [differenceMs, noiseMs] = [median(differences), standardError(differences)];
    report(
      `rejected after ${median(existing).toFixed(1)} ms with an account, ${median(missing).toFixed(1)} ms without; difference of a pair ${differenceMs.toFixed(1)} ms, noise ${noiseMs.toFixed(1)} ms`,
    );
    expect(Math.abs(differenceMs)).toBeLessThan(Math.max(1, 4 * noiseMs));
    // However noisy the machine, the fastest of many samples shows whether a hashing was left out.
    expect(Math.min(...missing)).toBeGreaterThan(Math.min(...existing) / 2);
  });
});

describe('hundreds of wrong passwords slow no other member', { timeout: TIMEOUT_MS }, () => {
  const oneAddress = newAddress();

  it.each([
    ['at one account from as many addresses', ({ email }: Person) => ({ email, address: newAddress() })],
    ['at as many accounts from one address', () => ({ email: newEmail(), address: oneAddress })],
  ])('%s', async (name, target) => {
    const [victim, member] = [await newMember(), await newMember()];
    const signInMs = () => timeMs(() => signIn(harness, member, { address: newAddress() }));
    const guess = async () => {
      const { email, address } = target(victim);
      return (await rejection(signIn(harness, { email, password: WRONG }, { address }))).code;
    };
    const [quiet, flooded]: [number[], number[]] = [[], []];
    const responses: string[] = [];
    for (let count = 0; count < SIGN_INS; count++) {
      // In turn, so that other load on the machine affects both.
      quiet.push(await signInMs());
      const guesses = Promise.all(Array.from({ length: GUESSES / SIGN_INS }, guess));
      flooded.push(await signInMs());
      responses.push(...(await guesses));
    }
    const judged = responses.filter((code) => code === 'sign-in-failed').length;
    const shown = (samples: number[]) =>
      `${median(samples).toFixed(0)} ms (at most ${Math.max(...samples).toFixed(0)} ms)`;
    report(
      `${GUESSES} wrong passwords ${name}, ${judged} of them judged: others sign in within ${shown(flooded)}, before it within ${shown(quiet)}`,
    );
    // On a busy machine a guess may wait for its turn until the queue or the caller gives up on it.
    const rejections = ['too-many-attempts', 'unavailable', 'upstream-timeout', 'sign-in-failed'];
    expect(responses.filter((code) => !rejections.includes(code))).toEqual([]);
    expect(responses.filter((code) => code === 'too-many-attempts').length).toBeGreaterThan(GUESSES / 2);
    expect(judged).toBeLessThan(GUESSES / 10);
    expect(median(flooded)).toBeLessThan(3 * median(quiet));
  });
});
