import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import { expect } from 'vitest';
import type { AdminResponse } from '../../support/platform/admin-client.ts';

/** Long enough for what a test does while attempts are blocked, on a machine of any load. */
const LOCKED_S = 8;

/**
 * Guesses as fast as the platform permits, until it makes the attacker wait for 8 s. Resolves to how many guesses were judged, which
 * are rejected with this code.
 */
export async function lockOut(
  guess: () => Promise<Pick<AdminResponse<unknown>, 'headers' | 'problem'>>,
  rejectedAs: ErrorCode,
): Promise<number> {
  let guesses = 0;
  for (;;) {
    const { headers, problem } = await guess();
    if (problem?.code === rejectedAs) {
      guesses += 1;
      continue;
    }
    expect(problem?.code).toBe('too-many-attempts');
    const waitS = Number(headers.get('retry-after'));
    if (waitS >= LOCKED_S) return guesses;
    await sleep(waitS * 1000);
  }
}
