import { HOUR_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { expect, it } from 'vitest';
import type { StoredEvent } from '../fan-out/event.ts';
import { createBodyCache } from './body-cache.ts';

const DELIVERY = { team_id: 'team', event_id: 'event' };

function aCache() {
  const clock = createFakeClock();
  let stored = 'stored';
  const cache = createBodyCache({ find: async () => ({ body: stored }) as StoredEvent }, clock);
  return {
    clock,
    read: async () => (await cache.get(DELIVERY))?.toString(),
    /** Another instance erases the stored body. */
    erase() {
      stored = 'erased';
    },
  };
}

it('the body cache returns a cached body for 5 seconds', async () => {
  const { clock, read, erase } = aCache();
  await read();
  erase();
  clock.advance(5 * SECOND_MS - 1);
  expect(await read()).toBe('stored');
  clock.advance(1);
  expect(await read()).toBe('erased');
});

it('the body cache reads a body again after the clock was set back', async () => {
  const { clock, read, erase } = aCache();
  await read();
  erase();
  clock.set(clock.now() - HOUR_MS);
  expect(await read()).toBe('erased');
});
