import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { pagesInSession } from './pages-in-session.ts';

/** Reads three pages, calls `afterFirst` after the first one, and resolves to the number of session checks. */
async function sessionChecks(
  afterFirst: (clock: ReturnType<typeof createFakeClock>) => void,
): Promise<number> {
  const clock = createFakeClock();
  let checks = 0;
  const openSession = async () => {
    checks += 1;
    return {} as never;
  };
  const readPage = async ({ cursor = '1' }: { cursor?: string }) => ({
    next_cursor: cursor === '3' ? null : String(Number(cursor) + 1),
  });
  const pages = pagesInSession({} as FastifyRequest, readPage, { openSession, clock });
  await pages.next();
  afterFirst(clock);
  for await (const _ of pages);
  return checks;
}

test('an export reads pages that follow each other without another check of the session', async () => {
  expect(await sessionChecks(() => undefined)).toBe(0);
});

test('an export checks the session again after 30 seconds', async () => {
  expect(await sessionChecks((clock) => clock.advance(30_000))).toBe(1);
});

test('an export checks the session again after the clock was set back', async () => {
  expect(await sessionChecks((clock) => clock.set(clock.now() - HOUR_MS))).toBe(1);
});
