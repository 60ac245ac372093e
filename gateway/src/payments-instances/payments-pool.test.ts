import { createLogger } from '@tollgate/runtime/logger';
import type { Announcement } from '@tollgate/security/announcement';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { Pool } from 'undici';
import { expect, test } from 'vitest';
import {
  ALIVE_FOR_MS,
  createPaymentsPool,
  EJECTED_FOR_MS,
  MAX_PENDING_PER_INSTANCE,
  REMOVED_AFTER_MS,
} from './payments-pool.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

function setUp() {
  const clock = createFakeClock();
  const dispatchers: Pool[] = [];
  const pool = createPaymentsPool({
    clock,
    logger,
    connect(url) {
      const dispatcher = new Pool(url);
      dispatchers.push(dispatcher);
      return dispatcher;
    },
  });
  function update(id: string, more: Partial<Announcement> = {}) {
    pool.update({
      instance_id: id,
      url: `http://${id}.test`,
      state: 'serving',
      sent_at: new Date(clock.now()).toISOString(),
      ...more,
    });
  }
  const chosen = (count: number) => Array.from({ length: count }, () => pool.choose()?.id);
  return { clock, pool, update, chosen, dispatchers };
}

test('the pool of payments instances is empty until an instance announces itself', () => {
  const { pool } = setUp();
  expect(pool.choose()).toBeUndefined();
  expect(pool.aliveCount()).toBe(0);
});

test('the pool of payments instances uses equally busy instances in turn', () => {
  const { update, chosen } = setUp();
  for (const id of ['a', 'b', 'c']) update(id);
  expect(new Set(chosen(3))).toEqual(new Set(['a', 'b', 'c']));
  expect(new Set(chosen(3))).toEqual(new Set(['a', 'b', 'c']));
});

test('the pool of payments instances prefers the instance with fewer requests in flight', () => {
  const { pool, update, chosen } = setUp();
  update('a');
  const busy = pool.choose();
  if (busy) busy.pending = 1;
  update('b');
  expect(chosen(3)).toEqual(['b', 'b', 'b']);
});

test('the pool of payments instances does not choose a full instance until one of its requests has ended', () => {
  const { pool, update } = setUp();
  update('a');
  const instance = pool.choose();
  if (!instance) throw new Error('unreachable');
  instance.pending = MAX_PENDING_PER_INSTANCE;
  expect(pool.choose()).toBeUndefined();
  update('b');
  expect(pool.choose()?.id).toBe('b');
  expect(pool.choose(pool.choose())).toBeUndefined();
  instance.pending -= 1;
  expect(pool.choose()).toBeDefined();
});

test('the pool of payments instances drops a silent instance while another one announces itself', () => {
  const { clock, update, chosen, pool } = setUp();
  update('a');
  clock.advance(ALIVE_FOR_MS + 1);
  update('b');
  expect(chosen(3)).toEqual(['b', 'b', 'b']);
  expect(pool.aliveCount()).toBe(1);
});

test('the pool of payments instances keeps the last known instances when all are silent, as when NATS is down', () => {
  const { clock, update, chosen, pool } = setUp();
  update('a');
  update('b');
  clock.advance(24 * 60 * 60 * 1000);
  expect(new Set(chosen(2))).toEqual(new Set(['a', 'b']));
  expect(pool.aliveCount()).toBe(0);
});

test('the pool of payments instances skips an instance that failed, for a moment', () => {
  const { clock, pool, update, chosen } = setUp();
  update('a');
  const failed = pool.choose();
  update('b');
  if (failed) pool.eject(failed);
  expect(chosen(3)).toEqual(['b', 'b', 'b']);
  clock.advance(EJECTED_FOR_MS);
  expect(chosen(4)).toContain('a');
});

test('the pool of payments instances uses an instance that failed when there is no other', () => {
  const { pool, update, chosen } = setUp();
  update('a');
  const failed = pool.choose();
  if (failed) pool.eject(failed);
  expect(chosen(1)).toEqual(['a']);
});

test('the pool of payments instances returns an instance other than the one that was tried, or none', () => {
  const { pool, update } = setUp();
  update('a');
  const first = pool.choose();
  expect(pool.choose(first)).toBeUndefined();
  update('b');
  expect(pool.choose(first)?.id).toBe('b');
});

test('the pool of payments instances does not choose an instance that is draining, even when there is no other', () => {
  const { update, pool } = setUp();
  update('a');
  update('a', { state: 'draining' });
  expect(pool.choose()).toBeUndefined();
});

test('the pool of payments instances ignores an announcement that arrives after a later draining announcement', () => {
  const { clock, update, pool } = setUp();
  update('a');
  const early = new Date(clock.now()).toISOString();
  clock.advance(500);
  update('a', { state: 'draining' });
  update('a', { sent_at: early });
  expect(pool.choose()).toBeUndefined();
});

test('the pool of payments instances follows an instance to a new address and closes the connections to the old one', () => {
  const { update, pool, dispatchers } = setUp();
  update('a');
  update('a', { url: 'http://elsewhere.test' });
  expect(pool.choose()?.url).toBe('http://elsewhere.test');
  expect(dispatchers.map(({ closed }) => closed)).toEqual([true, false]);
});

test('the pool of payments instances removes an instance that stays silent and closes its connections', () => {
  const { clock, update, dispatchers } = setUp();
  update('a');
  clock.advance(REMOVED_AFTER_MS + 1);
  update('b');
  expect(dispatchers.map(({ closed }) => closed)).toEqual([true, false]);
});
